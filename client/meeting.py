"""Meeting people: the client library's side of quick pairings and of challenges.

It keeps no connection: `client.connection` hands it what the server says, and imports it.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Generic, Protocol, TypeVar

from client.asking import new_id
from client.errors import ClientError, SearchEndedError
from server.protocol import CommandId, FindMatch, MatchId, Message, Paired, PlayBot, SearchEnded, Searching, StopSearch

T = TypeVar("T")


class SearchLink(Protocol):
    """What a search needs of its connection."""

    def post(self, message: Message) -> None:
        """Send, if there is a connection just now."""


class Latest(Generic[T]):
    """What the server tells unasked whenever it changes; kept for those who read it later, who get the latest only."""

    def __init__(self) -> None:
        self._value: T | None = None
        self._changed = asyncio.Event()
        self._error: ClientError | None = None

    def set(self, value: T) -> None:
        """Take note of what the server tells."""
        self._value = value
        self._changed.set()

    def fail(self, error: ClientError) -> None:
        """Nothing more will be told."""
        self._error = error
        self._changed.set()

    async def follow(self) -> AsyncGenerator[T, None]:
        """Yield what was told last, and whenever there is something else. Raises: ConnectionLostError."""
        seen: T | None = None
        while True:
            if self._error is not None:
                raise self._error
            if self._value is not None and self._value is not seen:
                seen = self._value
                yield seen
                # Something else may have been told while the reader was busy.
                continue
            self._changed.clear()
            await self._changed.wait()


class Search:
    """The quick pairing that a connection waits for; there is one at a time."""

    def __init__(self, link: SearchLink) -> None:
        self._link = link
        self._command: FindMatch | None = None
        self._takes_bot = False
        self._is_known = False
        """Whether the server has answered; what it says before may be of an earlier search."""
        self._found: asyncio.Future[MatchId] | None = None

    async def find(self, command: FindMatch, takes_bot: bool) -> MatchId:
        """Wait until a match is found; to be cancelled is to wait no longer. Raises: RefusedError, SearchEndedError."""
        if self._found is not None:
            self._found.cancel()
        found: asyncio.Future[MatchId] = asyncio.get_running_loop().create_future()
        self._found = found
        self._command, self._takes_bot, self._is_known = command, takes_bot, False
        self.resume()
        try:
            return await found
        except asyncio.CancelledError:
            if self._found is found:
                self._link.post(StopSearch(new_id()))
            raise
        finally:
            if self._found is found:
                self._command = self._found = None

    def resume(self) -> None:
        """Ask, or after another connection ask again under the same id, how the search stands."""
        if self._command is not None:
            self._link.post(self._command)

    def receive(self, message: Searching | Paired | SearchEnded) -> None:
        """Hear how the search stands."""
        if self._command is None or self._found is None or self._found.done():
            return
        self._is_known = self._is_known or message.id == self._command.id
        if not self._is_known:
            return
        match message:
            case Searching(bot_level=level):
                if self._takes_bot and level is not None:
                    self._link.post(PlayBot(new_id()))
            case Paired(match):
                self._found.set_result(match)
            case SearchEnded():
                self._found.set_exception(SearchEndedError("The search was ended by another connection."))

    def refuse(self, command: CommandId, error: ClientError) -> None:
        """Hear that a command was refused."""
        if self._command is not None and self._command.id == command:
            self.fail(error)

    def fail(self, error: ClientError) -> None:
        """No match will be found."""
        if self._found is not None and not self._found.done():
            self._found.set_exception(error)
