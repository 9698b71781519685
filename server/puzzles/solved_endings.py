"""Solved endings of Nine Men's Morris as sources of puzzles: random placements that the tablebase knows to be won soon.

The tablebase only finds them; `engine.puzzles.proof` proves the puzzle again, so that it holds without tables.
"""

from collections.abc import Callable, Iterator

from millrace.engine.games.morris.points import POINTS
from millrace.engine.games.morris.tablebase_index import men_of
from millrace.engine.state import State
from millrace.engine.tablebase.codes import is_won, plies_of
from millrace.engine.tablebase.probing import Tablebase

LEAST_PLIES, MOST_PLIES = 3, 5
"""The distance of the win: longer than one move, and short enough to prove."""

SIDES = ("w", "b")


def won_endings(tablebase: Tablebase, random_below: Callable[[int], int]) -> Iterator[State]:
    """Yield random positions that the side to move wins in three or five plies, without end."""
    pairs = [men_of(name) for name in tablebase.tables]
    while True:
        state = _placement(tablebase, pairs[random_below(len(pairs))], random_below)
        code = None if state.outcome is not None else tablebase.code_of(state)
        if code is not None and is_won(code) and LEAST_PLIES <= plies_of(code) <= MOST_PLIES:
            yield state


def _placement(tablebase: Tablebase, men: tuple[int, int], random_below: Callable[[int], int]) -> State:
    """Return a random placement with these men of the mover and of the opponent, and a random side to move."""
    side = random_below(2)
    letters = "WB" if side == 0 else "BW"
    points = ["."] * POINTS
    for letter, count in zip(letters, men, strict=True):
        for _ in range(count):
            empty = [point for point, content in enumerate(points) if content == "."]
            points[empty[random_below(len(empty))]] = letter
    return State.of(tablebase.game, f"{''.join(points)} {SIDES[side]} 0 0")
