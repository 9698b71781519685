"""A board as lines of text, for people to read."""

from itertools import pairwise

from .geometry import CellShape, Drawing, Geometry

COLUMNS = {CellShape.POINTS: 4, CellShape.SQUARES: 3, CellShape.HEXES: 4}
"""Characters between neighbouring cells of a row."""


def board_lines(geometry: Geometry, drawing: Drawing, seat_names: tuple[str, ...]) -> list[str]:
    """Return the lines of the board: the first letter of a seat's name for its pieces, with their number from 2 on."""
    heights = sorted({round(cell.y, 6) for cell in geometry.cells})
    left = min((cell.x for cell in geometry.cells), default=0.0)
    rows = dict(zip(heights, [""] * len(heights), strict=True))
    cells = zip(geometry.cells, drawing.piles, strict=True)
    for cell, pile in sorted(cells, key=lambda pair: pair[0].x):
        letter = "." if pile is None else seat_names[pile.seat][0]
        size = str(pile.size) if pile is not None and pile.size > 1 else ""
        height = round(cell.y, 6)
        rows[height] = rows[height].ljust(round((cell.x - left) * COLUMNS[geometry.shape])) + letter + size
    lines = [rows[heights[0]]] if heights else []
    for above, below in pairwise(heights):
        lines += [""] * (geometry.shape is CellShape.POINTS and below - above > 0) + [rows[below]]
    return lines
