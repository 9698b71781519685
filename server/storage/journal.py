"""The journal in a database: implements `server.journal.journal.Journal`.

What it appends goes through `server.storage.writer`.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Executable,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import postgresql

from millrace.protocol import (
    CommandId,
    Created,
    Ended,
    IdentityId,
    MalformedError,
    MatchId,
    Moved,
    RematchDeclined,
    RematchOffered,
    RematchStarted,
    Seated,
    SeatFreed,
    encode,
    parse_event,
)

from ..journal.inbox import InboxChange
from ..journal.journal import Entry, Fence, Finish, Origin, Recorded, StorageError
from ..journal.ratings import RatingUpdates
from .batches import EVENT_COLUMNS, Append, Insertion, Row, Statement, parameters
from .database import Database
from .nodes import REQUIRE_LEASE
from .notifications import ADD_NOTIFICATION, WITHDRAW_NOTIFICATION, inbox_steps
from .postgres_batches import PostgresBatches
from .searches import END_SEARCH, REQUIRE_SEARCH
from .sqlite_batches import SqliteBatches
from .tables import events, heartbeats, match_players, matches, pairings, rating_history, ratings, rematch_answers
from .writer import Writer

ZERO: ColumnElement[int] = literal_column("0")
ONE: ColumnElement[int] = literal_column("1")
"""Part of the statement's text, so that the rows are its only parameters."""


def _insert_event() -> Executable:
    """Return an insert that violates a constraint unless `seq - 1` is the match's last event (0 if it has none)."""
    entry = select(*(value.label(name) for name, value in parameters(events).items())).subquery("entry")
    last_seq = (
        select(func.coalesce(func.max(events.c.seq), ZERO)).where(events.c.match == entry.c.match).scalar_subquery()
    )
    values = {**entry.c, "seq": case((last_seq == entry.c.seq - ONE, entry.c.seq))}
    return insert(events).from_select(list(values), select(*values.values()))


def _insert_player() -> Executable:
    put = postgresql.insert(match_players).values(parameters(match_players, "match", "seat", "identity"))
    return put.on_conflict_do_update(index_elements=["match", "seat"], set_={"identity": put.excluded.identity})


def _put_rating() -> Executable:
    """Return an insert that violates a constraint unless one match less is stored, where a rating is stored."""
    put = postgresql.insert(ratings).values(parameters(ratings))
    new = put.excluded
    matches_after = case((ratings.c.matches == new.matches - ONE, new.matches))
    return put.on_conflict_do_update(
        index_elements=["identity", "game", "seats", "speed"],
        set_={"mu": new.mu, "sigma": new.sigma, "matches": matches_after, "updated_ms": new.updated_ms},
    )


def _put_beat() -> Executable:
    put = postgresql.insert(heartbeats).values(parameters(heartbeats))
    return put.on_conflict_do_update(index_elements=["node"], set_={"at_ms": put.excluded.at_ms})


def _put_rematch_answer() -> Executable:
    put = postgresql.insert(rematch_answers).values(parameters(rematch_answers))
    return put.on_conflict_do_update(index_elements=["match"], set_={"at_ms": put.excluded.at_ms})


_BEGINNING = ("id", "origin_by", "origin_command", "game", "created_ms", "imported")
_SEAT = ("match", "seat", "identity")
_FINISH = ("archived_ms", "rated", "plies", "termination", "result", "openings_due")
_SEAT_FINISH = ("archived_ms", "game", "rated", "rank", "result")

INSERT_MATCH = Statement(insert(matches).values(parameters(matches, *_BEGINNING)), _BEGINNING)
INSERT_PAIRING = Statement(insert(pairings).values(parameters(pairings)), tuple(pairings.c.keys()))
INSERT_EVENT = Statement(_insert_event(), EVENT_COLUMNS)
INSERT_PLAYER = Statement(_insert_player(), _SEAT)
END_MATCH = Statement(
    update(matches).where(matches.c.id == bindparam("of_match")).values(parameters(matches, "ended_ms", *_FINISH)),
    ("ended_ms", *_FINISH, "of_match"),
)
END_SEAT = Statement(
    update(match_players)
    .where(match_players.c.match == bindparam("of_match"), match_players.c.seat == bindparam("of_seat"))
    .values(parameters(match_players, *_SEAT_FINISH)),
    (*_SEAT_FINISH, "of_match", "of_seat"),
)
PUT_RATING = Statement(_put_rating(), tuple(ratings.c.keys()))
INSERT_HISTORY = Statement(insert(rating_history).values(parameters(rating_history)), tuple(rating_history.c.keys()))
PUT_BEAT = Statement(_put_beat(), tuple(heartbeats.c.keys()))

