"""What a room does by itself, beside what it is told to do: now or later, and again when it could not be stored."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from ..journal.store import StorageError
from ..matches.match import Match
from ..protocol import Event, MatchId
from ..protocol.refusal import Refusal

log = structlog.get_logger()

RETRY_SECONDS = 1
"""What could not be stored is tried again so much later."""

Errand = Callable[[], Awaitable[None]]
"""Something to do. Raises: Refusal or StorageError if it cannot be stored now."""

Happen = Callable[[Callable[[Match, int], list[Event]]], Awaitable[None]]
"""Have a room decide something of its match as it stands then, at a time in milliseconds, and store and tell it.
Raises: Refusal."""


class Errands:
    """What one room does by itself."""

    def __init__(self, match_id: MatchId) -> None:
        self._match_id = match_id
        self._is_closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether anything is being done."""
        return bool(self._tasks)

    def begin(self, errand: Errand) -> None:
        """Do something beside, until it is stored; nothing after `close`."""
        if not self._is_closed:
            task = asyncio.create_task(self._do(errand))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def begin_later(self, seconds: float, errand: Errand) -> asyncio.TimerHandle:
        """Do something after a while, unless what is returned is cancelled before."""
        return asyncio.get_running_loop().call_later(seconds, self.begin, errand)

    async def close(self) -> None:
        """Stop whatever is being done, and begin nothing more."""
        self._is_closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _do(self, errand: Errand) -> None:
        try:
            await errand()
        except (Refusal, StorageError) as error:
            log.warning("put off", match=self._match_id, error=str(error))
            self.begin_later(RETRY_SECONDS, errand)
