"""The interface of stored puzzle attempts and ratings; `server.storage` implements it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import IdentityId, PuzzleAttempt, PuzzleMode

from ...journal.ratings import Rating


class Solver(NamedTuple):
    """How well a player solves the puzzles of a game."""

    rating: Rating = Rating()
    """Its `matches` are the first attempts that were rated."""
    attempts: int = 0
    solved: int = 0
    streak: int = 0
    best_streak: int = 0


class FirstAttempt(NamedTuple):
    """A first attempt at a puzzle that is over, and what it changes."""

    identity: IdentityId
    game: str
    puzzle: str
    mode: PuzzleMode
    is_solved: bool
    at_ms: int
    solver_before: Solver
    solver_after: Solver
    puzzle_before: Rating | None
    """The stored rating of the puzzle; None if nobody has tried it."""
    puzzle_after: Rating | None
    """None for an attempt that is not rated."""


class PuzzleStore(Protocol):
    """What is stored about puzzles. Every method raises StorageError."""

    async def solver(self, identity: IdentityId, game: str) -> Solver:
        """Return how well a player solves the puzzles of a game."""

    async def ratings_of(self, game: str) -> Mapping[str, Rating]:
        """Return the ratings of the puzzles of a game that have been tried, by id."""

    async def tried(self, identity: IdentityId, game: str) -> frozenset[str]:
        """Return the ids of the puzzles that a player has tried."""

    async def history(self, identity: IdentityId, game: str, most: int) -> Sequence[PuzzleAttempt]:
        """Return a player's latest first attempts, the latest first."""

    async def add(self, attempt: FirstAttempt) -> bool:
        """Store a first attempt with both ratings in one transaction.

        Returns False, with nothing stored, if it is not the first, or if one of the ratings has changed since.
        """
