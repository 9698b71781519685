"""Match analyses in a database: implements `server.learning.analysis.analysis_store.AnalysisStore`."""

import msgspec
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import JudgedPly, MatchId
from millrace.protocol.newer_fields import read_json

from .database import Database
from .tables import match_analyses

_plies: msgspec.json.Decoder[tuple[JudgedPly, ...]] = msgspec.json.Decoder(tuple[JudgedPly, ...])


class DatabaseAnalyses:
    """An `AnalysisStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, match: MatchId, engine: str) -> tuple[JudgedPly, ...] | None:
        """Return how a version of the engine judged the plies of a match; None if it has not. Raises: StorageError."""
        columns = match_analyses.c
        found = select(columns.body).where(columns.match == match, columns.engine == engine)
        body = await self._database.value(str, found)
        return None if body is None else read_json(body, _plies)

    async def keep(self, match: MatchId, engine: str, plies: tuple[JudgedPly, ...], now_ms: int) -> None:
        """Store how the plies of a match were judged, in place of what is stored. Raises: StorageError."""
        judged = {"engine": engine, "body": msgspec.json.encode(plies).decode(), "at_ms": now_ms}
        keeping = insert(match_analyses).values(match=match, **judged)
        await self._database.execute(keeping.on_conflict_do_update(index_elements=["match"], set_=judged))
