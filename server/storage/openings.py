"""The index of openings in a database: implements `server.learning.openings.opening_store.OpeningStore`.

Each position has a row for each of its moves, so that a look-up reads only these, whatever the number of matches
(`tests/server/learning/openings/test_store.py`).
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Executable, Select, bindparam, case, select, update
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import MatchId

from ..learning.openings.opening_store import DueMatch, MoveCount
from .batches import parameters
from .database import Database
from .tables import matches, opening_moves


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
_IS_DUE = matches.c.openings_due != 0
_SETTLE = (
    update(matches)
    .where(matches.c.id == bindparam("of_match"), matches.c.openings_due == bindparam("of_change"))
    .values(openings_due=0)
)


class _ConflictError(Exception):
    """Another server has counted one of the matches."""


class DatabaseOpenings:
    """An `OpeningStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, most: int) -> Sequence[DueMatch]:
        """Return matches that are due, at most `most`. Raises: StorageError."""
        return await self._database.records(DueMatch, due_statement(most))

    async def add(self, due: Sequence[DueMatch], changes: Sequence[MoveCount]) -> bool:
        """Add counts, and note that these matches are not due any more, all or nothing.

        Returns False, with nothing stored, if one of the matches is not due any more. Raises: StorageError.
        """
        try:
            async with self._database.begin() as connection:
                for match, change in due:
                    settled = await connection.execute(_SETTLE, {"of_match": match, "of_change": change})
                    if settled.rowcount != 1:
                        raise _ConflictError
                if changes:
                    await connection.execute(_ADD_COUNTS, [change._asdict() for change in changes])
        except _ConflictError:
            return False
        return True

    async def moves(self, position: int, *, people: bool) -> Sequence[MoveCount]:
        """Return the moves that were played in a position. Raises: StorageError."""
        rows = await self._database.records(MoveCount, moves_statement(position, people=people))
        found: dict[str, MoveCount] = {}
        for row in rows:
            known = found.get(row.move)
            found[row.move] = row if known is None else _both(known, row)
        return [count for count in found.values() if count.won + count.drawn + count.lost > 0]


def due_statement(most: int) -> Select[MatchId, int]:
    """Return the matches that are due: `(match, change)`."""
    return select(matches.c.id, matches.c.openings_due).where(_IS_DUE).limit(most)


def moves_statement(position: int, *, people: bool) -> Select[Any]:
    """Return the counts of a position, a row for each move and kind of match."""
    columns = opening_moves.c
    found = select(*(columns[name] for name in MoveCount._fields)).where(columns.position == position)
    return found.where(columns.people.is_(True)) if people else found


def _both(one: MoveCount, other: MoveCount) -> MoveCount:
    latest = max(one, other, key=lambda count: count.latest_ms)
    return latest._replace(won=one.won + other.won, drawn=one.drawn + other.drawn, lost=one.lost + other.lost)