PUT_REMATCH_ANSWER = Statement(_put_rematch_answer(), tuple(rematch_answers.c.keys()))
FORGET_REMATCH = Statement(
    delete(rematch_answers).where(rematch_answers.c.match == bindparam("of_match")), ("of_match",)
)

STATEMENTS = (
    *(INSERT_MATCH, INSERT_PAIRING, INSERT_PLAYER, END_MATCH, END_SEAT, PUT_RATING, INSERT_HISTORY, PUT_BEAT),
    *(WITHDRAW_NOTIFICATION, ADD_NOTIFICATION, PUT_REMATCH_ANSWER, FORGET_REMATCH, REQUIRE_LEASE),
    *(REQUIRE_SEARCH, END_SEARCH),
)
"""The statements of appends in the order in which a batch runs them, after its events."""

MATCHES_A_QUERY = 500
"""Maximum matches that one query asks about."""

NO_MATCH = MatchId("")
"""Of an append that stores something else than events."""


class StoredEvent(NamedTuple):
    """A row of `events`, but for the match."""

    seq: int
    at_ms: int
    seat: int
    command_id: CommandId | None
    body: str

    def read(self, match: MatchId) -> Recorded:
        """Return the event of that match. Raises: StorageError."""
        try:
            event = parse_event(self.body)
        except MalformedError as error:
            raise StorageError(f"event {self.seq} of match {match} cannot be read: {error}") from error
        return Recorded(self.seq, Entry(event, self.at_ms, self.seat, self.command_id))


class LastSeq(NamedTuple):
    """The number of a match's last event."""

    match: str
    seq: int


async def load_events(database: Database, match: MatchId, since: int = 0) -> tuple[Recorded, ...]:
    """Return a match's events after `since` in order; empty if there are none. Raises: StorageError."""
    columns = (events.c.seq, events.c.at_ms, events.c.seat, events.c.command_id, events.c.body)
    found = select(*columns).where(events.c.match == match, events.c.seq > since).order_by(events.c.seq)
    return tuple(row.read(match) for row in await database.records(StoredEvent, found))


