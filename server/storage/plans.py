"""Plans in a database: implements `server.journal.plans.PlanStore`."""

from typing import NamedTuple

import msgspec
from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import MatchId

from ..journal.plans import Lines, StoredPlan
from .database import Database
from .tables import plans

_lines: msgspec.json.Decoder[Lines] = msgspec.json.Decoder(Lines)


class _Row(NamedTuple):
    seq: int
    ply: int
    lines: str


class DatabasePlans:
    """A `PlanStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, match: MatchId, seat: int) -> StoredPlan | None:
        """Return the plan of a seat. Raises: StorageError."""
        columns = plans.c
        found = select(columns.seq, columns.ply, columns.lines).where(columns.match == match, columns.seat == seat)
        row = await self._database.record(_Row, found)
        return None if row is None else StoredPlan(row.seq, row.ply, _lines.decode(row.lines))

    async def put(self, match: MatchId, seat: int, plan: StoredPlan) -> None:
        """Store the plan of a seat, in place of an earlier one. Raises: StorageError."""
        written = {"seq": plan.seq, "ply": plan.ply, "lines": msgspec.json.encode(plan.lines).decode()}
        putting = insert(plans).values(match=match, seat=seat, **written)
        await self._database.execute(putting.on_conflict_do_update(index_elements=["match", "seat"], set_=written))

    async def remove(self, match: MatchId, seat: int | None = None) -> None:
        """Delete the plan of a seat, or of every seat. Raises: StorageError."""
        removing = delete(plans).where(plans.c.match == match)
        await self._database.execute(removing if seat is None else removing.where(plans.c.seat == seat))
