"""The turns and reflections of a drawn board that leave it as it is.

No rules here: whether what looks alike also plays alike is for a game to say (`Game.symmetries`).
"""

from itertools import product
from math import cos, hypot, isclose, pi, sin

from . import Geometry, Symmetry

STEPS = 12
"""Steps of a whole turn that are tried: quarters for squares, sixths for hexagons."""

TOLERANCE = 1e-6


def isometries_of(geometry: Geometry) -> tuple[Symmetry, ...]:
    """Return the turns about the board's middle, with or without a reflection, that put cells on cells and lines on
    lines; the first leaves everything in place.

    >>> from millrace.engine.game import Cell, CellShape, Geometry
    >>> row = tuple(Cell(name, x, 0.0) for x, name in enumerate("abc"))
    >>> isometries_of(Geometry(CellShape.SQUARES, row, ()))
    ((0, 1, 2), (2, 1, 0))
    """
    cells = geometry.cells
    middle_x, middle_y = sum(cell.x for cell in cells) / len(cells), sum(cell.y for cell in cells) / len(cells)
    places = [(cell.x - middle_x, cell.y - middle_y) for cell in cells]
    lines = {frozenset(line) for line in geometry.lines}
    found: dict[Symmetry, None] = {}
    for mirror, step in product((1, -1), range(STEPS)):
        symmetry = _moved(places, mirror, 2 * pi * step / STEPS)
        if symmetry is not None and {frozenset(symmetry[end] for end in line) for line in lines} == lines:
            found[symmetry] = None
    return tuple(found)


def _moved(places: list[tuple[float, float]], mirror: int, angle: float) -> Symmetry | None:
    """Return where each place comes to lie, or None if one comes to lie on no place."""
    cosine, sine = cos(angle), sin(angle)
    symmetry = []
    for x, y in places:
        moved = (cosine * x * mirror - sine * y, sine * x * mirror + cosine * y)
        at = min(range(len(places)), key=lambda place: hypot(places[place][0] - moved[0], places[place][1] - moved[1]))
        if not isclose(hypot(places[at][0] - moved[0], places[at][1] - moved[1]), 0, abs_tol=TOLERANCE):
            return None
        symmetry.append(at)
    return tuple(symmetry)
