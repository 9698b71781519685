"""Real servers for tests: `millrace serve` as a separate process, on a free port with its own data folder.

Unlike servers inside a test's process, they can be killed.
"""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from tests.processes import end_with_tests

PATIENCE_S = 300.0
"""Upper bound for every wait, generous for slow machines."""

WELCOME = "Players are welcome"
ALL_RULES = re.compile(r"The rules of .+ are ready \((\d+) of \1\)")
BOTS = "Bots are ready"
HAS_PORT = re.compile(r"Millrace .*\b(?:starts|serves) on http")
"""Earlier releases serve at once."""

GENEROUS = ("--address-factor", "1000", "--limit", "messages.connection=40000")
"""Enough accounts, matches and messages for the tests, whose clients all share an address."""

CHECKOUT = Path(__file__).parents[1]

_ADDRESS = re.compile(r"http://(\S+:\d+)")


class Site(Protocol):
    """What clients connect to: a server, or several behind one address."""

    @property
    def address(self) -> str:
        """Host and port, as `client.connect` takes it."""

    @property
    def url(self) -> str:
        """Where the page is."""

    @property
    def output(self) -> Sequence[str]:
        """The lines that it has printed."""

    @property
    def storage(self) -> Sequence[str]:
        """The options for commands on its data."""

    def wait_for_bots(self) -> None:
        """Return once bots can play."""


class ServerProcess:
    """A server that runs while its context lasts, or until `kill`; it may be started again on the same data.

    `arguments` are further ones of `millrace serve`; only with `--tablebases` does it solve any, to spare the machine.
    Its console is kept in `output`. `folder` is the checkout whose code it runs.
    """

    def __init__(self, data_dir: Path, *arguments: str, folder: Path = CHECKOUT, port: int = 0) -> None:
        self.output: list[str] = []
        """The lines that it has printed since it was last started, log included."""
        self.data_dir = data_dir
        """Where it keeps its data."""
        self._arguments: Sequence[str] = arguments
        self._folder = folder
        self._port = port
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._printed = threading.Condition()
        self._has_ended = False

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def address(self) -> str:
        """Host and port, as `client.connect` takes it; the same after another start."""
        return f"127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{self.address}"

    @property
    def port(self) -> int:
        """The port, once the server has been started."""
        return self._port

    @property
    def storage(self) -> Sequence[str]:
        """The options for commands on its data."""
        return ("--data-dir", str(self.data_dir))

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_welcoming(self) -> bool:
        """Whether it has reported that it accepts players."""
        return self._find(WELCOME) is not None

    def start(self, is_awaited: bool = True) -> None:
        """Start the process and return when it accepts players or, without waiting for that, when it has a port."""
        command = [
            sys.executable,
            "-m",
            "millrace.server.app.cli",
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            str(self._port),
            "--calendar",
            os.devnull,
        ]
        self.output, self._has_ended = [], False
        self._process = subprocess.Popen(
            [
                *command,
                "--data-dir",
                str(self.data_dir),
                "--no-tablebases",
                "--no-browser-engine",
                "--bot-pace",
                "0",
                *self._arguments,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": _with_first(self._folder, os.environ.get("PYTHONPATH", ""))},
            start_new_session=True,
            preexec_fn=end_with_tests,
        )
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()
        address = _ADDRESS.search(self.wait_for(HAS_PORT))
        assert address is not None
        self._port = int(address[1].rpartition(":")[2])
        if is_awaited:
            self.wait_for(WELCOME)

    def wait_for_rules(self) -> None:
        """Return once matches of every game can go on, so that no test waits for the compiler."""
        self.wait_for(ALL_RULES)

    def wait_for_bots(self) -> None:
        """Return once bots can play."""
        self.wait_for(BOTS)

    def wait_for(self, words: str | re.Pattern[str]) -> str:
        """Return the first printed line that contains these words, once there is one."""
        with self._printed:
            was_printed = self._printed.wait_for(lambda: self._find(words) or self._has_ended, PATIENCE_S)
            line = self._find(words)
        if not was_printed or line is None:
            raise AssertionError(f"The server did not say {words!r}; it said:\n" + "\n".join(self.output))
        return line

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it with a signal, and return its exit code."""
        return self._end(lambda process: process.send_signal(how))

    def stop_in_good_order(self) -> None:
        """Stop it, and check that it ends by itself.

        On a busy machine, a server whose bots are still being started may take longer than it allows itself.
        """
        self.wait_for_bots()
        assert self.stop() == 0, "\n".join(self.output[-15:])

    def kill(self) -> int:
        """Kill it and its bots (SIGKILL), like a crash of the machine."""
        return self._end(lambda process: os.killpg(process.pid, signal.SIGKILL))

    def _end(self, how: Callable[[subprocess.Popen[str]], None]) -> int:
        if self._process is None or self._reader is None:
            return 0
        if self._process.poll() is None:
            how(self._process)
        code = self._process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        return code

    def _find(self, words: str | re.Pattern[str]) -> str | None:
        pattern = re.compile(re.escape(words)) if isinstance(words, str) else words
        return next((line for line in self.output if pattern.search(line)), None)

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                with self._printed:
                    self.output.append(line.rstrip())
                    self._printed.notify_all()
        with self._printed:
            self._has_ended = True
            self._printed.notify_all()


def _with_first(folder: Path, path: str) -> str:
    """Return a search path that begins with a folder, and keeps what a test has added to it."""
    return os.pathsep.join(filter(None, [str(folder), path]))
