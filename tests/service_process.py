"""Private processes of PostgreSQL and Redis for tests and benchmarks, which can be paused, killed and restarted."""

import os
import signal
import socket
import subprocess
from abc import ABC, abstractmethod
from contextlib import suppress
from types import TracebackType
from typing import NoReturn, Self

import pytest

from tests.processes import children_of
from tests.waiting import wait_until


class ServiceProcess(ABC):
    """A server on a free port that runs while its context lasts."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port: int = listener.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def _launch(self) -> "subprocess.Popen[bytes]":
        """Start the process."""

    @abstractmethod
    def _answers(self) -> bool:
        """Return whether it takes connections."""

    @property
    def pids(self) -> list[int]:
        """The first process, and those that it has started, such as PostgreSQL's for each connection."""
        return [self._running.pid, *children_of(self._running.pid)]

    def start(self) -> None:
        """Start, also after `kill`, and wait until it answers."""
        process = self._process = self._launch()
        wait_until(lambda: process.poll() is not None or self._answers(), lambda: f"{process.args!r} does not answer")
        assert process.poll() is None, f"{process.args!r} ended"

    def pause(self) -> None:
        """Freeze all its processes."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """End a pause."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End all its processes at once, as when the machine loses its power."""
        self._signal(signal.SIGKILL)
        self._running.wait()
        self._process = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            # Or the process would be missed later, in the middle of another test.
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.kill()

    @property
    def _running(self) -> "subprocess.Popen[bytes]":
        assert self._process is not None
        return self._process

    def _signal(self, how: signal.Signals) -> None:
        for pid in self.pids:
            with suppress(ProcessLookupError):  # those of connections end with them
                os.kill(pid, how)


def skip_without(reason: str) -> NoReturn:
    """Skip a test whose service is missing; fail if `MILLRACE_TESTS_REQUIRE_ALL=1`."""
    if os.environ.get("MILLRACE_TESTS_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