class DatabaseJournal:
    """A `server.journal.journal.Journal`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._batches = (
            SqliteBatches(database, STATEMENTS)
            if database.is_sqlite
            else PostgresBatches(database, INSERT_EVENT, STATEMENTS)
        )
        self._writer = Writer(self._batches)

    def append(
        self,
        match: MatchId,
        expected_seq: int,
        entries: Sequence[Entry],
        origin: Origin | None = None,
        ratings: RatingUpdates | None = None,
        finish: Finish | None = None,
        paired: Sequence[Origin] = (),
        inbox: Sequence[InboxChange] = (),
        fence: Fence | None = None,
        searches: Sequence[Origin] = (),
    ) -> asyncio.Future[bool]:
        """Store entries as events `expected_seq + 1` and on, all or none; the future is done once they are durable.

        Its result is False, with nothing stored, unless `expected_seq` is the match's last event (0: it has none), or
        if it has an event of the same seat and command id, or if another match has this origin or is that of a command
        in `paired`, or if a search of `searches` is no longer stored, or if a rating has changed since.
        It fails with a FencedError, with nothing stored, if the lease of `fence` has another holder now, and otherwise
        with a StorageError. If the connection broke during the commit, the append may have been stored: the
        caller must load the match before it decides anything more about it. Appending the same again is safe: it
        returns False if it had been stored.
        """
        assert entries
        assert (origin is not None) == (expected_seq == 0)
        rows = _event_rows(match, expected_seq, entries)
        commands = [(entry.seat, entry.command_id) for entry in entries if entry.command_id is not None]
        is_checked = fence is not None and fence.number > 0
        is_move = len(entries) == 1 and type(entries[0].event) is Moved
        if is_move and not is_checked and origin is None and ratings is None and finish is None and not inbox:
            return self._writer.append(Append(match, expected_seq, rows, commands))
        ending = _ending(match, entries, finish)
        steps = [*_beginning(match, expected_seq, entries, origin), *ending]
        if ratings is not None:
            steps += _rating_steps(match, entries[-1].at_ms, ratings)
        if paired:
            steps.append(Insertion(INSERT_PAIRING, [(asked.by, asked.command_id, match) for asked in paired]))
        if searches:
            ended = sorted((search.by, search.command_id) for search in searches)
            steps += [Insertion(REQUIRE_SEARCH, ended), Insertion(END_SEARCH, ended)]
        steps += [*_rematch_steps(match, entries), *inbox_steps(inbox)]
        if fence is not None and is_checked:
            steps.append(Insertion(REQUIRE_LEASE, [fence]))
        return self._writer.append(Append(match, expected_seq, rows, commands, steps, ends=bool(ending)))

    async def load(self, match: MatchId, since: int = 0) -> tuple[Recorded, ...]:
        """Return a match's events after `since` in order; empty if there are none. Raises: StorageError."""
        return await load_events(self._database, match, since)

    async def last_seqs(self, matches: Collection[MatchId]) -> Mapping[MatchId, int]:
        """Return the number of the last event of each of these matches. Raises: StorageError."""
        asked, found = list(matches), dict[MatchId, int]()
        for start in range(0, len(asked), MATCHES_A_QUERY):
            some = asked[start : start + MATCHES_A_QUERY]
            last = select(events.c.match, func.max(events.c.seq)).where(events.c.match.in_(some))
            rows = await self._database.records(LastSeq, last.group_by(events.c.match))
            found |= {MatchId(row.match): row.seq for row in rows}
        return found

    async def find_created(self, origin: Origin) -> MatchId | None:
        """Return the match of that origin. Raises: StorageError."""
        is_origin = (matches.c.origin_by == origin.by, matches.c.origin_command == origin.command_id)
        found = await self._database.values(MatchId, select(matches.c.id).where(*is_origin))
        return found[0] if found else None

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to by quick pairing. Raises: StorageError."""
        is_asked = (pairings.c.identity == asked.by, pairings.c.command_id == asked.command_id)
        return await self._database.value(MatchId, select(pairings.c.match).where(*is_asked))

    async def unfinished(self) -> tuple[MatchId, ...]:
        """Return the matches that have no `Ended` event yet, the oldest first. Raises: StorageError."""
        return await self._matches(
            select(matches.c.id).where(matches.c.ended_ms.is_(None)).order_by(matches.c.created_ms)
        )

    async def ended_since(self, since_ms: int) -> tuple[MatchId, ...]:
        """Return the matches that have ended since a moment. Raises: StorageError."""
        return await self._matches(select(matches.c.id).where(matches.c.ended_ms >= since_ms))

    async def rematches_answered_since(self, since_ms: int) -> tuple[MatchId, ...]:
        """Return the matches whose players have answered a rematch since a moment, and forget the earlier ones.

        Raises: StorageError.
        """
        at_ms = rematch_answers.c.at_ms
        await self._database.execute(delete(rematch_answers).where(at_ms < since_ms))
        return await self._matches(select(rematch_answers.c.match).where(at_ms >= since_ms))

    async def matches_of(self, identity: IdentityId, *, unfinished: bool = False) -> tuple[MatchId, ...]:
        """Return the matches in which a player has a seat, the latest first. Raises: StorageError."""
        held = select(match_players.c.match).where(match_players.c.identity == identity)
        found = select(matches.c.id).where(matches.c.id.in_(held)).order_by(matches.c.created_ms.desc())
        return await self._matches(found.where(matches.c.ended_ms.is_(None)) if unfinished else found)

    async def beat(self, node: str, now_ms: int) -> None:
        """Note that this server node is alive. Raises: StorageError."""
        # With the moves: a transaction of its own would keep them waiting while it goes to and fro.
        await self._writer.append(Append(NO_MATCH, steps=[Insertion(PUT_BEAT, [(node, now_ms)])]))

    async def last_beat_ms(self) -> int | None:
        """Return when any node last noted that it was alive, or None. Raises: StorageError."""
        found = select(heartbeats.c.at_ms).order_by(heartbeats.c.at_ms.desc()).limit(1)
        beats = await self._database.values(int, found)
        return beats[0] if beats else None

    async def close(self) -> None:
        """Write what is pending and close the database."""
        await self._writer.close()
        await self._batches.close()
        await self._database.close()

    async def _matches(self, statement: Select[tuple[str]]) -> tuple[MatchId, ...]:
        return tuple(await self._database.values(MatchId, statement))


def _event_rows(match: MatchId, expected_seq: int, entries: Sequence[Entry]) -> list[Row]:
    return [
        (match, seq, entry.at_ms, entry.seat, entry.command_id, encode(entry.event).decode())
        for seq, entry in enumerate(entries, expected_seq + 1)
    ]


def _beginning(match: MatchId, expected_seq: int, entries: Sequence[Entry], origin: Origin | None) -> list[Insertion]:
    """Return what is stored with the first event, and with players who take or leave their seats."""
    steps = []
    if origin is not None:
        created = entries[0].event
        assert isinstance(created, Created)
        row = (match, origin.by, origin.command_id, created.game, entries[0].at_ms, created.imported)
        steps.append(Insertion(INSERT_MATCH, [row]))
    if seats := _seat_rows(match, expected_seq, entries):
        steps.append(Insertion(INSERT_PLAYER, seats))
    return steps


def _seat_rows(match: MatchId, expected_seq: int, entries: Sequence[Entry]) -> list[Row]:
    """Return who takes which seat, and who leaves one by which event.

    The players of an imported match are names without identities.
    """
    first = entries[0].event
    if isinstance(first, Created) and first.imported:
        return []
    rows: list[Row] = []
    for seq, entry in enumerate(entries, expected_seq + 1):
        if isinstance(entry.event, Seated):
            rows.append((match, entry.event.seat, entry.event.player.id))
        elif isinstance(entry.event, SeatFreed):
            rows.append((match, -seq, entry.event.player.id))
    return rows


def _ending(match: MatchId, entries: Sequence[Entry], finish: Finish | None) -> list[Insertion]:
    ended_ms = next((entry.at_ms for entry in entries if isinstance(entry.event, Ended)), None)
    if ended_ms is None:
        assert finish is None
        return []
    if finish is None:
        return [Insertion(END_MATCH, [(ended_ms, None, None, None, None, None, 0, match)])]
    is_counted = finish.archived_ms is not None and finish.result != "none"
    facts = (finish.archived_ms, finish.rated, finish.plies, finish.termination, finish.result, int(is_counted))
    ending = Insertion(END_MATCH, [(ended_ms, *facts, match)])
    if finish.archived_ms is None or not finish.seats:
        return [ending]
    of_match = (finish.archived_ms, finish.game, finish.rated)
    seats: list[Row] = [(*of_match, each.rank, each.result, match, each.seat) for each in finish.seats]
    return [ending, Insertion(END_SEAT, seats)]


def _rematch_steps(match: MatchId, entries: Sequence[Entry]) -> list[Insertion]:
    """Return what is stored with the answers to a rematch, and with its start."""
    if any(isinstance(entry.event, RematchStarted) for entry in entries):
        return [Insertion(FORGET_REMATCH, [(match,)])]
    answers = [entry.at_ms for entry in entries if isinstance(entry.event, RematchOffered | RematchDeclined)]
    return [Insertion(PUT_REMATCH_ANSWER, [(match, answers[-1])])] if answers else []


def _rating_steps(match: MatchId, at_ms: int, ratings: RatingUpdates) -> list[Insertion]:
    kind = (ratings.kind.game, ratings.kind.seats, ratings.kind.speed.value)
    stored: list[Row] = [(each.identity, *kind, *each.after, at_ms) for each in ratings.updates]
    history: list[Row] = [
        (match, each.seat, each.identity, *kind, each.rank, ratings.plies, at_ms, *each.before[:2], *each.after[:2])
        for each in ratings.updates
    ]
    return [Insertion(PUT_RATING, stored), Insertion(INSERT_HISTORY, history)] if stored else []
