"""Meeting people: quick pairings, and challenges to this player.

Challenging somebody, and answering, is in `client.match_commands`. `Connection.meeting` is a `MeetingClient`.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from millrace.server.protocol import (
    ChallengeRules,
    Challenges,
    ClockSettings,
    CommandId,
    Done,
    FindMatch,
    MatchId,
    Message,
    Paired,
    PlayBot,
    SearchEnded,
    Searching,
    Seek,
    StopSearch,
    TakeChallenges,
    Wish,
)

from .asking import Requests, new_id
from .errors import ClientError, SearchEndedError
from .lists import Latest


class MeetingClient:
    """What a connection asks and hears of those who want to play."""

    hears = (Challenges, Searching, Paired, SearchEnded)

    def __init__(self, requests: Requests, post: Callable[[Message], None]) -> None:
        self._requests = requests
        self._post = post
        self._search = Search(post)
        self._challenges = Latest[Challenges]()
        self._rules: ChallengeRules | None = None

    async def find_match(
        self,
        game: str,
        *,
        seats: int = 2,
        clock: ClockSettings | None = None,
        rated: bool = False,
        takes_fewer: bool = False,
        takes_bot: bool = False,
    ) -> MatchId:
        """Wait for a quick pairing and return the match, which has begun. To cancel this is to wait no longer.

        `takes_fewer`: a match with fewer seats will do after a while; `takes_bot`: so will a bot, when one is offered.
        Raises: RefusedError, SearchEndedError, ConnectionLostError.
        """
        self._requests.raise_if_ended()
        wish = Wish(game, seats, clock, rated)
        return await self._search.find(FindMatch(new_id(), wish, takes_fewer), takes_bot)

    async def take_challenges(self, rules: ChallengeRules | None) -> None:
        """Take challenges by these rules, for as long as this connection is kept up; with None take no more.

        For the accounts of bots. Raises: RefusedError.
        """
        await self._requests.ask(TakeChallenges(new_id(), rules), Done)
        self._rules = rules

    @property
    def waiting_challenges(self) -> tuple[Seek, ...]:
        """The challenges that wait for this player's answer just now."""
        told = self._challenges.value
        return () if told is None else told.challenges

    async def challenges(self) -> AsyncGenerator[tuple[Seek, ...], None]:
        """Yield the challenges that wait for this player's answer, whenever there are others."""
        async with aclosing(self._challenges.read()) as lists:
            async for told in lists:
                yield told.challenges

    # For the connection

    def receive(self, message: Challenges | Searching | Paired | SearchEnded) -> None:
        """Hear of challenges, or how the search stands."""
        if isinstance(message, Challenges):
            self._challenges.set(message)
        else:
            self._search.receive(message)

    def refuse(self, command: CommandId, error: ClientError) -> None:
        """Hear that a command was refused."""
        self._search.refuse(command, error)

    def resume(self) -> None:
        """Say again on a new socket what this player waits for."""
        self._search.resume()
        if self._rules is not None:
            self._post(TakeChallenges(new_id(), self._rules))

    def fail(self, error: ClientError) -> None:
        """Raise an error in everything that waits."""
        self._challenges.fail(error)
        self._search.fail(error)


class Search:
    """The quick pairing that a connection waits for; there is one at a time."""

    def __init__(self, post: Callable[[Message], None]) -> None:
        self._post = post
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
                self._post(StopSearch(new_id()))
            raise
        finally:
            if self._found is found:
                self._command = self._found = None

    def resume(self) -> None:
        """Ask, or after another connection ask again under the same id, how the search stands."""
        if self._command is not None:
            self._post(self._command)

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
                    self._post(PlayBot(new_id()))
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
