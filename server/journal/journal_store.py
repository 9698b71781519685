"""The journal, which stores the events of every match.

No event is sent or shown before the future of `append` is done: a committed event survives a crash, and an event that
was not committed never happened.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import (
    BigInteger,
    and_,
    bindparam,
    case,
    delete,
    desc,
    func,
    insert,
    literal_column,
    null,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.sql.expression import ColumnElement, Executable

from millrace.protocol import (
    Created,
    Ended,
    IdentityId,
    MatchId,
    Moved,
    RematchDeclined,
    RematchOffered,
    RematchStarted,
    Seated,
    SeatFreed,
    encode,
)

from ..storage.appends import EVENT_COLUMNS, Append, Insertion, Row, Statement, parameters
from ..storage.database import Database, Step
from ..storage.fences import Fence, require_lease
from ..storage.postgres_batches import PostgresBatches
from ..storage.sqlite_batches import SqliteBatches
from ..storage.writer import Writer
from .entries import Entry, Finish, Origin, Recorded
from .packed_facts import NO_RESULT, origin_number
from .reading_store import load_events, load_last_seqs
from .seats_store import game_numbers, matches_with, standing_column
from .tables import SEATS, events, heartbeats, match_players, matches, packed_matches, rematch_answers

ZERO: ColumnElement[int] = literal_column("0")
ONE: ColumnElement[int] = literal_column("1")
"""Part of the statement's text, so that the rows are its only parameters."""


def _insert_event() -> Executable:
    """Return an insert that violates a constraint unless `seq - 1` is the match's last event (0 if it has none)."""
    entry = select(*(value.label(name) for name, value in parameters(events).items())).subquery("entry")
    packed = select(packed_matches.c.last_seq).where(packed_matches.c.match == entry.c.match).scalar_subquery()
    last_seq = (
        select(func.coalesce(func.max(events.c.seq), packed, ZERO))
        .where(events.c.match == entry.c.match)
        .scalar_subquery()
    )
    values = {**entry.c, "seq": case((last_seq == entry.c.seq - ONE, entry.c.seq))}
    return insert(events).from_select(list(values), select(*values.values()))


def _insert_player() -> Executable:
    put = postgresql.insert(match_players).values(parameters(match_players, "match", "seat", "identity"))
    return put.on_conflict_do_update(index_elements=["match", "seat"], set_={"identity": put.excluded.identity})


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
REQUIRE_NEW_ORIGIN = Statement(
    update(matches)
    .where(
        matches.c.id == bindparam("of_match"),
        select(packed_matches.c.match)
        .where(packed_matches.c.origin == bindparam("of_origin", type_=BigInteger))
        .exists(),
    )
    .values(game=null()),
    ("of_match", "of_origin"),
)
"""Violates a constraint if a packed match has the origin. It follows the insertion, which waits for a server that packs
the match of this origin at the same time, and in PostgreSQL does not see what that one has stored."""
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
PUT_BEAT = Statement(_put_beat(), tuple(heartbeats.c.keys()))
PUT_REMATCH_ANSWER = Statement(_put_rematch_answer(), tuple(rematch_answers.c.keys()))
FORGET_REMATCH = Statement(
    delete(rematch_answers).where(rematch_answers.c.match == bindparam("of_match")), ("of_match",)
)

REQUIRE_LEASE = Statement(require_lease(), ("lease", "number"))

STATEMENTS = (
    *(
        INSERT_MATCH,
        REQUIRE_NEW_ORIGIN,
        INSERT_PLAYER,
        END_MATCH,
        END_SEAT,
        PUT_BEAT,
        PUT_REMATCH_ANSWER,
        FORGET_REMATCH,
        REQUIRE_LEASE,
    ),
)
"""The journal's own statements in the order in which a batch runs them, after its events."""

NO_MATCH = MatchId("")
"""Of an append that stores something else than events."""


