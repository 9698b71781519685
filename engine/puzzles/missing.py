"""Why a wrong move of a puzzle fails, in one sentence that names the opponent's best answer."""

from collections.abc import Sequence
from typing import NamedTuple

from ..game import Game, Miss, SolutionMove
from ..state import State
from .puzzle import Puzzle

GOES_ON = "The match goes on after {move}."
NOT_WON = "After {move} the match is over, and you have not won it."
LOST = "After {reply}, you have lost the match."
TOO_SLOW = "After {reply}, you can no longer do it in time."
TEXTS = (GOES_ON, NOT_WON, LOST, TOO_SLOW)
"""The sentences of all games."""


class Reason(NamedTuple):
    """A sentence, with the values in it."""

    message: str
    values: dict[str, str | int]

    @property
    def text(self) -> str:
        """The sentence."""
        return self.message.format(**self.values)


def explain_miss(game: Game, puzzle: Puzzle, moves: Sequence[str]) -> Reason:
    """Return why the last of some moves from the puzzle's position is wrong; those before it follow the solution."""
    start = State.of(game, puzzle.position)
    before = start
    for text in moves[:-1]:
        before = before.play_text(text)
    after = before.play_text(moves[-1])
    move = before.format_move(after.move)
    reply = puzzle.answer_to(len(moves) - 1, move)
    values: dict[str, str | int] = {"move": move, "reply": reply}
    if not reply:
        return Reason(GOES_ON if after.outcome is None else NOT_WON, values)
    end = after.play_text(reply)
    if end.outcome is not None and end.outcome.ranks[before.seat] > end.outcome.ranks[1 - before.seat]:
        return Reason(LOST, values)
    assert game.puzzles is not None
    code, numbers = game.puzzles.explain_miss(
        Miss(
            start.start.board,
            puzzle.goal.measure,
            puzzle.goal.gain,
            before.parse_move(puzzle.accepted_at(len(moves) - 1)[0]),
            start.words,
            SolutionMove(before.words, after.move, after.words),
            SolutionMove(after.words, end.move, end.words),
        )
    )
    return Reason(game.puzzles.misses[code] if code else TOO_SLOW, values | dict(numbers))
