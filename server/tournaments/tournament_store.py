"""Stored tournaments: their events, and who took part.

A tournament's events are numbered, so of two writers who decide on the same state only the first stores anything.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Index,
    Integer,
    Text,
    bindparam,
    exists,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql

from millrace.protocol import IdentityId, MatchId, Player, TournamentId

from ..journal.entries import Recorded
from ..journal.journal_store import Journal
from ..journal.reading_store import MATCHES_A_QUERY
from ..journal.tables import matches, packed_matches
from ..runtime.slices import in_slices
from ..storage.appends import Insertion, Statement, parameters
from ..storage.database import Database, Step, Store
from ..storage.errors import StorageError
from ..storage.fences import Fence
from ..storage.tables import define_table, required
from .events import Announced, AnyEvent, Closed, Joined, encode_event, parse_event
from .tournament import Tournament, after, announced

tournaments = define_table(
    "tournaments",
    ["id"],
    *required(Text, "id", "by"),
    *required(BigInteger, "ends_ms"),
    *required(Boolean, "is_over"),
)
"""One row for each tournament; `by` is who announced it."""

Index("tournaments_over", tournaments.c.is_over, tournaments.c.ends_ms)
Index("tournaments_by", tournaments.c.by)

tournament_events = define_table(
    "tournament_events",
    ["tournament", "seq"],
    *required(Text, "tournament"),
    *required(Integer, "seq"),
    *required(BigInteger, "at_ms"),
    *required(Text, "body"),
)
"""The events of each tournament, numbered from 1 without gaps; `body` is the event's JSON."""

tournament_players = define_table(
    "tournament_players",
    ["identity", "tournament"],
    *required(Text, "identity", "tournament"),
)
"""Who has ever joined which tournament."""


class _EventRow(NamedTuple):
    seq: int
    at_ms: int
    body: str


INSERT_EVENT = Statement(
    insert(tournament_events).values(parameters(tournament_events)), tuple(tournament_events.c.keys())
)
INSERT_PLAYER = Statement(
    postgresql.insert(tournament_players).values(parameters(tournament_players)).on_conflict_do_nothing(),
    tuple(tournament_players.c.keys()),
)
END = Statement(
    update(tournaments)
    .where(tournaments.c.id == bindparam("of_tournament"))
    .values(is_over=bindparam("over", type_=Boolean())),
    ("over", "of_tournament"),
)

STATEMENTS = (INSERT_EVENT, INSERT_PLAYER, END)
"""In the order in which a batch of the journal runs them."""


