"""A puzzle, and its line of text in the file `puzzles.txt` of a game.

A line has six fields, divided by `; `: position, goal, solution, themes, first rating and refutations. The solution is
the moves of both sides, the solver's first. The last may be several moves, divided by `|`, each of which reaches the
goal. The refutations are the opponent's answers to wrong moves, a word for each of the solver's moves: the answer to
all moves that are not named, then `|ANSWER=MOVE,MOVE`:

    WWB.......B....B..B...W. w 0 0; win/3; a7-d6 b6-c5 d6-d7xb4; close_mill,fly; 1400; b6-c5|b6-a4=a7-d7,d7-d6 b4-a4
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from .errors import PuzzleError
from .goal import Goal

FIELD_SEPARATOR = "; "
ALTERNATIVES_SEPARATOR = "|"


class Refutations(NamedTuple):
    """The opponent's best answers to the wrong moves in a position; empty where there is none."""

    usual: str
    """The answer to moves that are not named."""
    others: Mapping[str, str]
    """Answers, by wrong move."""

    @classmethod
    def parse(cls, text: str) -> "Refutations":
        """Parse a word of a line. Raises: ValueError."""
        usual, *groups = text.split("|")
        pairs = (group.split("=") for group in groups)
        return cls(usual, {move: answer for answer, moves in pairs for move in moves.split(",")})

    def __str__(self) -> str:
        by_answer: dict[str, list[str]] = {}
        for move, answer in self.others.items():
            by_answer.setdefault(answer, []).append(move)
        return "|".join((self.usual, *(f"{answer}={','.join(moves)}" for answer, moves in by_answer.items())))


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
    refutations: tuple[Refutations, ...] = ()
    """For each move of the solver."""

    def answer_to(self, ply: int, move: str) -> str:
        """Return the opponent's best answer to a wrong move at a ply of the solver; empty if there is none."""
        if ply // 2 >= len(self.refutations):
            return ""
        usual, others = self.refutations[ply // 2]
        return others.get(move, usual)

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
            (
                each.position,
                str(each.goal),
                " ".join(each.solution),
                ",".join(each.themes),
                str(each.rating),
                " ".join(map(str, each.refutations)),
            )
        )
        for each in puzzles
    )
    return "".join(f"{line}\n" for line in lines)


def parse_puzzles(text: str) -> Iterator[Puzzle]:
    """Yield the puzzles of a file's text. Raises: PuzzleError, which names the line."""
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split(FIELD_SEPARATOR)
        if len(fields) != 6 or not fields[4].isdecimal() or not fields[2]:
            raise PuzzleError(f"Line {number} is not a position, a goal, a solution, themes, a rating and refutations.")
        position, goal, solution, themes, rating, refutations = fields
        codes = tuple(themes.split(",")) if themes else ()
        try:
            answers = tuple(map(Refutations.parse, refutations.split(" ")))
        except ValueError as error:
            raise PuzzleError(f"Line {number} has refutations in another form.") from error
        yield Puzzle(position, Goal.parse(goal), tuple(solution.split(" ")), codes, int(rating), answers)
