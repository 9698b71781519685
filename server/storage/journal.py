"""The journal in a database: what `server.journal.store.Journal` promises, put together.

No SQL here, and no threads.
"""

from collections.abc import Sequence
from typing import cast

from ..journal.ratings import RatingUpdates
from ..journal.store import Entry, Finish, Origin, Recorded, StorageError
from ..protocol import CommandId, Created, Ended, IdentityId, MalformedError, MatchId, Seated, encode, parse_event
from .statements import Row, Statements
from .writer import Append, Database, Writer


class DatabaseJournal:
    """A `server.journal.store.Journal`; `server.storage.opening` makes it."""

    def __init__(self, database: Database, statements: Statements):
        self._database = database
        self._statements = statements
        self._writer = Writer(database)

    async def append(
        self,
        match: MatchId,
        expected_seq: int,
        entries: Sequence[Entry],
        origin: Origin | None = None,
        ratings: RatingUpdates | None = None,
        finish: Finish | None = None,
    ) -> bool:
        """Store entries as events `expected_seq + 1` and on, all or none, and return once they are durable.

        Returns False, with nothing stored, unless `expected_seq` is the match's last event (0: it has none), or if it
        has an event of the same seat and command id, or if another match has this origin, or if one of the ratings is
        no longer what it was before.
        Raises: StorageError. If the connection broke while the transaction was being committed nobody can know here
        whether it was: the caller must load the match before it decides anything more about it. To append the same
        again is safe: it gives False if it had been stored.
        """
        append = _arrange(match, expected_seq, entries, origin)
        if finish is not None:
            append = _with_finish(append, match, finish)
        if ratings is not None:
            append = _with_ratings(append, match, entries[-1].at_ms, ratings)
        return await self._writer.append(append)

    async def load(self, match: MatchId) -> tuple[Recorded, ...]:
        """Return a match's events in order; empty if there is no such match. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.load, match)
        return tuple(read_event(match, row) for row in rows)

    async def find_created(self, origin: Origin) -> MatchId | None:
        """Return the match of that origin. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.find_created, origin.by, origin.command_id)
        return cast(MatchId, rows[0][0]) if rows else None

    async def unfinished(self) -> tuple[MatchId, ...]:
        """Return the matches that have no `Ended` event yet, the oldest first. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.unfinished)
        return tuple(cast(MatchId, row[0]) for row in rows)

    async def ended_since(self, since_ms: int) -> tuple[MatchId, ...]:
        """Return the matches that have ended since a moment. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.ended_since, since_ms)
        return tuple(cast(MatchId, row[0]) for row in rows)

    async def matches_of(self, identity: IdentityId, *, unfinished: bool = False) -> tuple[MatchId, ...]:
        """Return the matches in which somebody has a seat, the latest first. Raises: StorageError."""
        statement = self._statements.unfinished_of if unfinished else self._statements.matches_of
        rows = await self._database.fetch(statement, identity)
        return tuple(cast(MatchId, row[0]) for row in rows)

    async def beat(self, node: str, now_ms: int) -> None:
        """Note that this server node is alive. Raises: StorageError."""
        await self._database.execute(self._statements.beat, node, now_ms)

    async def last_beat_ms(self) -> int | None:
        """Return when any node last noted that it was alive, or None. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.last_beat)
        return cast("int | None", rows[0][0])

    async def close(self) -> None:
        """Write what is pending and let go of the database."""
        await self._writer.close()
        await self._database.close()


def _arrange(match: MatchId, expected_seq: int, entries: Sequence[Entry], origin: Origin | None) -> Append:
    assert entries
    assert (origin is not None) == (expected_seq == 0)
    return Append(
        events=tuple(
            [
                (match, seq, entry.at_ms, entry.seat, entry.command_id, encode(entry.event).decode())
                for seq, entry in enumerate(entries, expected_seq + 1)
            ]
        ),
        match=_row_of_match(match, entries[0], origin) if origin is not None else None,
        seated=_seated(match, entries),
        ended=next(
            ((entry.at_ms, None, None, None, None, None, match) for entry in entries if isinstance(entry.event, Ended)),
            None,
        ),
    )


def _seated(match: MatchId, entries: Sequence[Entry]) -> tuple[Row, ...]:
    """Return who takes which seat; the players of a match that was imported are mere names."""
    first = entries[0].event
    if isinstance(first, Created) and first.imported:
        return ()
    return tuple(
        [(match, entry.event.seat, entry.event.player.id) for entry in entries if isinstance(entry.event, Seated)]
    )


def _with_finish(append: Append, match: MatchId, finish: Finish) -> Append:
    assert append.ended is not None
    facts = (finish.archived_ms, finish.rated, finish.plies, finish.termination, finish.result)
    placed = (
        (finish.archived_ms, finish.game, finish.rated, each.rank, each.result, match, each.seat)
        for each in (finish.seats if finish.archived_ms is not None else ())
    )
    return append._replace(ended=(append.ended[0], *facts, match), placed=tuple(placed))


def _with_ratings(append: Append, match: MatchId, at_ms: int, ratings: RatingUpdates) -> Append:
    kind = (ratings.kind.game, ratings.kind.seats, ratings.kind.speed.value)
    return append._replace(
        ratings=tuple(
            (each.identity, *kind, each.after.mu, each.after.sigma, each.after.matches, at_ms)
            for each in ratings.updates
        ),
        history=tuple(
            (match, each.seat, each.identity, *kind, each.rank, ratings.plies, at_ms, *each.before[:2], *each.after[:2])
            for each in ratings.updates
        ),
    )


def _row_of_match(match: MatchId, first: Entry, origin: Origin) -> Row:
    assert isinstance(first.event, Created)
    return (match, origin.by, origin.command_id, first.event.game, first.at_ms, first.event.imported)


def read_event(match: MatchId, row: Sequence[object]) -> Recorded:
    """Return a stored event from what `Statements.load` gives. Raises: StorageError."""
    seq, at_ms, seat, command_id, body = cast("tuple[int, int, int, CommandId | None, str]", row)
    try:
        event = parse_event(body)
    except MalformedError as error:
        raise StorageError(f"event {seq} of match {match} cannot be read: {error}") from error
    return Recorded(seq, Entry(event, at_ms, seat, command_id))