class TournamentStore(Store):
    """The stored tournaments. Every method raises StorageError."""

    def __init__(self, database: Database, journal: Journal) -> None:
        super().__init__(database)
        self._journal = journal

    async def announce(self, tournament: TournamentId, event: Announced, at_ms: int, *steps: Step) -> bool:
        """Store a new tournament with further steps; returns False, with nothing stored, if one of them fails."""
        row = {"tournament": tournament, "seq": 1, "at_ms": at_ms, "body": encode_event(event)}
        ends_ms = announced(tournament, event).ends_at_ms
        return await self._database.transact(
            [
                Step(insert(tournaments).values(id=tournament, by=event.by, ends_ms=ends_ms, is_over=False)),
                Step(insert(tournament_events).values(row)),
                *steps,
            ]
        )

    def append(
        self,
        tournament: TournamentId,
        expected_seq: int,
        events: Sequence[AnyEvent],
        at_ms: int,
        fence: Fence | None = None,
        more: Sequence[Insertion] = (),
    ) -> asyncio.Future[bool]:
        """Store the next events, and in the same transaction what other features have prepared.

        The result is False, with nothing stored, unless `expected_seq` is the latest event. With a `fence` it raises a
        FencedError once the lease has another holder.
        """
        rows = [(tournament, seq, at_ms, encode_event(event)) for seq, event in enumerate(events, expected_seq + 1)]
        insertions = [Insertion(INSERT_EVENT, rows), *more]
        players = sorted({event.identity for event in events if isinstance(event, Joined)})
        if players:
            insertions.append(Insertion(INSERT_PLAYER, [(identity, tournament) for identity in players]))
        if any(isinstance(event, Closed) for event in events):
            insertions.append(Insertion(END, [(True, tournament)]))
        return self._journal.store(insertions, fence)

    async def unfinished(self) -> Sequence[TournamentId]:
        """Return the tournaments that are not over, the earliest end first."""
        found = select(tournaments.c.id).where(tournaments.c.is_over.is_(False)).order_by(tournaments.c.ends_ms)
        return await self._database.values(TournamentId, found)

    async def latest(self, most: int) -> Sequence[TournamentId]:
        """Return the tournaments that ended last, the latest first, without those that nobody joined."""
        has_players = exists().where(tournament_players.c.tournament == tournaments.c.id)
        found = select(tournaments.c.id).where(tournaments.c.is_over.is_(True), has_players)
        return await self._database.values(TournamentId, found.order_by(tournaments.c.ends_ms.desc()).limit(most))

    async def load(self, tournament: TournamentId) -> Tournament | None:
        """Return a tournament, or None."""
        rows = await self._rows(tournament, 0)
        if not rows:
            return None
        first = _read(tournament, rows[0])
        assert isinstance(first, Announced)
        return await self._folded(announced(tournament, first), rows[1:])

    async def read_new(self, tournament: Tournament) -> Tournament:
        """Return the tournament with what others have stored since."""
        return await self._folded(tournament, await self._rows(tournament.id, tournament.seq))

    async def ends_of(self, pairs: Sequence[MatchId]) -> Mapping[MatchId, int | None]:
        """Return when each of these matches has ended, None for one that is being played; those that were never created
        are missing."""
        found = dict[MatchId, int | None]()
        for start in range(0, len(pairs), MATCHES_A_QUERY):
            asked, packed = pairs[start : start + MATCHES_A_QUERY], packed_matches.c
            ends = select(packed.match, packed.ended_ms).where(packed.match.in_(asked), packed.ended_ms.is_not(None))
            rows = select(matches.c.id, matches.c.ended_ms).where(matches.c.id.in_(asked))
            found |= dict(await self._database.rows(union_all(rows, ends)))
        return found

    async def recorded(self, match: MatchId) -> Sequence[Recorded]:
        """Return the events of a match."""
        return await self._journal.load(match)

    async def events(self, tournament: TournamentId) -> Sequence[tuple[AnyEvent, int]]:
        """Return the events of a tournament, each with its time."""
        return await self._events(tournament, await self._rows(tournament, 0))

    async def ended_of(self, identity: IdentityId, most: int) -> Sequence[tuple[TournamentId, int]]:
        """Return the tournaments of a player that are over, the latest first, each with its latest event's number."""
        events, players = tournament_events.c, tournament_players.c
        last = select(func.max(events.seq)).where(events.tournament == tournaments.c.id).scalar_subquery()
        found = (
            select(tournaments.c.id, last)
            .join_from(tournament_players, tournaments, tournaments.c.id == players.tournament)
            .where(players.identity == identity, tournaments.c.is_over.is_(True))
            .order_by(tournaments.c.ends_ms.desc())
            .limit(most)
        )
        return [(tournament, seq) for tournament, seq in await self._database.rows(found)]

    async def _rows(self, tournament: TournamentId, since: int) -> Sequence[_EventRow]:
        columns = (tournament_events.c.seq, tournament_events.c.at_ms, tournament_events.c.body)
        is_new = (tournament_events.c.tournament == tournament, tournament_events.c.seq > since)
        found = select(*columns).where(*is_new).order_by(tournament_events.c.seq)
        return await self._database.records(_EventRow, found)

    async def _folded(self, tournament: Tournament, rows: Sequence[_EventRow]) -> Tournament:
        events = await self._events(tournament.id, rows)
        async for start in in_slices(range(0, len(events), EVENTS_AT_ONCE)):
            tournament = after(tournament, events[start : start + EVENTS_AT_ONCE])
        return tournament

    async def _events(self, tournament: TournamentId, rows: Sequence[_EventRow]) -> Sequence[tuple[AnyEvent, int]]:
        return [(_read(tournament, row), row.at_ms) async for row in in_slices(rows)]


EVENTS_AT_ONCE = 50
"""How many events are folded before the event loop may have a turn."""


def _read(tournament: TournamentId, row: _EventRow) -> AnyEvent:
    try:
        return parse_event(row.body)
    except msgspec.MsgspecError as error:
        raise StorageError(f"event {row.seq} of tournament {tournament} cannot be read: {error}") from error


def deletion_steps(identity: IdentityId, replacement: Player) -> list[Step]:
    """Return the steps that put another identity in the place of a player in every tournament."""
    joined = select(tournament_players.c.tournament).where(tournament_players.c.identity == identity)
    organised = select(tournaments.c.id).where(tournaments.c.by == identity)
    events = tournament_events.c
    is_concerned = or_(events.tournament.in_(joined), events.tournament.in_(organised))
    # Identities are random, and quoted in JSON: nothing else reads like one.
    body = func.replace(events.body, f'"{identity}"', f'"{replacement.id}"')
    players = tournament_players.c.identity
    return [
        Step(update(tournament_events).where(is_concerned).values(body=body)),
        Step(update(tournament_players).where(players == identity).values(identity=replacement.id)),
        Step(update(tournaments).where(tournaments.c.by == identity).values(by=replacement.id)),
    ]
