"""The stored matches that are over, searched by players, game, result and date: an interface.

`server.storage` implements it.
"""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import Event, GameScore, IdentityId, MatchId, ResultFilter

from ..journal.journal import Recorded

MIN_TIME_MS = 0
MAX_TIME_MS = 2**53


class Cursor(NamedTuple):
    """A position in the archive: after a match, or at a time."""

    ended_ms: int = MAX_TIME_MS
    match: str = ""

    @property
    def text(self) -> str:
        """The cursor as text for clients."""
        return f"{self.ended_ms}.{self.match}"

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Parse the text of a cursor. Raises: ValueError."""
        ended_ms, separator, match = text.partition(".")
        if not separator or not ended_ms.isdecimal() or int(ended_ms) > MAX_TIME_MS:
            raise ValueError(f"{text!r} is not a cursor of the archive.")
        return cls(int(ended_ms), match)


class ArchiveQuery(NamedTuple):
    """What to search for."""

    player: IdentityId | None = None
    opponent: IdentityId | None = None
    """Only together with a player."""
    game: str | None = None
    result: ResultFilter | None = None
    """`won` and `lost` only with a player."""
    rated: bool | None = None
    since_ms: int = MIN_TIME_MS
    cursor: Cursor = Cursor()
    """Only matches that ended before it; the latest come first."""
    imported_by: IdentityId | None = None
    """Search the imports of this player instead; then only `cursor` narrows the search."""


class ArchivedMatch(NamedTuple):
    """A match that is over, without its moves."""

    match: MatchId
    ended_ms: int
    plies: int
    events: tuple[Event, ...]
    """All events but the moves, in order."""

    @property
    def cursor(self) -> Cursor:
        """Where a search continues after this match."""
        return Cursor(self.ended_ms, self.match)


class ArchiveStore(Protocol):
    """The matches that are over. Every method raises StorageError."""

    async def search(self, wanted: ArchiveQuery, most: int) -> Sequence[ArchivedMatch]:
        """Return at most `most` matches, the latest first."""

    async def find(self, named: Sequence[MatchId]) -> Sequence[ArchivedMatch]:
        """Return those of some matches that are in the archive, the latest first."""

    async def crosstable(self, one: IdentityId, other: IdentityId) -> Sequence[GameScore]:
        """Return the results of two players against each other by game, the most played first."""

    async def scores_of(self, player: IdentityId) -> Sequence[GameScore]:
        """Return a player's results by game, the most played first."""

    async def load(self, match: MatchId) -> tuple[Recorded, ...]:
        """Return a match's events in order, over or not; empty if there is no such match."""

    def load_each(self, matches: Sequence[MatchId]) -> AsyncIterator[tuple[MatchId, tuple[Recorded, ...]]]:
        """Yield the events of those matches that exist, in the given order, a few in memory at a time."""
