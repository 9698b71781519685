"""The stored index of openings: an interface, which `server.storage` implements.

For each position and move it has the number of matches by result. It is derived from the archive: with the end of a
match, the journal stores that the match is due, and `server.learning.openings.indexer` counts it later.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import MatchId


class DueMatch(NamedTuple):
    """A match whose moves are not counted as they should be."""

    match: MatchId
    change: int
    """1 if the match is to be added, -1 if it is to be subtracted, since its result was declared void."""


class MoveCount(NamedTuple):
    """How often a move was played in a position, by the result for the seat that played it."""

    position: int
    move: str
    """The clicks of its canonical form."""
    people: bool
    """Whether these are the matches in which no bot played."""
    won: int
    drawn: int
    lost: int
    latest: MatchId | None
    """The latest of the matches."""
    latest_ms: int
    """When it ended; 0 for none."""


class OpeningStore(Protocol):
    """The index of openings. Every method raises StorageError."""

    async def due(self, most: int) -> Sequence[DueMatch]:
        """Return matches that are due, at most `most`."""

    async def add(self, due: Sequence[DueMatch], changes: Sequence[MoveCount]) -> bool:
        """Add counts, which may be negative, and note that these matches are not due any more, all or nothing.

        Each position, move and kind of match occurs once in `changes`. Returns False, with nothing stored, if one of
        the matches is not due any more.
        """

    async def moves(self, position: int, *, people: bool) -> Sequence[MoveCount]:
        """Return the moves that were played in a position, of all matches or of those between people."""
