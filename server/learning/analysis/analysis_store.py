"""Stored match reviews."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import BigInteger, Text, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import JudgedPly, MatchId
from millrace.protocol.newer_fields import read_json

from ...storage.database import Store
from ...storage.tables import define_table, required

match_analyses = define_table(
    "match_analyses",
    ["match"],
    *required(Text, "match", "engine", "body"),
    *required(BigInteger, "at_ms"),
)
"""Analyses of matches as JSON, with the version of the engine that made them."""


_plies: msgspec.json.Decoder[tuple[JudgedPly, ...]] = msgspec.json.Decoder(tuple[JudgedPly, ...])


class AnalysisStore(Store):
    """The reviews of matches. Every method raises StorageError."""

    async def find(self, match: MatchId, engine: str) -> tuple[JudgedPly, ...] | None:
        """Return the review of a match by a version of the engine, or None."""
        columns = match_analyses.c
        found = select(columns.body).where(columns.match == match, columns.engine == engine)
        body = await self._database.value(str, found)
        return None if body is None else read_json(body, _plies)

    async def reviewed(self, matches: Sequence[MatchId]) -> Sequence[MatchId]:
        """Return those of some matches that have a review, by any version of the engine."""
        column = match_analyses.c.match
        return await self._database.values(MatchId, select(column).where(column.in_(matches)))

    async def keep(self, match: MatchId, engine: str, plies: tuple[JudgedPly, ...], now_ms: int) -> None:
        """Store a review, replacing that of another version of the engine."""
        judged = {"engine": engine, "body": msgspec.json.encode(plies).decode(), "at_ms": now_ms}
        keeping = insert(match_analyses).values(match=match, **judged)
        await self._database.execute(keeping.on_conflict_do_update(index_elements=["match"], set_=judged))
