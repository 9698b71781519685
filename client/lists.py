"""A list that the server tells at once and whenever it has changed, followed across connections by any number of
readers.

Imported by `client.connection`.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Generic, TypeVar

from server.protocol import Message

Told = TypeVar("Told", bound=Message)


class FollowedList(Generic[Told]):
    """The latest list, and who reads it."""

    def __init__(self, post: Callable[[Message], None], begin: Message, end: Message) -> None:
        self._post = post
        self._begin = begin
        self._end = end
        self._readers = 0
        self._changed = asyncio.Event()
        self._latest: Told | None = None

    @property
    def has_readers(self) -> bool:
        """Whether somebody reads it."""
        return self._readers > 0

    def resume(self) -> None:
        """Ask for the list on a new connection, if somebody reads it."""
        if self._readers:
            self._post(self._begin)

    def receive(self, told: Told) -> None:
        """Take the list as the server tells it."""
        self._latest = told
        self.wake()

    def wake(self) -> None:
        """Have every reader look again whether the connection has ended."""
        self._changed.set()

    async def read(self, raise_if_ended: Callable[[], None]) -> AsyncGenerator[Told, None]:
        """Yield the list now and whenever it has changed; a slow reader gets the latest only."""
        seen: Told | None = None
        self._readers += 1
        self._post(self._begin)
        try:
            while True:
                raise_if_ended()
                if self._latest is not None and self._latest is not seen:
                    seen = self._latest
                    yield seen
                    # The list may have changed while the reader was busy.
                    continue
                self._changed.clear()
                await self._changed.wait()
        finally:
            self._readers -= 1
            if not self._readers:
                self._latest = None
                self._post(self._end)
