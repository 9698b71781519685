"""What the archive asks of a database: matches that are over, found by their players, game, result and date.

An interface only; `server.storage` keeps it.
"""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple, Protocol

from ..journal.store import Recorded
from ..protocol import Event, GameScore, IdentityId, MatchId, ResultWanted

EARLIEST_MS = 0
LATEST_MS = 2**53


class Place(NamedTuple):
    """Where in the archive a search stands: behind a match, or at a moment."""

    ended_ms: int = LATEST_MS
    match: str = ""

    @property
    def text(self) -> str:
        """The same for a client, which hands it back."""
        return f"{self.ended_ms}.{self.match}"

    @classmethod
    def parse(cls, text: str) -> "Place":
        """Read it again. Raises: ValueError."""
        ended_ms, separator, match = text.partition(".")
        if not separator or not ended_ms.isdecimal() or int(ended_ms) > LATEST_MS:
            raise ValueError(f"{text!r} is no place in the archive.")
        return cls(int(ended_ms), match)


class Wanted(NamedTuple):
    """Which matches are looked for."""

    player: IdentityId | None = None
    opponent: IdentityId | None = None
    """Only beside a player."""
    game: str | None = None
    result: ResultWanted | None = None
    """`won` and `lost` only with a player."""
    rated: bool | None = None
    since_ms: int = EARLIEST_MS
    behind: Place = Place()
    """Only matches that ended before; the latest of them come first."""
    imported_by: IdentityId | None = None
    """Whose imports are looked for instead; nothing else but `behind` then counts."""


class Found(NamedTuple):
    """A match that is over, without its plies."""

    match: MatchId
    ended_ms: int
    plies: int
    events: tuple[Event, ...]
    """All but the plies, in order."""

    @property
    def place(self) -> Place:
        """Behind it a search goes on."""
        return Place(self.ended_ms, self.match)


class ArchiveStore(Protocol):
    """The matches that are over. Every method raises StorageError."""

    async def search(self, wanted: Wanted, most: int) -> Sequence[Found]:
        """Return the latest matches that fit, the latest first."""

    async def crosstable(self, one: IdentityId, other: IdentityId) -> Sequence[GameScore]:
        """Return how two have done against each other, the game of the most matches first."""

    async def scores_of(self, player: IdentityId) -> Sequence[GameScore]:
        """Return how somebody has done against everybody, the game of the most matches first."""

    async def load(self, match: MatchId) -> tuple[Recorded, ...]:
        """Return a match's events in order, over or not; empty if there is no such match."""

    def load_each(self, matches: Sequence[MatchId]) -> AsyncIterator[tuple[MatchId, tuple[Recorded, ...]]]:
        """Yield the events of matches that there are, in that order; only a few are held at a time."""
