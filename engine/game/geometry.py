"""The board as a client draws it, and the turns and reflections that leave it unchanged.

No rules: a game decides whether positions that look alike also play alike (`Rules.symmetries`).
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import product
from math import cos, hypot, isclose, pi, sin
from typing import NamedTuple, TypeAlias

ROTATION_STEPS = 12
"""Rotations tried in a full turn: enough for the quarters of squares and the sixths of hexagons."""

TOLERANCE = 1e-6
"""Largest distance at which two points count as the same, in units of the distance between neighbouring cells."""

Symmetry: TypeAlias = tuple[int, ...]
"""For each cell, by index, the cell to which a rotation or reflection moves it."""


class CellShape(StrEnum):
    """How a client draws cells."""

    POINTS = "points"
    SQUARES = "squares"
    HEXES = "hexes"


class Cell(NamedTuple):
    """A place on the board. Its index in `Geometry.cells` is its bit in the kernels."""

    name: str
    x: float
    """Rightwards, in units of the distance between neighbours."""
    y: float
    """Downwards, in the same unit."""


@dataclass(frozen=True)
class Geometry:
    """The drawing of a board, once per match, and the names of its clickable parts."""

    shape: CellShape
    cells: tuple[Cell, ...]
    lines: tuple[tuple[int, int], ...]
    """Pairs of cell indices joined by a drawn line; empty if cells touch."""
    choices: tuple[str, ...] = ()
    """Clickable things besides cells, such as a pass or a number of pieces."""

    @cached_property
    def click_names(self) -> tuple[str, ...]:
        """The names of all clickable things: the cells, then the choices. `Kernels.write_clicks` writes indices."""
        return (*(cell.name for cell in self.cells), *self.choices)


class Pile(NamedTuple):
    """The pieces on one cell."""

    seat: int
    size: int


class Drawing(NamedTuple):
    """The pieces on the board, for a client to draw."""

    piles: tuple[Pile | None, ...]
    """By cell index."""
    reserves: tuple[int, ...]
    """For each seat, the pieces that it still has to place."""
    ground: tuple[bool, ...] | None = None
    """While the board is being laid: by cell index, whether the cell is part of the board yet."""


class Highlight(NamedTuple):
    """Cells to light up because a move achieved something there, such as closing a mill."""

    text: str
    """The achievement, to follow the name or "You": `closed a mill`."""
    cells: tuple[int, ...]
    """Cell indices, along a line if the cells form one."""


class Tally(NamedTuple):
    """A number that a game counts for each seat."""

    name: str
    """A label for the number: `Cells`."""
    counts: tuple[int, ...]
    """By seat."""


def symmetries_of(geometry: Geometry) -> tuple[Symmetry, ...]:
    """Return the rotations about the board's centre, with and without a reflection, that map cells to cells and lines
    to lines. The first is the identity.

    >>> from millrace.engine.game import Cell, CellShape, Geometry
    >>> row = tuple(Cell(name, x, 0.0) for x, name in enumerate("abc"))
    >>> symmetries_of(Geometry(CellShape.SQUARES, row, ()))
    ((0, 1, 2), (2, 1, 0))
    """
    cells = geometry.cells
    centre_x, centre_y = sum(cell.x for cell in cells) / len(cells), sum(cell.y for cell in cells) / len(cells)
    points = [(cell.x - centre_x, cell.y - centre_y) for cell in cells]
    lines = {frozenset(line) for line in geometry.lines}
    found: dict[Symmetry, None] = {}
    for mirror, step in product((1, -1), range(ROTATION_STEPS)):
        symmetry = _transformed(points, mirror, 2 * pi * step / ROTATION_STEPS)
        if symmetry is not None and {frozenset(symmetry[end] for end in line) for line in lines} == lines:
            found[symmetry] = None
    return tuple(found)


def _transformed(points: list[tuple[float, float]], mirror: int, angle: float) -> Symmetry | None:
    """Return the index of each point's image, or None if a point has none."""
    cosine, sine = cos(angle), sin(angle)
    symmetry = []
    for x, y in points:
        moved = (cosine * x * mirror - sine * y, sine * x * mirror + cosine * y)
        at = min(range(len(points)), key=lambda point: hypot(points[point][0] - moved[0], points[point][1] - moved[1]))
        if not isclose(hypot(points[at][0] - moved[0], points[at][1] - moved[1]), 0, abs_tol=TOLERANCE):
            return None
        symmetry.append(at)
    return tuple(symmetry)
