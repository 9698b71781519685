"""Child processes that end with their parent, or with the task that starts them."""

import asyncio
import ctypes
import errno
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from typing import Any

_PR_SET_PDEATHSIG = 1
"""From <sys/prctl.h>."""

START_ERRORS = (OSError, EOFError, RuntimeError, MemoryError)
"""What is raised where a process cannot be started: also for its threads, its pipes and its shared memory."""

PERHAPS = "Perhaps the system allows too little memory, or too few processes and threads."
"""What may have ended a process that could not say it."""


def is_refused(error: BaseException) -> bool:
    """Return whether the system allows no more processes or threads."""
    is_thread = isinstance(error, RuntimeError) and "can't start new thread" in str(error)
    return is_thread or (isinstance(error, OSError) and error.errno == errno.EAGAIN)


def why_not_started(error: Exception) -> str:
    """Return why a process cannot be started, as a sentence.

    >>> why_not_started(PermissionError(13, "Permission denied", "/dev/shm"))
    'A process cannot be started: Permission denied (/dev/shm).'
    """
    match error:
        case _ if is_refused(error):
            reason = "The system allows no more processes or threads."
        case MemoryError() | OSError(errno=errno.ENOMEM):
            reason = "There is not enough memory to start a process."
        case BrokenExecutor() | EOFError() | ConnectionError():
            reason = f"A process ended while it was starting. {PERHAPS}"
        case TimeoutError():
            reason = "A process does not finish starting."
        case OSError(strerror=str(words)):
            place = "" if error.filename is None else f" ({error.filename})"
            reason = f"A process cannot be started: {words}{place}."
        case _:
            reason = f"A process cannot be started: {error}."
    return reason


def end_with_parent() -> None:
    """Have this process killed when its parent dies for any reason.

    Elsewhere than on Linux, a worker ends when it is idle and finds its pipe to the server closed.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def end_only_with_parent() -> None:
    """Have this process killed when its parent dies, and ignore signals to the whole group, as from Ctrl-C or systemd.

    Else the parent would miss it, and replace it, while it stops.
    """
    end_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


async def start_child(*command: str, **options: Any) -> Process:
    """Start a child process as `asyncio.create_subprocess_exec` does; if this is cancelled, end the child first.

    Otherwise the child may be left running, and its pipes open. Raises: OSError.
    """
    starting = asyncio.ensure_future(asyncio.create_subprocess_exec(*command, **options))
    try:
        await _complete(lambda: asyncio.wait([starting]))
    except asyncio.CancelledError:
        if not starting.cancelled() and starting.exception() is None:
            await kill_child(starting.result())
        raise
    return starting.result()


async def kill_child(process: Process) -> None:
    """Kill a child process unless it has ended, and return when its pipes are closed, even if this is cancelled."""
    with suppress(ProcessLookupError):
        process.kill()
    await _complete(lambda: _close(process))


async def _close(process: Process) -> None:
    """Read what a process has left in its pipes, which are not closed before, and wait for its end."""
    for stream in filter(None, (process.stdout, process.stderr)):
        with suppress(RuntimeError):  # another task reads it
            await stream.read()
    await process.wait()


async def _complete(step: Callable[[], Awaitable[Any]]) -> None:
    """Await something, again if this is cancelled meanwhile; raise CancelledError at the end."""
    cancelled: asyncio.CancelledError | None = None
    while True:
        try:
            await step()
        except asyncio.CancelledError as error:
            cancelled = error
            continue
        if cancelled is not None:
            raise cancelled
        return
