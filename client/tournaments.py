"""Tournaments: the list, joining, standings that are followed live, and this player's own place.

async for place in me.tournaments.places():
    if place.you and place.you.standing.match:
        me.watch(place.you.standing.match)
"""

from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from msgspec.structs import replace

from millrace import protocol

from .errors import ClientError
from .requests import Requests, new_id
from .subscriptions import FollowingClient, Latest, ListSubscription


class TournamentsClient(FollowingClient[protocol.TournamentId, protocol.TournamentView]):
    """Tournaments; `Connection.tournaments` is one. Every method raises RefusedError and ConnectionLostError."""

    receives = (protocol.TournamentView, protocol.TournamentUpdate, protocol.YourTournament)

    def __init__(self, requests: Requests, post: Callable[[protocol.Message], None]) -> None:
        self._requests = requests
        super().__init__(post)
        self._unread: deque[protocol.YourTournament] = deque(maxlen=UNREAD)
        self._places = Latest[protocol.YourTournament]()
        self._list = ListSubscription(
            post, protocol.WatchTournaments(), protocol.WatchTournaments(on=False), protocol.Tournaments
        )
        self.subscribers = (self, self._list)

    async def create(self, plan: protocol.TournamentPlan, password: str = "") -> protocol.TournamentId:
        """Create a tournament, for those who know the password if there is one."""
        command = protocol.CreateTournament(new_id(), plan, password)
        return (await self._requests.ask(command, protocol.TournamentCreated)).tournament

    async def join(self, tournament: protocol.TournamentId, password: str = "") -> None:
        """Join a tournament, or return after a pause."""
        await self._requests.ask(protocol.JoinTournament(new_id(), tournament, password), protocol.Done)

    async def leave(self, tournament: protocol.TournamentId) -> None:
        """Withdraw before the start, or pause."""
        await self._requests.ask(protocol.LeaveTournament(new_id(), tournament), protocol.Done)

    async def matches(self, tournament: protocol.TournamentId, player: str) -> tuple[protocol.TournamentTable, ...]:
        """Return the matches of a player, by name: the tables of all rounds, or the counted matches of an arena."""
        command = protocol.GetTournamentMatches(new_id(), tournament, player)
        return (await self._requests.ask(command, protocol.TournamentMatches)).tables

    async def disqualify(self, tournament: protocol.TournamentId, player: str) -> None:
        """Disqualify a player by name. Only for moderators."""
        await self._requests.ask(protocol.DisqualifyPlayer(new_id(), tournament, player), protocol.Done)

    async def forbid(self, tournament: protocol.TournamentId, one: str, other: str, *, on: bool = True) -> None:
        """Keep two players of a Swiss apart, or let them meet again. Only for its organiser and moderators."""
        await self._requests.ask(protocol.ForbidPairing(new_id(), tournament, (one, other), on), protocol.Done)

    async def accept(self, tournament: protocol.TournamentId, player: str, *, on: bool = True) -> None:
        """Accept a player of your simul by name, or remove one before the start."""
        await self._requests.ask(protocol.AcceptPlayer(new_id(), tournament, player, on), protocol.Done)

    async def start(self, tournament: protocol.TournamentId) -> None:
        """Start your simul with the players whom you have accepted."""
        await self._requests.ask(protocol.StartSimul(new_id(), tournament), protocol.Done)

    async def all(self) -> AsyncGenerator[tuple[protocol.TournamentSummary, ...], None]:
        """Yield the tournaments, now and after each change: those running, planned, and the latest that are over."""
        async with aclosing(self._list.read(protocol.Tournaments)) as lists:
            async for message in lists:
                yield message.tournaments

    def follow(self, tournament: protocol.TournamentId, page: int = 0) -> AsyncGenerator[protocol.TournamentView, None]:
        """Yield a tournament with a page of its standings, now and after each change.

        One reader for each tournament.
        """
        begin, end = protocol.WatchTournament(tournament, page), protocol.UnwatchTournament(tournament)
        return self._followed.read(tournament, begin, end)

    async def places(self) -> AsyncGenerator[protocol.YourTournament, None]:
        """Yield this player's place in running tournaments, after each change; the latest ones to a slow reader."""
        async with aclosing(self._places.read()) as changes:
            async for _ in changes:
                while self._unread:
                    yield self._unread.popleft()

    # For the connection

    def receive(self, message: protocol.TournamentView | protocol.TournamentUpdate | protocol.YourTournament) -> None:
        """Receive a page, what has changed on it, or the player's own place."""
        match message:
            case protocol.TournamentView():
                if (views := self._followed.get(message.summary.tournament)) is not None:
                    views.set(message)
            case protocol.TournamentUpdate():
                views = self._followed.get(message.tournament)
                if views is not None and views.value is not None and views.value.page == message.page:
                    views.set(updated(views.value, message))
            case protocol.YourTournament():
                self._unread.append(message)
                self._places.set(message)

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        self._places.fail(error)
        super().fail(error)


UNREAD = 100
"""How many places are kept for a slow reader."""


def updated(view: protocol.TournamentView, update: protocol.TournamentUpdate) -> protocol.TournamentView:
    """Return a page after what has changed on it."""
    rows = {row.rank: row for row in view.standings} | {row.rank: row for row in update.standings}
    ordered = tuple(rows[rank] for rank in sorted(rows))
    tables = {(each.losers, each.round, each.table): each for each in (*view.tables, *update.tables)}
    return replace(
        view,
        standings=ordered if update.rows is None else ordered[: update.rows],
        summary=update.summary or view.summary,
        boards=view.boards if update.boards is None else update.boards,
        tables=tuple(tables.values()),
        forbidden=view.forbidden if update.forbidden is None else update.forbidden,
    )
