"""What a puzzle asks for: to win, or to gain something, by force within a number of plies."""

import re
from typing import NamedTuple

from ..game import Game
from .errors import PuzzleError

WIN = "win"

_PATTERN = re.compile(r"([a-z_]+)(?:\+([0-9]+))?/([0-9]+)")


class Goal(NamedTuple):
    """A goal for the side to move.

    >>> Goal.parse("men+2/4")
    Goal(measure='men', gain=2, plies=4)
    >>> str(Goal("win", 0, 5))
    'win/5'
    """

    measure: str
    """`win`, or what is gained: a key of `PuzzleTerms.measures`."""
    gain: int
    """How far the lead of the side to move must grow; 0 for a win, and where nothing may be lost."""
    plies: int
    """The number of plies in which it must be reached, the opponent's included."""

    @classmethod
    def parse(cls, text: str) -> "Goal":
        """Parse a goal. Raises: PuzzleError."""
        found = _PATTERN.fullmatch(text)
        if found is None:
            raise PuzzleError(f"{text!r} is no goal; goals look like win/5 or men+2/4.")
        return cls(found[1], int(found[2] or 0), int(found[3]))

    def __str__(self) -> str:
        gain = "" if self.measure == WIN else f"+{self.gain}"
        return f"{self.measure}{gain}/{self.plies}"

    @property
    def moves(self) -> int:
        """The number of the solver's moves."""
        return (self.plies + 1) // 2

    def task(self, game: Game) -> str:
        """Return what the puzzle asks for, as a sentence for players."""
        terms = game.puzzles
        assert terms is not None
        in_moves = "in one move" if self.moves == 1 else f"in {self.moves} moves"
        if self.measure == WIN:
            return "Win in one move." if self.moves == 1 else "Win, whatever your opponent answers."
        text = terms.texts[self.measure][min(self.gain, 2)]
        return text.format(gain=self.gain, moves=in_moves)
