"""What is kept of matches that were judged, as the rest of the server sees it.

An interface only; `server.storage` keeps it in a database.
"""

from typing import Protocol

from ..protocol import JudgedPly, MatchId


class AnalysisStore(Protocol):
    """The judgements of matches. Every method raises StorageError."""

    async def find(self, match: MatchId, engine: str) -> tuple[JudgedPly, ...] | None:
        """Return how a version of the engine has judged the plies of a match; None if it has not."""

    async def keep(self, match: MatchId, engine: str, plies: tuple[JudgedPly, ...], now_ms: int) -> None:
        """Store how the plies of a match are judged, in place of what another version has found."""
