"""Boards that tests of Ming Mang draw, and the texts that tests compare."""

from millrace.engine.games.mingmang import GAME
from millrace.engine.state import State

START = "wwwwwwww/w6b/w6b/w6b/w6b/w6b/w6b/bbbbbbbb b 0"
EMPTY_RANK = "........"


def board(drawing: str, side: str = "b", passes: int = 0) -> State:
    """Set up a drawn board; ranks above the drawn ones are empty."""
    ranks = drawing.split()
    ranks = [EMPTY_RANK] * (8 - len(ranks)) + ranks
    text = "/".join(ranks)
    for run in range(8, 0, -1):
        text = text.replace("." * run, str(run))
    return State.of(GAME, f"{text} {side} {passes}")


def drawn(state: State) -> list[str]:
    """Return the ranks of a state that hold a man, from the top."""
    letters = ["." if pile is None else "bw"[pile.seat] for pile in state.drawing.piles]
    ranks = ["".join(letters[8 * rank : 8 * rank + 8]) for rank in reversed(range(8))]
    return [rank for rank in ranks if rank != EMPTY_RANK]
