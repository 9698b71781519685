"""`d`: a position for people to read."""

from collections.abc import Iterator
from itertools import pairwise

from ..game import CellShape
from ..state import State

COLUMNS = {CellShape.POINTS: 4, CellShape.SQUARES: 3, CellShape.HEXES: 4}
"""Characters between neighbouring cells of a row."""


def describe(state: State) -> Iterator[str]:
    """Yield the board, the position in every notation, the seat to move and what it may do."""
    yield from board_lines(state)
    yield f"Position: {state.position_text}"
    for name, notation in state.game.texts.notations.items():
        if "\n" not in (text := _written(state, name)):
            yield f"{notation.title}: {text}"
    yield f"Key: {state.key:016X}"
    outcome = state.outcome
    if outcome is not None:
        yield f"Over: {outcome.reason}, ranks {' '.join(map(str, outcome.ranks))}"
        return
    yield f"To move: {state.game.seat_names[state.seat]}, {len(state.legal_moves)} moves"


def board_lines(state: State) -> list[str]:
    """Return the lines of the board: the first letter of a seat's name for its pieces, with their number from 2 on."""
    geometry, piles = state.geometry, state.drawing.piles
    heights = sorted({round(cell.y, 6) for cell in geometry.cells})
    left = min((cell.x for cell in geometry.cells), default=0.0)
    rows = dict(zip(heights, [""] * len(heights), strict=True))
    cells = zip(geometry.cells, piles, strict=True)
    for cell, pile in sorted(cells, key=lambda pair: pair[0].x):
        letter = "." if pile is None else state.game.seat_names[pile.seat][0]
        size = str(pile.size) if pile is not None and pile.size > 1 else ""
        height = round(cell.y, 6)
        rows[height] = rows[height].ljust(round((cell.x - left) * COLUMNS[geometry.shape])) + letter + size
    lines = [rows[heights[0]]] if heights else []
    for above, below in pairwise(heights):
        lines += [""] * (geometry.shape is CellShape.POINTS and below - above > 0) + [rows[below]]
    return lines


def _written(state: State, notation: str) -> str:
    try:
        return state.write_position(notation)
    except ValueError:
        return "\n"
