"""What a game's puzzles ask for, and by which themes they are sorted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from .kernels import Board, Position, Words


class PuzzleTask(NamedTuple):
    """A kind of goal that puzzles of a game have."""

    measure: str
    """`win`, or a key of `PuzzleTerms.measures`."""
    plies: int
    """The number of plies in which it must be reached, the opponent's included."""
    least_gain: int
    """The smallest gain of the measure to ask for; 0 asks to lose nothing. Unused for `win`."""
    most_gain: int
    most_empties: int | None = None
    """Only in positions with at most this many empty cells, for tasks that a search can finish only near the end."""
    least_empties: int = 0
    """Only in positions with at least this many empty cells."""


class SolutionMove(NamedTuple):
    """A move of a solution as themes look at it; each position is from its mover's view."""

    before: Words
    move: int
    after: Words


Classify: TypeAlias = Callable[[Board, str, Sequence[SolutionMove]], tuple[str, ...]]
"""`(board, measure, the moves of the solution, the solver's at even places)` to the codes of its themes."""


@dataclass(frozen=True, slots=True, eq=False)
class PuzzleTerms:
    """How a game makes puzzles."""

    measures: Mapping[str, Callable[[Board, Position], int]]
    """Kernels that return how far the mover is ahead, by name."""
    tasks: tuple[PuzzleTask, ...]
    """The tasks to look for, the most instructive first."""
    texts: Mapping[str, tuple[str, str, str]]
    """For each measure, what to ask for: to lose nothing, to gain one, and to gain `{gain}`."""
    themes: Mapping[str, str]
    """The titles of the themes, by code."""
    classify: Classify