class Journal:
    """The stored events of every match. Every method raises StorageError."""

    def __init__(self, database: Database, prepared: Sequence[Statement] = ()) -> None:
        """`prepared` are the statements that `append` takes insertions for, in the order in which a batch runs them."""
        self._database = database
        statements = (*STATEMENTS, *prepared)
        self._batches = (
            SqliteBatches(database, statements)
            if database.is_sqlite
            else PostgresBatches(database, INSERT_EVENT, statements)
        )
        self._writer = Writer(self._batches)
        self.break_off = database.break_off
        """Ends the connections to a database that does not answer; appends then fail, although they may be stored."""

    def append(
        self,
        match: MatchId,
        expected_seq: int,
        entries: Sequence[Entry],
        origin: Origin | None = None,
        finish: Finish | None = None,
        insertions: Sequence[Insertion] = (),
        fence: Fence | None = None,
    ) -> asyncio.Future[bool]:
        """Store entries as events `expected_seq + 1` and on, all or none; the future is done once they are durable.

        The entries are written even if the caller is cancelled, and nobody has to await the future. Its result is
        False, with nothing stored, unless `expected_seq` is the match's last event (0: it has none), or if it has an
        event of the same seat and command id, or if another match has this origin, or if one of the `insertions`, which
        features have prepared and which are stored in the same transaction, violates a constraint. `origin` is given
        with the first event and only then, `finish` with the `Ended` event.
        With a `fence` it raises a FencedError, with nothing stored, once the lease has another holder. After any other
        StorageError the append may have been stored: the caller must load the match before it decides anything more
        about it. Appending the same again is safe: it returns False if it had been stored.
        """
        assert entries
        assert (origin is not None) == (expected_seq == 0)
        rows = _event_rows(match, expected_seq, entries)
        commands = [(entry.seat, entry.command_id) for entry in entries if entry.command_id is not None]
        is_checked = fence is not None and fence.number > 0
        is_move = len(entries) == 1 and type(entries[0].event) is Moved
        if is_move and not is_checked and origin is None and finish is None and not insertions:
            return self._writer.append(Append(match, expected_seq, rows, commands))
        ending = _ending(match, entries, finish)
        beginning = _beginning(match, expected_seq, entries, origin)
        steps = [*beginning, *ending, *_rematch_steps(match, entries), *insertions]
        if fence is not None and is_checked:
            steps.append(Insertion(REQUIRE_LEASE, [fence]))
        return self._writer.append(Append(match, expected_seq, rows, commands, steps, ends=bool(ending)))

    def store(self, insertions: Sequence[Insertion], fence: Fence | None = None) -> asyncio.Future[bool]:
        """Store what a feature has prepared, without events, in one transaction with whatever else is pending.

        The result is False, with nothing stored, if one of the insertions violates a constraint. With a `fence` it
        raises a FencedError once the lease has another holder.
        """
        is_checked = fence is not None and fence.number > 0
        steps = [*insertions, *([Insertion(REQUIRE_LEASE, [fence])] if fence is not None and is_checked else [])]
        return self._writer.append(Append(NO_MATCH, steps=steps))

    async def load(self, match: MatchId, since: int = 0) -> tuple[Recorded, ...]:
        """Return a match's events after `since` in order; empty if there are none."""
        return await load_events(self._database, match, since)

    async def last_seqs(self, matches: Collection[MatchId]) -> Mapping[MatchId, int]:
        """Return the number of the last event of each of these matches."""
        return await load_last_seqs(self._database, matches)

    async def find_created(self, origin: Origin) -> MatchId | None:
        """Return the match of that origin."""
        is_origin = (matches.c.origin_by == origin.by, matches.c.origin_command == origin.command_id)
        packed = select(packed_matches.c.match).where(packed_matches.c.origin == origin_number(origin))
        return await self._database.value(MatchId, union_all(select(matches.c.id).where(*is_origin), packed))

    async def importer_of(self, match: MatchId) -> IdentityId:
        """Return who has imported a match."""
        return (await self._database.values(IdentityId, select(matches.c.origin_by).where(matches.c.id == match)))[0]

    async def unfinished(self) -> tuple[MatchId, ...]:
        """Return the matches that have no `Ended` event yet, the oldest first."""
        return await self._matches(
            select(matches.c.id).where(matches.c.ended_ms.is_(None)).order_by(matches.c.created_ms)
        )

    async def ended_since(self, since_ms: int) -> tuple[MatchId, ...]:
        """Return the matches that have ended since a moment."""
        packed = packed_matches.c
        has_ended = (packed.game.in_(game_numbers), packed.ended_ms >= since_ms)
        found = select(matches.c.id).where(matches.c.ended_ms >= since_ms)
        return await self._matches(union_all(found, select(packed.match).where(*has_ended)))

    async def rematches_answered_since(self, since_ms: int) -> tuple[MatchId, ...]:
        """Return the matches whose players have answered a rematch since a moment, and forget the earlier ones."""
        at_ms = rematch_answers.c.at_ms
        await self._database.execute(delete(rematch_answers).where(at_ms < since_ms))
        return await self._matches(select(rematch_answers.c.match).where(at_ms >= since_ms))

    async def matches_of(self, identity: IdentityId, *, unfinished: bool = False) -> tuple[MatchId, ...]:
        """Return the matches in which a player has a seat, the latest first."""
        held = select(match_players.c.match).where(match_players.c.identity == identity)
        found = select(matches.c.id, matches.c.created_ms.label("created_ms")).where(matches.c.id.in_(held))
        if unfinished:
            found = found.where(matches.c.ended_ms.is_(None))
            return await self._matches(found.order_by(matches.c.created_ms.desc()))
        packed = packed_matches.c
        packed_held = select(packed.match, packed.created_ms).where(packed.match.in_(matches_with(identity)))
        every = union_all(found, packed_held.where(packed.created_ms.is_not(None)))
        return await self._matches(every.order_by(desc("created_ms"), desc("id")))

    async def beat(self, node: str, now_ms: int) -> None:
        """Note that this server node is alive."""
        # With the moves: a transaction of its own would keep them waiting while it goes to and fro.
        await self.store([Insertion(PUT_BEAT, [(node, now_ms)])])

    async def last_beat_ms(self) -> int | None:
        """Return when any node last noted that it was alive, or None."""
        found = select(heartbeats.c.at_ms).order_by(heartbeats.c.at_ms.desc()).limit(1)
        return await self._database.value(int, found)

    async def close(self) -> None:
        """Write what is pending and close the database."""
        await self._writer.close()
        await self._batches.close()
        await self._database.close()

    async def _matches(self, statement: Executable) -> tuple[MatchId, ...]:
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
        steps.append(Insertion(REQUIRE_NEW_ORIGIN, [(match, origin_number(origin))]))
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


