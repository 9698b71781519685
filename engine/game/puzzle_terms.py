"""A game's puzzle tasks and themes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from .kernels import Board, Position, Words


class PuzzleTask(NamedTuple):
    """A kind of goal for puzzles of a game."""

    measure: str
    """`win`, or a key of `PuzzleTerms.measures`."""
    plies: int
    """The number of plies in which it must be reached, including the opponent's."""
    least_gain: int
    """Minimum gain of the measure; 0 asks to lose nothing. Unused for `win`."""
    most_gain: int
    most_empties: int | None = None
    """Maximum number of empty cells, for tasks that a search can finish only near the end."""
    least_empties: int = 0
    """Minimum number of empty cells."""


class SolutionMove(NamedTuple):
    """A move of a solution, for themes; each position is from its mover's view."""

    before: Words
    move: int
    after: Words


class Miss(NamedTuple):
    """A wrong move in a puzzle, with the opponent's answer."""

    board: Board
    measure: str
    gain: int
    """What the puzzle asks for; 0 for a win."""
    right: int
    """A move of the solution."""
    start: Words
    """The puzzle's position, from the solver's view."""
    own: SolutionMove
    answer: SolutionMove


ExplainMiss: TypeAlias = Callable[[Miss], tuple[str, Mapping[str, int]]]
"""Returns a key of `PuzzleTerms.misses`, and the numbers in its text; an empty key if the answer says nothing more than
that the solver is too slow."""

Classify: TypeAlias = Callable[[Board, str, Sequence[SolutionMove]], tuple[str, ...]]
"""`(board, measure, the moves of the solution, the solver's at even places)` to the codes of its themes."""


def say_nothing_more(_miss: Miss) -> tuple[str, Mapping[str, int]]:
    """Explain no miss: the texts of all games have to do."""
    return "", {}


@dataclass(frozen=True, slots=True, eq=False)
class PuzzleTerms:
    """How a game makes puzzles."""

    measures: Mapping[str, Callable[[Board, Position], int]]
    """Kernels that return the mover's lead, by name."""
    tasks: tuple[PuzzleTask, ...]
    """The tasks to look for, the most instructive first."""
    texts: Mapping[str, tuple[str, str, str]]
    """For each measure, the task: to lose nothing, to gain one, and to gain `{gain}`."""
    themes: Mapping[str, str]
    """The titles of the themes, by code."""
    classify: Classify
    misses: Mapping[str, str] = field(default_factory=dict)
    """Sentences that say why a move is wrong, by code; `{reply}` is the opponent's answer."""
    explain_miss: ExplainMiss = say_nothing_more
