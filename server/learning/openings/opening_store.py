"""The stored index of openings: for each position and move, the number of matches by result.

It is derived from the archive: with the end of a match, the journal stores that the match is due, and
`server.learning.openings.indexer` counts it later. Each position has a row for each of its moves, so that a look-up
reads only these, whatever the number of matches (`tests/server/learning/openings/test_store.py`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Column, CompoundSelect, Executable, Select, bindparam, case, select, union_all, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.types import BigInteger, Boolean, Integer, Text

from millrace.protocol import MatchId

from ...journal.tables import matches, packed_matches
from ...storage.appends import parameters
from ...storage.database import Store
from ...storage.tables import define_table, optional, required


class DueMatch(NamedTuple):
    """A match whose moves are not counted as they should be."""

    match: MatchId
    change: int
    """1 if the match is to be added, -1 if it is to be subtracted, since its result was declared void."""


class MoveCount(NamedTuple):
    """How often a move was played in a position, by the result for the seat that played it."""

    position: int
    move: str
    """The clicks of its canonical form."""
    people: bool
    """Whether these are the matches in which no bot played."""
    won: int
    drawn: int
    lost: int
    latest: MatchId | None
    """The latest of the matches."""
    latest_ms: int
    """When it ended; 0 for none."""


opening_moves = define_table(
    "opening_moves",
    ["position", "move", "people"],
    Column("position", BigInteger, nullable=False, autoincrement=False),
    *required(Text, "move"),
    *required(Boolean, "people"),
    *required(Integer, "won", "drawn", "lost"),
    *optional(Text, "latest"),
    *required(BigInteger, "latest_ms"),
)
"""How often each move was played in a position, by the result for its seat: the matches in which no bot played
(`people`) apart from all others. Derived from the archive by `server.learning.openings`."""


def _add_counts() -> Executable:
    put = insert(opening_moves).values(parameters(opening_moves))
    old, new = opening_moves.c, put.excluded
    is_later = new.latest_ms > old.latest_ms
    return put.on_conflict_do_update(
        index_elements=["position", "move", "people"],
        set_={
            "won": old.won + new.won,
            "drawn": old.drawn + new.drawn,
            "lost": old.lost + new.lost,
            "latest": case((is_later, new.latest), else_=old.latest),
            "latest_ms": case((is_later, new.latest_ms), else_=old.latest_ms),
        },
    )


_ADD_COUNTS = _add_counts()
_PLACES = ((matches, matches.c.id), (packed_matches, packed_matches.c.match))
"""The matches that have rows, and those that are packed."""
_SETTLE = tuple(
    update(table)
    .where(match == bindparam("of_match"), table.c.openings_due == bindparam("of_change"))
    .values(openings_due=0)
    for table, match in _PLACES
)


class _ConflictError(Exception):
    """Another server has counted one of the matches."""


class OpeningStore(Store):
    """The index of openings. Every method raises StorageError."""

    async def due(self, most: int) -> Sequence[DueMatch]:
        """Return matches that are due, at most `most`."""
        return await self._database.records(DueMatch, due_statement(most))

    async def add(self, due: Sequence[DueMatch], changes: Sequence[MoveCount]) -> bool:
        """Add counts, which may be negative, and note that these matches are not due any more, all or nothing.

        Each position, move and kind of match occurs once in `changes`. Returns False, with nothing stored, if one of
        the matches is not due any more.
        """
        try:
            async with self._database.begin() as connection:
                for match, change in due:
                    of_match = {"of_match": match, "of_change": change}
                    # In this order, to meet what is packed meanwhile.
                    if not any([(await connection.execute(each, of_match)).rowcount for each in _SETTLE]):
                        raise _ConflictError
                if changes:
                    await connection.execute(_ADD_COUNTS, [change._asdict() for change in changes])
        except _ConflictError:
            return False
        return True

    async def moves(self, position: int, *, people: bool) -> Sequence[MoveCount]:
        """Return the moves that were played in a position, of all matches or of those between people."""
        rows = await self._database.records(MoveCount, moves_statement(position, people=people))
        found: dict[str, MoveCount] = {}
        for row in rows:
            known = found.get(row.move)
            found[row.move] = row if known is None else sum_of(known, row)
        return [count for count in found.values() if count.won + count.drawn + count.lost > 0]


def due_statement(most: int) -> CompoundSelect[MatchId, int]:
    """Return the matches that are due: `(match, change)`."""
    due = (select(match, table.c.openings_due).where(table.c.openings_due != 0) for table, match in _PLACES)
    return union_all(*due).limit(most)


def moves_statement(position: int, *, people: bool) -> Select[Any]:
    """Return the counts of a position, a row for each move and kind of match."""
    columns = opening_moves.c
    found = select(*(columns[name] for name in MoveCount._fields)).where(columns.position == position)
    return found.where(columns.people.is_(True)) if people else found


def sum_of(one: MoveCount, other: MoveCount) -> MoveCount:
    """Return two counts of the same move as one."""
    latest = max(one, other, key=lambda count: count.latest_ms)
    return latest._replace(won=one.won + other.won, drawn=one.drawn + other.drawn, lost=one.lost + other.lost)
