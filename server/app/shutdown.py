"""Closes a server within a few seconds even if a database, a client or a thread hangs.

Moves are stored before they are acknowledged, so giving up on a step loses nothing.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Any, Self

import structlog

from ..storage.errors import StorageError

log = structlog.get_logger()

STEP_SECONDS = 2.2
"""Maximum time for a step; a socket's closing handshake may take 2 s."""

PROCESS_SECONDS = 4.7
"""Time after which a stopping process ends itself."""

ENDED_EARLY = 1
"""Exit code of a process that ended itself early."""


class Closing:
    """Closes registered things at the end of its context, in the order of registration."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, Callable[[], Awaitable[None]]]] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._contexts = ExitStack()

    def add(self, name: str, close: Callable[[], Awaitable[None]], *, is_first: bool = False) -> None:
        """Register a function that closes something, after earlier ones unless `is_first`."""
        self._steps.insert(0 if is_first else len(self._steps), (name, close))

    def add_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run some work beside everything else; cancel it before anything is closed."""
        self._tasks.append(asyncio.create_task(work))

    def enter(self, context: AbstractContextManager[object]) -> None:
        """Enter a context, and leave it after everything else is closed."""
        self._contexts.enter_context(context)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        for name, close in self._steps:
            await _close(name, close)
        self._contexts.close()


async def _close(name: str, close: Callable[[], Awaitable[None]]) -> None:
    """Close something, or give up after a while; log an error."""
    closing = asyncio.ensure_future(close())
    done, _ = await asyncio.wait({closing}, timeout=STEP_SECONDS)
    if not done:
        closing.cancel()
        log.warning("not closed in time", what=name)
    elif not closing.cancelled() and (error := closing.exception()) is not None:
        if isinstance(error, StorageError):
            log.warning("not closed", what=name, error=str(error))
        else:
            log.error("not closed", what=name, exc_info=error)


async def until(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> bool:
    """Do some work unless the event comes first; return whether it is done. Raises what the work raises."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if working.done():
        working.result()
        return True
    working.cancel()
    await asyncio.wait({working}, timeout=STEP_SECONDS / 2)
    return False


def end_soon(say: Callable[[str], None], is_closed: threading.Event) -> None:
    """End this process after a while if it has not ended by itself, even if its event loop or a thread hangs.

    That is well if everything `is_closed` by then: what still runs, such as a thread that loads modules on a busy
    machine, has nothing to lose. Where the system allows no further thread, the system's alarm ends the process,
    without a word.
    """

    def end() -> None:
        if is_closed.is_set():
            os._exit(0)
        say("Stopping took too long; the server ends at once. Every acknowledged move is stored.")
        os._exit(ENDED_EARLY)

    timer = threading.Timer(PROCESS_SECONDS, end)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:
        signal.setitimer(signal.ITIMER_REAL, PROCESS_SECONDS)
