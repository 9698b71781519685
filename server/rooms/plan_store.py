"""The stored plans of players in matches by correspondence.

A plan never changes while it is followed: what is left of it follows from the match's events since
(`server.matches.plans`), so nothing has to be stored together with them.
"""

from typing import NamedTuple

import msgspec
from sqlalchemy import Integer, SmallInteger, Text, delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import MatchId

from ..matches.plans import Lines, StoredPlan
from ..storage.database import Store
from ..storage.tables import define_table, required

plans = define_table(
    "plans",
    ["match", "seat"],
    *required(Text, "match"),
    *required(SmallInteger, "seat"),
    *required(Integer, "seq", "ply"),
    *required(Text, "lines"),
)
"""The conditional moves of a seat in a match by correspondence: planned after event `seq`, from the position
after `ply` plies. `lines` is JSON, a list of lists of move texts."""


_lines: msgspec.json.Decoder[Lines] = msgspec.json.Decoder(Lines)


class _Row(NamedTuple):
    seq: int
    ply: int
    lines: str


class PlanStore(Store):
    """The stored plans. Every method raises StorageError."""

    async def find(self, match: MatchId, seat: int) -> StoredPlan | None:
        """Return the plan of a seat."""
        columns = plans.c
        found = select(columns.seq, columns.ply, columns.lines).where(columns.match == match, columns.seat == seat)
        row = await self._database.record(_Row, found)
        return None if row is None else StoredPlan(row.seq, row.ply, _lines.decode(row.lines))

    async def put(self, match: MatchId, seat: int, plan: StoredPlan) -> None:
        """Store the plan of a seat, in place of an earlier one."""
        written = {"seq": plan.seq, "ply": plan.ply, "lines": msgspec.json.encode(plan.lines).decode()}
        putting = insert(plans).values(match=match, seat=seat, **written)
        await self._database.execute(putting.on_conflict_do_update(index_elements=["match", "seat"], set_=written))

    async def remove(self, match: MatchId, seat: int | None = None) -> None:
        """Delete the plan of a seat, or of every seat."""
        removing = delete(plans).where(plans.c.match == match)
        await self._database.execute(removing if seat is None else removing.where(plans.c.seat == seat))
