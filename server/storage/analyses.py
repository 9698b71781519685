"""Judged matches in a database: what `server.analysis.store.AnalysisStore` promises, with its SQL."""

import msgspec
from sqlalchemy import bindparam, select
from sqlalchemy.dialects import postgresql

from ..protocol import JudgedPly, MatchId
from .statements import compile_text
from .tables import match_analyses
from .writer import Database

_plies: msgspec.json.Decoder[tuple[JudgedPly, ...]] = msgspec.json.Decoder(tuple[JudgedPly, ...])


class DatabaseAnalyses:
    """An `AnalysisStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        columns, names = match_analyses.c, match_analyses.c.keys()
        # PostgreSQL's insert says ON CONFLICT, in words that SQLite shares.
        insert = postgresql.insert(match_analyses).values({name: bindparam(name) for name in names})
        new = insert.excluded
        keep = insert.on_conflict_do_update(
            index_elements=["match"], set_={"engine": new.engine, "body": new.body, "at_ms": new.at_ms}
        )
        self._keep = compile_text(database.dialect, keep, *names)
        found = select(columns.body).where(columns.match == bindparam("of_match"), columns.engine == bindparam("by"))
        self._find = compile_text(database.dialect, found, "of_match", "by")

    async def find(self, match: MatchId, engine: str) -> tuple[JudgedPly, ...] | None:
        """Return how a version of the engine has judged the plies of a match; None if it has not.

        Raises: StorageError.
        """
        rows = await self._database.fetch(self._find, match, engine)
        return _plies.decode(str(rows[0][0])) if rows else None

    async def keep(self, match: MatchId, engine: str, plies: tuple[JudgedPly, ...], now_ms: int) -> None:
        """Store how the plies of a match are judged, in place of what another version has found.

        Raises: StorageError.
        """
        await self._database.execute(self._keep, match, engine, msgspec.json.encode(plies).decode(), now_ms)
