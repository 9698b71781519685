"""The latest message of a kind that the server sends whenever something changes, such as an announcement."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Generic, TypeVar

from millrace import protocol

from .errors import ClientError

Word = TypeVar("Word", bound=protocol.Message)


class LatestWord(Generic[Word]):
    """What the server has said last, and what it says next."""

    def __init__(self, nothing: Word) -> None:
        """`nothing` stands while the server has said nothing; a new connection begins with it."""
        self.receives = (type(nothing),)
        self.latest = nothing
        self._nothing = nothing
        self._changed = asyncio.Event()
        self._error: ClientError | None = None

    async def follow(self) -> AsyncGenerator[Word, None]:
        """Yield the latest word after each change, to one reader. Raises: ConnectionLostError."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._error is not None:
                raise self._error
            yield self.latest

    # For the connection

    def receive(self, message: Word) -> None:
        """Note the server's word."""
        self.latest = message
        self._changed.set()

    def resume(self) -> None:
        """On a new socket, the server repeats what still holds."""
        self.receive(self._nothing)

    def fail(self, error: ClientError) -> None:
        """Raise an error in the reader."""
        self._error = error
        self._changed.set()
