"""The quick pairing that a connection waits for."""

import asyncio
from collections.abc import Callable

from millrace.protocol import (
    CommandId,
    FindMatch,
    MatchId,
    Message,
    Paired,
    PlayBot,
    SearchEnded,
    Searching,
    StopSearch,
)

from .errors import ClientError, SearchEndedError
from .requests import new_id


class PairingSearch:
    """At most one search at a time; a new one replaces it."""

    def __init__(self, post: Callable[[Message], None]) -> None:
        self._post = post
        self._command: FindMatch | None = None
        self._takes_bot = False
        self._is_known = False
        """Whether the server has answered; earlier messages may belong to a previous search."""
        self._found: asyncio.Future[MatchId] | None = None

    async def find(self, command: FindMatch, takes_bot: bool) -> MatchId:
        """Wait until a match is found; cancelling this call ends the search. Raises: RefusedError, SearchEndedError."""
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
                self._post(StopSearch(new_id()))
            raise
        finally:
            if self._found is found:
                self._command = self._found = None

    def resume(self) -> None:
        """Send the request; repeat it on a new socket under the same id, so that the server reports the search's
        state."""
        if self._command is not None:
            self._post(self._command)

    def receive(self, message: Searching | Paired | SearchEnded) -> None:
        """Receive news of the search."""
        if self._command is None or self._found is None or self._found.done():
            return
        self._is_known = self._is_known or message.id == self._command.id
        if not self._is_known:
            return
        match message:
            case Searching(bot_level=level):
                if self._takes_bot and level is not None:
                    self._post(PlayBot(new_id()))
            case Paired(match):
                self._found.set_result(match)
            case SearchEnded():
                self._found.set_exception(SearchEndedError("Another connection of yours ended the search."))

    def refuse(self, command: CommandId, error: ClientError) -> None:
        """Handle the refusal of a command."""
        if self._command is not None and self._command.id == command:
            self.fail(error)

    def fail(self, error: ClientError) -> None:
        """End the search with an error."""
        if self._found is not None and not self._found.done():
            self._found.set_exception(error)
