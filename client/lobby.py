"""The lobby: quick pairing, challenges to this player, and the lists of matches and bots to choose from.

Joining a match, challenging a player and answering a challenge are in `client.match_commands`.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from millrace import protocol

from .errors import ClientError
from .pairing_search import PairingSearch
from .requests import Requests, new_id
from .subscriptions import Latest, ListSubscription


class LobbyClient:
    """Quick pairing, challenges and lists; `Connection.lobby` is one.

    Each list is yielded now and whenever it changes; a slow reader gets only the latest version. Every method raises
    ConnectionLostError.
    """

    receives = (protocol.Challenges, protocol.Searching, protocol.Paired, protocol.SearchEnded)

    def __init__(self, requests: Requests, post: Callable[[protocol.Message], None]) -> None:
        self._requests = requests
        self._post = post
        self._search = PairingSearch(post)
        self._challenges = Latest[protocol.Challenges]()
        self._rules: protocol.ChallengeRules | None = None
        self._lists = ListSubscription(
            post,
            protocol.WatchLobby(),
            protocol.WatchLobby(on=False),
            protocol.LiveMatches,
            protocol.Seeks,
            protocol.OnlineBots,
        )
        self._own = ListSubscription(
            post, protocol.WatchYourMatches(), protocol.WatchYourMatches(on=False), protocol.YourMatches
        )
        self.subscribers = (self, self._lists, self._own)

    async def play_now(self, game: str) -> protocol.NowPlaying:
        """Start a casual match for two immediately, against a waiting player or a bot of a suitable level.

        Raises: RefusedError, ConnectionLostError.
        """
        return await self._requests.ask(protocol.PlayNow(new_id(), game), protocol.NowPlaying)

    async def fitting_bot(self, game: str) -> int:
        """Return the level of the bot that `play_now` would choose. Raises: RefusedError, ConnectionLostError."""
        return (await self._requests.ask(protocol.GetFittingBot(new_id(), game), protocol.FittingBot)).level

    async def find_match(
        self,
        game: str,
        *,
        seats: int = 2,
        clock: protocol.ClockSettings | None = None,
        rated: bool = False,
        takes_fewer: bool = False,
        takes_bot: bool = False,
    ) -> protocol.MatchId:
        """Wait for a quick pairing and return the match, which has begun. Cancelling this call ends the search.

        With `takes_fewer`, a match with fewer seats is accepted after a while; with `takes_bot`, a bot is accepted as
        soon as the server offers one. Raises: RefusedError, SearchEndedError.
        """
        self._requests.raise_if_ended()
        request = protocol.PairingRequest(game, seats, clock, rated)
        return await self._search.find(protocol.FindMatch(new_id(), request, takes_fewer), takes_bot)

    async def set_challenge_rules(self, rules: protocol.ChallengeRules | None) -> None:
        """Accept challenges by these rules while this connection lasts; None accepts no more.

        For the accounts of bots. Raises: RefusedError.
        """
        await self._requests.ask(protocol.SetChallengeRules(new_id(), rules), protocol.Done)
        self._rules = rules

    @property
    def waiting_challenges(self) -> tuple[protocol.Seek, ...]:
        """The challenges that wait for this player's answer now."""
        latest = self._challenges.value
        return () if latest is None else latest.challenges

    async def challenges(self) -> AsyncGenerator[tuple[protocol.Seek, ...], None]:
        """Yield the challenges that wait for this player's answer."""
        async with aclosing(self._challenges.read()) as lists:
            async for message in lists:
                yield message.challenges

    async def live_matches(self) -> AsyncGenerator[tuple[protocol.MatchSummary, ...], None]:
        """Yield the twelve most interesting live matches."""
        async with aclosing(self._lists.read(protocol.LiveMatches)) as lists:
            async for message in lists:
                yield message.matches

    async def seeks(self) -> AsyncGenerator[tuple[protocol.Seek, ...], None]:
        """Yield the open matches; `join` takes a seat in one."""
        async with aclosing(self._lists.read(protocol.Seeks)) as lists:
            async for message in lists:
                yield message.seeks

    async def online_bots(self) -> AsyncGenerator[tuple[protocol.OnlineBot, ...], None]:
        """Yield the bots that accept challenges; `challenge` sends one."""
        async with aclosing(self._lists.read(protocol.OnlineBots)) as lists:
            async for message in lists:
                yield message.bots

    async def your_matches(self) -> AsyncGenerator[tuple[protocol.YourMatch, ...], None]:
        """Yield the matches that this player is playing, those where it is their turn first."""
        async with aclosing(self._own.read(protocol.YourMatches)) as lists:
            async for message in lists:
                yield message.matches

    # For the connection

    def receive(
        self, message: protocol.Challenges | protocol.Searching | protocol.Paired | protocol.SearchEnded
    ) -> None:
        """Receive the challenges, or news of the search."""
        if isinstance(message, protocol.Challenges):
            self._challenges.set(message)
        else:
            self._search.receive(message)

    def refuse(self, command: protocol.CommandId, error: ClientError) -> None:
        """Handle the refusal of a command."""
        self._search.refuse(command, error)

    def resume(self) -> None:
        """Repeat the search and the challenge rules on a new socket."""
        self._search.resume()
        if self._rules is not None:
            self._post(protocol.SetChallengeRules(new_id(), self._rules))

    def fail(self, error: ClientError) -> None:
        """Raise an error in everything that waits."""
        self._challenges.fail(error)
        self._search.fail(error)
