"""Stored puzzle attempts and ratings."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Boolean, Double, Index, Integer, Table, Text, delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, Player, PuzzleAttempt, PuzzleMode

from ...ratings.rating import Rating
from ...storage.database import Step, Store
from ...storage.tables import define_table, required


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


puzzle_solvers = define_table(
    "puzzle_solvers",
    ["identity", "game"],
    *required(Text, "identity", "game"),
    *required(Double, "mu", "sigma"),
    *required(Integer, "matches", "attempts", "solved", "streak", "best_streak"),
)
"""How well each player solves the puzzles of a game. `matches` counts the rated attempts."""

puzzle_ratings = define_table(
    "puzzle_ratings",
    ["game", "puzzle"],
    *required(Text, "game", "puzzle"),
    *required(Double, "mu", "sigma"),
    *required(Integer, "matches"),
)
"""How hard the puzzles are that have been tried."""

puzzle_attempts = define_table(
    "puzzle_attempts",
    ["identity", "game", "puzzle"],
    *required(Text, "identity", "game", "puzzle", "mode"),
    *required(Boolean, "solved"),
    *required(BigInteger, "at_ms"),
    *required(Integer, "points"),
)
"""Each player's first attempt at each puzzle, with the player's rating after it."""

Index("puzzle_attempts_at", puzzle_attempts.c.identity, puzzle_attempts.c.game, puzzle_attempts.c.at_ms)


class _Counts(NamedTuple):
    attempts: int
    solved: int
    streak: int
    best_streak: int


class _Puzzle(NamedTuple):
    id: str


class _Result(NamedTuple):
    puzzle: str
    solved: bool


class _StoredAttempt(NamedTuple):
    puzzle: str
    mode: PuzzleMode
    solved: bool
    at_ms: int
    points: int


class PuzzleStore(Store):
    """What is stored about puzzles. Every method raises StorageError."""

    async def solver(self, identity: IdentityId, game: str) -> Solver:
        """Return how well a player solves the puzzles of a game."""
        columns = puzzle_solvers.c
        found = select(*(columns[name] for name in (*Rating._fields, *_Counts._fields)))
        own = found.where(columns.identity == identity, columns.game == game)
        stored = await self._database.pairs(Rating, _Counts, own)
        return next((Solver(rating, *counts) for rating, counts in stored), Solver())

    async def ratings_of(self, game: str) -> Mapping[str, Rating]:
        """Return the ratings of the puzzles of a game that have been tried, by id."""
        columns = puzzle_ratings.c
        found = select(columns.puzzle, *(columns[name] for name in Rating._fields)).where(columns.game == game)
        return {puzzle.id: rating for puzzle, rating in await self._database.pairs(_Puzzle, Rating, found)}

    async def tried(self, identity: IdentityId, game: str) -> frozenset[str]:
        """Return the ids of the puzzles that a player has tried."""
        columns = puzzle_attempts.c
        found = select(columns.puzzle).where(columns.identity == identity, columns.game == game)
        return frozenset(await self._database.values(str, found))

    async def results(self, identity: IdentityId, game: str) -> Mapping[str, bool]:
        """Return whether a player solved each puzzle that they have tried, by its id."""
        columns = puzzle_attempts.c
        found = select(columns.puzzle, columns.solved)
        own = found.where(columns.identity == identity, columns.game == game)
        return {each.puzzle: each.solved for each in await self._database.records(_Result, own)}

    async def history(self, identity: IdentityId, game: str, most: int) -> Sequence[PuzzleAttempt]:
        """Return a player's latest first attempts, the latest first."""
        columns = puzzle_attempts.c
        found = select(*(columns[name] for name in _StoredAttempt._fields))
        own = found.where(columns.identity == identity, columns.game == game)
        latest = own.order_by(columns.at_ms.desc(), columns.puzzle).limit(most)
        return [PuzzleAttempt(*row) for row in await self._database.records(_StoredAttempt, latest)]

    async def add(self, attempt: FirstAttempt, *further: Step) -> bool:
        """Store a first attempt with both ratings, and further steps, in one transaction.

        Returns False, with nothing stored, if it is not the first, if one of the ratings has changed since, or if a
        step fails.
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
        counts = {name: getattr(after, name) for name in _Counts._fields}
        steps = [
            Step(insert(puzzle_attempts).values(made)),
            _replacing(puzzle_solvers, key, after.rating._asdict() | counts, "attempts", before.attempts),
        ]
        if attempt.puzzle_after is not None:
            known = 0 if attempt.puzzle_before is None else attempt.puzzle_before.matches
            puzzle = {"game": attempt.game, "puzzle": attempt.puzzle}
            steps.append(_replacing(puzzle_ratings, puzzle, attempt.puzzle_after._asdict(), "matches", known))
        return await self._database.transact([*steps, *further])


def _replacing(table: Table, key: Mapping[str, str], values: Mapping[str, Any], counter: str, before: int) -> Step:
    """Return the step that stores a row, if the stored one still has this counter, or if there is none yet."""
    storing = insert(table).values({**key, **values})
    replacing = storing.on_conflict_do_update(
        index_elements=list(key), set_=dict(values), where=table.c[counter] == before
    )
    return Step(replacing, must_change=True)


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's attempts and ratings."""
    return [Step(delete(table).where(table.c.identity == identity)) for table in (puzzle_solvers, puzzle_attempts)]