def voiding_steps(match: MatchId, seq: int, entry: Entry) -> list[Step]:
    """Return the steps that store the event that voids a match: neither it nor a player in it has a result.

    The openings that count the match are due to be changed, unless they do not count it yet.
    """
    (row,) = _event_rows(match, seq - 1, [entry])
    had_result = and_(match_players.c.match == match, match_players.c.result.is_not(None))
    is_counted = and_(matches.c.archived_ms.is_not(None), matches.c.result != "none", matches.c.openings_due == 0)
    openings_due = case((is_counted, -1), else_=0)
    packed = packed_matches.c
    is_packed_counted = and_(packed.result > NO_RESULT, packed.openings_due == 0)
    standings = {column: case((column.is_not(None), NO_RESULT)) for column in map(standing_column, SEATS)}
    voiding = {
        packed.result: case((packed.result.is_not(None), NO_RESULT)),
        packed.openings_due: case((is_packed_counted, -1), else_=0),
        **standings,
    }
    return [
        Step(insert(events).values(dict(zip(EVENT_COLUMNS, row, strict=True)))),
        Step(update(matches).where(matches.c.id == match).values(result="none", openings_due=openings_due)),
        Step(update(match_players).where(had_result).values(result="none", rank=null())),
        # Last, to meet what has been packed meanwhile.
        Step(update(packed_matches).where(packed.match == match, packed.ended_ms.is_not(None)).values(voiding)),
    ]
