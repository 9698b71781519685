"""A puzzle's goal: to win, or to gain something, by force within a number of plies."""

import re
from typing import NamedTuple

from ..game import Game
from .errors import PuzzleError

WIN = "win"
WIN_AT_ONCE = "Win in one move."
WIN_SOON = "Win {moves} or sooner, whatever your opponent plays."

_PATTERN = re.compile(r"([a-z_]+)(?:\+([0-9]+))?/([0-9]+)")


class Goal(NamedTuple):
    """A goal for the side to move.

    >>> Goal.parse("men+2/4")
    Goal(measure='men', gain=2, plies=4)
    >>> str(Goal("win", 0, 5))
    'win/5'
    """

    measure: str
    """`win`, or the gain: a key of `PuzzleTerms.measures`."""
    gain: int
    """How far the lead of the side to move must grow; 0 for a win, and if nothing may be lost."""
    plies: int
    """The number of plies in which it must be reached, including the opponent's."""

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
        """Return the task, as a sentence for players."""
        in_moves = "in one move" if self.moves == 1 else f"in {self.moves} moves"
        return self.message(game).format(gain=self.gain, moves=in_moves)

    def message(self, game: Game) -> str:
        """Return that sentence with `{gain}` and `{moves}` in their places."""
        assert game.puzzles is not None
        if self.measure == WIN:
            return WIN_AT_ONCE if self.moves == 1 else WIN_SOON
        return game.puzzles.texts[self.measure][min(self.gain, 2)]
