"""`millrace serve` as a process of its own, on a port that stays the same when it is killed and started again."""

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

START_SECONDS = 120
BOTS_SECONDS = 300
ALL_RULES = re.compile(r"Compiled the rules of \w+ \((\d+) of \1\)")


class ServerProcess:
    """A server that can be killed and started again on the same port and data."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self._port}"

    def start(self) -> None:
        """Start the server and return once it lets players in."""
        command = [sys.executable, "-m", "server.cli", "serve", "--bot-workers", "1", "--message-rate", "1000"]
        where = ["--port", str(self._port), "--data-dir", str(self._data_dir)]
        self._process = subprocess.Popen(
            [*command, *where], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        self.lines: list[str] = []
        self._is_open, self._has_rules, self._has_bots = threading.Event(), threading.Event(), threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._is_open.wait(START_SECONDS), "".join(self.lines)
        self._port = self._said_port()

    def wait_for_rules(self) -> None:
        """Return once matches of every game can go on, so that no test waits for the compiler."""
        assert self._has_rules.wait(START_SECONDS), "".join(self.lines)

    def wait_for_bots(self) -> None:
        """Return once bots can play."""
        assert self._has_bots.wait(BOTS_SECONDS), "".join(self.lines)

    def kill(self) -> None:
        """End the server and its bots at once, as a crash of the machine would."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line)
            if line.startswith("Players are welcome"):
                self._is_open.set()
            elif ALL_RULES.match(line):
                self._has_rules.set()
            elif line.startswith("Bots are ready"):
                self._has_bots.set()

    def _said_port(self) -> int:
        said = next(line for line in self.lines if line.startswith("Millrace serves on"))
        return int(said.rsplit(":", 1)[1])
