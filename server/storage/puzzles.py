"""Puzzle attempts and ratings in a database: implements `server.learning.puzzles.puzzle_store.PuzzleStore`."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Table, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, PuzzleAttempt, PuzzleMode

from ..journal.ratings import Rating
from ..learning.puzzles.puzzle_store import FirstAttempt, Solver
from .database import Database, Step
from .tables import puzzle_attempts, puzzle_ratings, puzzle_solvers


class _StoredSolver(NamedTuple):
    mu: float
    sigma: float
    matches: int
    attempts: int
    solved: int
    streak: int
    best_streak: int


class _StoredRating(NamedTuple):
    puzzle: str
    mu: float
    sigma: float
    matches: int


class _StoredAttempt(NamedTuple):
    puzzle: str
    mode: PuzzleMode
    solved: bool
    at_ms: int
    points: int


class DatabasePuzzles:
    """A `PuzzleStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def solver(self, identity: IdentityId, game: str) -> Solver:
        """Return how well a player solves the puzzles of a game. Raises: StorageError."""
        columns = puzzle_solvers.c
        found = select(*(columns[name] for name in _StoredSolver._fields))
        row = await self._database.record(
            _StoredSolver, found.where(columns.identity == identity, columns.game == game)
        )
        if row is None:
            return Solver()
        mu, sigma, matches, *counts = row
        return Solver(Rating(mu, sigma, matches), *counts)

    async def ratings_of(self, game: str) -> Mapping[str, Rating]:
        """Return the ratings of the puzzles of a game that have been tried, by id. Raises: StorageError."""
        columns = puzzle_ratings.c
        found = select(*(columns[name] for name in _StoredRating._fields)).where(columns.game == game)
        stored = await self._database.records(_StoredRating, found)
        return {row.puzzle: Rating(row.mu, row.sigma, row.matches) for row in stored}

    async def tried(self, identity: IdentityId, game: str) -> frozenset[str]:
        """Return the ids of the puzzles that a player has tried. Raises: StorageError."""
        columns = puzzle_attempts.c
        found = select(columns.puzzle).where(columns.identity == identity, columns.game == game)
        return frozenset(await self._database.values(str, found))

    async def history(self, identity: IdentityId, game: str, most: int) -> Sequence[PuzzleAttempt]:
        """Return a player's latest first attempts, up to `most`, the latest first. Raises: StorageError."""
        columns = puzzle_attempts.c
        found = select(*(columns[name] for name in _StoredAttempt._fields))
        own = found.where(columns.identity == identity, columns.game == game)
        latest = own.order_by(columns.at_ms.desc(), columns.puzzle).limit(most)
        return [PuzzleAttempt(*row) for row in await self._database.records(_StoredAttempt, latest)]

    async def add(self, attempt: FirstAttempt) -> bool:
        """Store a first attempt with both ratings in one transaction.

        Returns False, with nothing stored, if it is not the first, or if one of the ratings has changed since.
        Raises: StorageError.
        """
        key = {"identity": attempt.identity, "game": attempt.game}
        before, after = attempt.solver_before, attempt.solver_after
        made = {
            **key,
            "puzzle": attempt.puzzle,
            "mode": attempt.mode.value,
            "solved": attempt.is_solved,
            "at_ms": attempt.at_ms,
            "points": after.rating.points,
        }
        counts = {name: getattr(after, name) for name in ("attempts", "solved", "streak", "best_streak")}
        steps = [
            Step(insert(puzzle_attempts).values(made)),
            _replacing(puzzle_solvers, key, after.rating._asdict() | counts, "attempts", before.attempts),
        ]
        if attempt.puzzle_after is not None:
            known = 0 if attempt.puzzle_before is None else attempt.puzzle_before.matches
            puzzle = {"game": attempt.game, "puzzle": attempt.puzzle}
            steps.append(_replacing(puzzle_ratings, puzzle, attempt.puzzle_after._asdict(), "matches", known))
        return await self._database.transact(steps)


def _replacing(table: Table, key: Mapping[str, str], values: Mapping[str, Any], counter: str, before: int) -> Step:
    """Return the step that stores a row, if the stored one still has this counter, or if there is none yet."""
    storing = insert(table).values({**key, **values})
    replacing = storing.on_conflict_do_update(
        index_elements=list(key), set_=dict(values), where=table.c[counter] == before
    )
    return Step(replacing, must_change=True)
