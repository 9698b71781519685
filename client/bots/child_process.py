"""Child processes that end with the task that starts them, and with them what they have started."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any


async def start_child(*command: str, **options: Any) -> Process:
    """Start a child process as `asyncio.create_subprocess_exec` does; if this is cancelled, end the child first.

    Otherwise the child may be left running, and its pipes open. It leads a group of processes. Raises: OSError.
    """
    starting = asyncio.ensure_future(asyncio.create_subprocess_exec(*command, start_new_session=True, **options))
    try:
        await _complete(lambda: asyncio.wait([starting]))
    except asyncio.CancelledError:
        if not starting.cancelled() and starting.exception() is None:
            await kill_child(starting.result())
        raise
    return starting.result()


async def kill_child(process: Process) -> None:
    """Kill a child process and its group, and return when its pipes are closed, even if this is cancelled.

    An engine is often the child of a script, and holds its pipes.
    """
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
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
