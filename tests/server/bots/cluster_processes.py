"""A Dask cluster for bots, started like by an operator: a scheduler and `millrace bot-worker`, as processes to kill."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.processes import end_with_tests
from tests.serving import CHECKOUT

PRELOAD = "millrace.server.bots.dask.preload"


class ClusterProcesses:
    """A scheduler on a port of its own, and workers with one process each; none runs before it is started."""

    def __init__(self, data_dir: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._data_dir = data_dir
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._workers: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def address(self) -> str:
        """The scheduler's address, the same after a restart."""
        return f"tcp://127.0.0.1:{self._port}"

    def start_scheduler(self) -> None:
        """Start the scheduler."""
        place = ("--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard")
        self._scheduler = self._start("-m", "dask", "scheduler", *place, "--preload", PRELOAD)

    def start_worker(self, number: int = 0) -> None:
        """Start a worker."""
        options = ("--processes", "1", "--no-tablebases", "--data-dir", str(self._data_dir))
        self._workers[number] = self._start("-m", "millrace.server.app.cli", "bot-worker", self.address, *options)

    def signal_scheduler(self, how: signal.Signals) -> None:
        """Send a signal to the scheduler."""
        assert self._scheduler is not None
        self._scheduler.send_signal(how)
        if how is signal.SIGKILL:
            self._scheduler.wait()

    def signal_worker(self, how: signal.Signals, number: int = 0) -> None:
        """Send a signal to a worker and all its processes."""
        os.killpg(self._workers[number].pid, how)
        if how is signal.SIGKILL:
            self._workers[number].wait()

    def kill_worker(self) -> None:
        """Kill the first worker with all its processes."""
        self.signal_worker(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in (self._scheduler, *self._workers.values()):
            if process is not None and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        with (self._data_dir / f"{arguments[2]}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *arguments],
                stdout=log,
                stderr=log,
                cwd=CHECKOUT,
                env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
                start_new_session=True,
                preexec_fn=end_with_tests,
            )
