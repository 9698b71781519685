"""Processes started by tests: the system kills them when the test run dies in any way.

subprocess.Popen(command, preexec_fn=end_with_tests)
"""

import ctypes
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from millrace.server.runtime.child_process import kill_child, start_child

_PR_SET_PDEATHSIG = 1
"""From <sys/prctl.h>."""

_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None
"""Looked up before a process forks, since the loader must not run afterwards."""


def end_with_tests() -> None:
    """Kill this process when the one that started it dies; does nothing on systems other than Linux."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


@asynccontextmanager
async def child(*command: str, **options: Any) -> AsyncIterator[Process]:
    """Run a command as a child process of this event loop, and kill it when the context ends."""
    process = await start_child(*command, preexec_fn=end_with_tests, **options)
    try:
        yield process
    finally:
        await kill_child(process)


def children_of(parent: int) -> list[int]:
    """Return the child processes of a process, by /proc."""
    return [process for process, (its_parent, _) in _processes().items() if its_parent == parent]


def processes_of_session(session: int) -> list[int]:
    """Return the processes of a session, by /proc."""
    return [process for process, (_, its_session) in _processes().items() if its_session == session]


def _processes() -> dict[int, tuple[int, int]]:
    """Return the parent and the session of every process that has not ended."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, _, session, *_ = status.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            found[int(status.parent.name)] = int(parent), int(session)
    return found
