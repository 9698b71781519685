"""Random pastures, laid tile by tile from a seed (3.1): the same seed always gives the same pasture."""

from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bits import short_kernel
from ...game import SetupKernel
from .pasture import DIRECTIONS, MOST_SEATS, Coordinate

TILES_PER_SEAT = 4

TILE_SHAPES: tuple[tuple[Coordinate, ...], ...] = (
    ((0, 0), (0, 1), (1, 1), (1, 2)),
    ((0, 0), (1, 0), (1, 1), (2, 1)),
    ((0, 0), (0, 1), (1, 0), (1, 1)),
)
"""The rhombus of four cells in its three orientations, relative to its first cell in reading order."""

TILE_SPAN = 3
"""Number of rows and columns that any of them fits into."""

SHAPES_IN_ORDER = tuple(sorted(TILE_SHAPES))
"""The same, in the reading order of their cells."""

SIDE = 2 * TILE_SPAN * (TILES_PER_SEAT * MOST_SEATS + 1)
"""Number of rows and columns of the field on which tiles are laid from its middle: each reaches at most `TILE_SPAN`
further.
"""

UNLIMITED = 1 << 62

Tile = frozenset[Coordinate]
"""The four cells that a tile covers."""


class Box(NamedTuple):
    """The rows and columns of the field in which tiles lie."""

    top: int
    bottom: int
    left: int
    right: int


def lay_pasture(seed: int, seats: int) -> frozenset[Coordinate]:
    """Return a connected pasture of four tiles for each seat, with first row and column 0."""
    chance = Random(seed)
    draws = np.array([chance.random() for _ in range(TILES_PER_SEAT * seats)])
    laid = np.zeros((SIDE, SIDE), dtype=np.bool_)
    TILE_LAYER(draws, laid, np.zeros((SIDE, SIDE), dtype=np.int64))
    rows, columns = laid.nonzero()
    return frozenset(zip((rows - rows.min()).tolist(), (columns - columns.min()).tolist(), strict=True))


@short_kernel
def lay_tiles(draws: NDArray[np.float64], laid: NDArray[np.bool_], contacts: NDArray[np.int64]) -> None:
    """Lay a tile on an empty field for each number of `draws`, from 0 up to 1; mark its cells in `laid`.

    The first number chooses the shape of the first tile, each of the others a position that touches earlier tiles.
    Positions with more contact are more likely, so that pastures are compact but varied. Matches store seeds, so that
    the order in which positions share the numbers must not change. `contacts` counts the laid neighbours of each cell.
    """
    row = column = SIDE // 2
    shape = TILE_SHAPES[int(draws[0] * len(TILE_SHAPES))]
    lay_tile(row, column, shape, laid, contacts)
    box = Box(row, row + TILE_SPAN - 1, column, column + TILE_SPAN - 1)
    for index in range(1, len(draws)):
        total = find_position(laid, contacts, box, UNLIMITED)[0]
        _, row, column, rank = find_position(laid, contacts, box, int(draws[index] * total))
        lay_tile(row, column, SHAPES_IN_ORDER[rank], laid, contacts)
        box = Box(
            min(box.top, row),
            max(box.bottom, row + TILE_SPAN - 1),
            min(box.left, column),
            max(box.right, column + TILE_SPAN - 1),
        )


@short_kernel
def find_position(
    laid: NDArray[np.bool_], contacts: NDArray[np.int64], box: Box, weight: int
) -> tuple[int, int, int, int]:
    """Add up the weights of the positions of one more tile, in reading order, until the sum exceeds `weight`.

    Return the sum, and the position: row, column, index in `SHAPES_IN_ORDER`. The weight of a position is the cube of
    its contacts, and 0 where the tile would cover laid cells.
    """
    total = 0
    for row in range(box.top - TILE_SPAN, box.bottom + 2):
        for column in range(box.left - TILE_SPAN, box.right + 2):
            if laid[row, column]:
                continue
            for rank in range(len(SHAPES_IN_ORDER)):
                touched, is_free = 0, True
                for cell in range(4):
                    cell_row = row + SHAPES_IN_ORDER[rank][cell][0]
                    cell_column = column + SHAPES_IN_ORDER[rank][cell][1]
                    touched += contacts[cell_row, cell_column]
                    is_free = is_free and not laid[cell_row, cell_column]
                if is_free:
                    total += touched**3
                    if total > weight:
                        return total, row, column, rank
    return total, 0, 0, 0


@short_kernel
def lay_tile(
    row: int, column: int, shape: tuple[Coordinate, ...], laid: NDArray[np.bool_], contacts: NDArray[np.int64]
) -> None:
    """Mark the cells of a tile, and count the contacts around them."""
    for cell in range(4):
        cell_row, cell_column = row + shape[cell][0], column + shape[cell][1]
        laid[cell_row, cell_column] = True
        for direction in range(6):
            contacts[cell_row + DIRECTIONS[direction][0], cell_column + DIRECTIONS[direction][1]] += 1


def _example() -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    return np.zeros(1), np.zeros((SIDE, SIDE), dtype=np.bool_), np.zeros((SIDE, SIDE), dtype=np.int64)


TILE_LAYER = SetupKernel(lay_tiles, _example)


def moved_to_origin(cells: frozenset[Coordinate]) -> frozenset[Coordinate]:
    """Return the same shape with first row and column 0."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return frozenset((row - top, column - left) for row, column in cells)
