"""A puzzle, and its line of text in the file `puzzles.txt` of a game.

A line has five fields, divided by `; `: position, goal, solution, themes and first rating. The solution is the moves of
both sides, the solver's first. The last may be several moves, divided by `|`, each of which reaches the goal:

    WWB.......B....B..B...W. w 0 0; win/3; a7-d6 b6-c5 d6-d7xb4; close_mill,fly; 1400
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .errors import PuzzleError
from .goal import Goal

FIELD_SEPARATOR = "; "
ALTERNATIVES_SEPARATOR = "|"


class Puzzle(NamedTuple):
    """A position with a goal, its solution, and its themes."""

    position: str
    """A position text of the game."""
    goal: Goal
    solution: tuple[str, ...]
    """Move texts of both sides, the solver's at even places. The last may be alternatives."""
    themes: tuple[str, ...]
    rating: int
    """The first rating, in points."""

    @property
    def id(self) -> str:
        """Identifies the puzzle in its game while its position and goal stay the same."""
        return hashlib.sha256(f"{self.position} {self.goal}".encode()).hexdigest()[:12]

    def accepted_at(self, ply: int) -> tuple[str, ...]:
        """Return the moves that are right at a ply of the solution, counted from 0."""
        return tuple(self.solution[ply].split(ALTERNATIVES_SEPARATOR))

    @property
    def solver_plies(self) -> range:
        """The plies of the solution that the solver makes."""
        return range(0, len(self.solution), 2)


def format_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """Return the text of a file of puzzles."""
    lines = (
        FIELD_SEPARATOR.join(
            (each.position, str(each.goal), " ".join(each.solution), ",".join(each.themes), str(each.rating))
        )
        for each in puzzles
    )
    return "".join(f"{line}\n" for line in lines)


def parse_puzzles(text: str) -> Iterator[Puzzle]:
    """Yield the puzzles of a file's text. Raises: PuzzleError, which names the line."""
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split(FIELD_SEPARATOR)
        if len(fields) != 5 or not fields[4].isdecimal() or not fields[2]:
            raise PuzzleError(f"Line {number} is not a position, a goal, a solution, themes and a rating.")
        position, goal, solution, themes, rating = fields
        codes = tuple(themes.split(",")) if themes else ()
        yield Puzzle(position, Goal.parse(goal), tuple(solution.split(" ")), codes, int(rating))
