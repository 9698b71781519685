"""What the server tells now and whenever it has changed, for any number of readers, who get the latest only."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Generic, TypeVar

from millrace.server.protocol import Message

from .errors import ClientError

Told = TypeVar("Told")
List = TypeVar("List", bound=Message)


class Latest(Generic[Told]):
    """What was told last; kept also for those who read it later."""

    def __init__(self) -> None:
        self.value: Told | None = None
        """None before anything was told."""
        self._changed = asyncio.Event()
        self._error: ClientError | None = None

    def set(self, value: Told | None) -> None:
        """Take note of what is told."""
        self.value = value
        self._changed.set()

    def fail(self, error: ClientError) -> None:
        """Nothing more will be told."""
        self._error = error
        self._changed.set()

    async def read(self) -> AsyncGenerator[Told, None]:
        """Yield what was told last, and whenever there is something else. Raises: ConnectionLostError."""
        seen: Told | None = None
        while True:
            if self._error is not None:
                raise self._error
            if self.value is not None and self.value is not seen:
                seen = self.value
                yield seen
                # Something else may have been told while the reader was busy.
                continue
            self._changed.clear()
            await self._changed.wait()


class ListSubscription:
    """Lists that the server tells as long as somebody reads one of them, across connections."""

    def __init__(self, post: Callable[[Message], None], begin: Message, end: Message, *kinds: type[Message]) -> None:
        self.hears = kinds
        self._post = post
        self._begin = begin
        self._end = end
        self._lists = {kind: Latest[Message]() for kind in kinds}
        self._readers = 0

    async def read(self, kind: type[List]) -> AsyncGenerator[List, None]:
        """Yield one of the lists now and whenever it has changed; a slow reader gets the latest only."""
        self._readers += 1
        self._post(self._begin)
        lists = self._lists[kind].read()
        try:
            async for told in lists:
                assert isinstance(told, kind)
                yield told
        finally:
            await lists.aclose()
            self._readers -= 1
            if not self._readers:
                self._post(self._end)
                for each in self._lists.values():
                    each.set(None)

    # For the connection

    def receive(self, told: Message) -> None:
        """Take a list as the server tells it; what still arrives when nobody reads is not kept."""
        if self._readers:
            self._lists[type(told)].set(told)

    def resume(self) -> None:
        """Ask for the lists on a new socket, if somebody reads them."""
        if self._readers:
            self._post(self._begin)

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        for each in self._lists.values():
            each.fail(error)
