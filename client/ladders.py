"""Ladders: the list, joining, leaving, challenging, and pages that are followed live.

match = await me.ladders.challenge("ladder-morris", "Walker")
me.watch(match)
"""

from collections.abc import AsyncGenerator, Callable, Sequence

from millrace import protocol

from .requests import Requests, new_id
from .subscriptions import FollowingClient


class LaddersClient(FollowingClient[protocol.TournamentId, protocol.LadderView]):
    """Ladders; `Connection.ladders` is one. Every method raises RefusedError and ConnectionLostError."""

    receives = (protocol.LadderView,)

    def __init__(self, requests: Requests, post: Callable[[protocol.Message], None]) -> None:
        self._requests = requests
        super().__init__(post)

    async def all(self) -> Sequence[protocol.LadderSummary]:
        """Return the ladders, each with this player's place."""
        return (await self._requests.ask(protocol.GetLadders(new_id()), protocol.Ladders)).ladders

    async def join(self, ladder: protocol.TournamentId) -> None:
        """Join a ladder at the bottom."""
        await self._requests.ask(protocol.JoinLadder(new_id(), ladder), protocol.Done)

    async def leave(self, ladder: protocol.TournamentId) -> None:
        """Leave a ladder."""
        await self._requests.ask(protocol.LeaveLadder(new_id(), ladder), protocol.Done)

    async def challenge(self, ladder: protocol.TournamentId, player: str) -> protocol.MatchId:
        """Challenge a player above by name, and return the match, which has begun."""
        command = protocol.ChallengeOnLadder(new_id(), ladder, player)
        return (await self._requests.ask(command, protocol.Accepted)).match

    def follow(
        self, ladder: protocol.TournamentId, page: int | None = None
    ) -> AsyncGenerator[protocol.LadderView, None]:
        """Yield a page of a ladder, now and after each change: by default that with this player's place.

        One reader for each ladder.
        """
        return self._followed.read(ladder, protocol.WatchLadder(ladder, page), protocol.WatchLadder(ladder, on=False))

    # For the connection

    def receive(self, message: protocol.LadderView) -> None:
        """Receive a page."""
        if (views := self._followed.get(message.summary.ladder)) is not None:
            views.set(message)
