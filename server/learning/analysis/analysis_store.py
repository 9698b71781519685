"""Stored match reviews: an interface, which `server.storage` implements."""

from typing import Protocol

from millrace.protocol import JudgedPly, MatchId


class AnalysisStore(Protocol):
    """The reviews of matches. Every method raises StorageError."""

    async def find(self, match: MatchId, engine: str) -> tuple[JudgedPly, ...] | None:
        """Return the review of a match by a version of the engine, or None."""

    async def keep(self, match: MatchId, engine: str, plies: tuple[JudgedPly, ...], now_ms: int) -> None:
        """Store a review, replacing that of another version of the engine."""
