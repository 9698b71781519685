"""Turns at writing to an SQLite file, within one process.

SQLite has one writer at a time, for which a second connection would poll; here it queues.
"""

import asyncio
from collections import deque
from collections.abc import Callable


class Turn:
    """One writer at a time, in the order in which they asked; an asyncio.Lock that callbacks can take as well."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_taken = False

    def take(self, begin: Callable[[], None]) -> None:
        """Call `begin` when it is the caller's turn, perhaps at once. It must lead to a `release`."""
        if self._is_taken:
            self._waiting.append(begin)
        else:
            self._is_taken = True
            begin()

    def release(self) -> None:
        """End a turn, and begin the next one."""
        if self._waiting:
            self._waiting.popleft()()
        else:
            self._is_taken = False

    async def __aenter__(self) -> None:
        """Wait for a turn."""
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def begin() -> None:
            if granted.cancelled():
                self.release()
            else:
                granted.set_result(None)

        self.take(begin)
        try:
            await granted
        except asyncio.CancelledError:
            if not granted.cancelled():
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        """End the turn."""
        self.release()
