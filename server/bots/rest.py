"""Ends a process that nobody needs: it costs memory, and threads that watch over it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

IDLE_SECONDS = 300.0
"""Time without work after which a process ends. It starts again in a second or two."""


class Rest:
    """Calls `end` after `IDLE_SECONDS` without a use."""

    def __init__(self, end: Callable[[], Awaitable[None]]) -> None:
        self._end = end
        self._uses = 0
        self._timer: asyncio.TimerHandle | None = None
        self._ending: asyncio.Future[None] | None = None

    @property
    def is_due(self) -> bool:
        """Whether there is no use at the moment: `end` asks once nothing can begin one."""
        return self._uses == 0

    @contextmanager
    def used(self) -> Iterator[None]:
        """Stay awake during a use, and for a while after it."""
        self._uses += 1
        self.stop()
        try:
            yield
        finally:
            self._uses -= 1
            self.stop()
            self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._begin_to_end)

    def stop(self) -> None:
        """Do not end it by itself any more, unless it is used again."""
        if self._timer is not None:
            self._timer.cancel()

    def _begin_to_end(self) -> None:
        self._ending = asyncio.ensure_future(self._end())
