"""A pasture as tables for the kernels: cells, rays, neighbours and the outer edge of one match.

Cells stand in an axial array, row r and column q; drawn with each row shifted half a cell to the left of the row above,
neighbours touch. They are numbered in reading order, so that three directions lead to higher bits and three to lower:

          (-1,-1) (-1,0)              5  4         directions 0, 1, 2: to higher bits
               \\  /                    \\ /
       (0,-1) - cell - (0,1)        3 - c - 0      directions 3, 4, 5: their opposites
               /  \\                    / \\
           (1,0)  (1,1)               2   1
"""

from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...bits import NO_CELLS, cell_bit, short_kernel
from ...game import SetupKernel

Coordinate: TypeAlias = tuple[int, int]
"""Row, counted from the top, and column of the axial array, both from 0."""

DIRECTIONS: tuple[Coordinate, ...] = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
"""The six directions of ruling 3.7, each with its opposite three places on."""

MOST_CELLS = 64
MOST_SEATS = 4

NEIGHBOURS, FACTS, CELL_ROWS, CELL_COLUMNS = 6, 7, 8, 9
"""Rows of `BattleSheepBoard.tables`, behind one for the rays of each direction."""

ALL_CELLS, OUTER_EDGE, SEATS, ROWS, COLUMNS = range(5)
"""Columns of the row `FACTS`."""

HOLE, OUTSIDE = -1, -2
"""What `write_tables` has in the place of a cell's index: no cell, and no cell but a way to the outside."""


class BattleSheepBoard(NamedTuple):
    """The pasture of a match, and its number of seats.

    It is one array instead of one for each table: kernels pass the board on with every call, and an array is seven
    words. Perft ran 2.5 times faster than with six arrays (`millrace perft battlesheep --depth 5`).
    """

    tables: NDArray[np.uint64]
    """Shape (10, 64). By cell: in rows 0 to 5 its ray in each direction, the cells beyond it up to a hole or the edge;
    in row `NEIGHBOURS` the cells that touch it; in rows `CELL_ROWS` and `CELL_COLUMNS` its place in the axial array. In
    row `FACTS`: all cells, the outer edge (3.3), the seats, and the extent of the axial array."""


@lru_cache(maxsize=256)
def build_board(cells: frozenset[Coordinate], extent: Coordinate, seats: int) -> BattleSheepBoard:
    """Return the tables of a pasture of up to 64 cells, in an array of `extent` rows and columns."""
    numbers = np.full((extent[0] + 2, extent[1] + 2), HOLE, dtype=np.int64)
    for index, (row, column) in enumerate(sorted(cells)):
        numbers[row + 1, column + 1] = index
    tables = np.zeros((10, MOST_CELLS), dtype=np.uint64)
    TABLE_WRITER(numbers, np.empty((numbers.size, 2), dtype=np.int64), tables)
    tables[FACTS, [SEATS, ROWS, COLUMNS]] = seats, *extent
    return BattleSheepBoard(tables)


def coordinates_of(board: BattleSheepBoard) -> list[Coordinate]:
    """Return the coordinates of each cell in the axial array, by index."""
    cells = int(board.tables[FACTS, ALL_CELLS]).bit_count()
    rows, columns = board.tables[[CELL_ROWS, CELL_COLUMNS], :cells].tolist()
    return list(zip(rows, columns, strict=True))


def touching(cell: Coordinate) -> list[Coordinate]:
    """Return the six coordinates around a cell, whether or not they are part of the pasture."""
    return [(cell[0] + row, cell[1] + column) for row, column in DIRECTIONS]


def joined(cells: frozenset[Coordinate], start: Coordinate) -> set[Coordinate]:
    """Return the cells of a set that are connected to `start` within it, by flood fill."""
    reached = {start}
    frontier = [start]
    while frontier:
        for near in touching(frontier.pop()):
            if near in cells and near not in reached:
                reached.add(near)
                frontier.append(near)
    return reached


@short_kernel
def flood_outside(numbers: NDArray[np.int64], frontier: NDArray[np.int64]) -> None:
    """Turn the holes that are connected to the outside into `OUTSIDE`; see `write_tables` for the arrays.

    Flooding from outside finds each cell of the outer edge once, whatever necks and holes there are; a walk along the
    edge would not.
    """
    numbers[0, 0] = OUTSIDE
    frontier[0] = 0
    length = 1
    while length > 0:
        length -= 1
        row, column = frontier[length, 0], frontier[length, 1]
        for direction in range(6):
            near_row, near_column = row + DIRECTIONS[direction][0], column + DIRECTIONS[direction][1]
            is_inside = 0 <= near_row < numbers.shape[0] and 0 <= near_column < numbers.shape[1]
            if is_inside and numbers[near_row, near_column] == HOLE:
                numbers[near_row, near_column] = OUTSIDE
                frontier[length, 0], frontier[length, 1] = near_row, near_column
                length += 1


@short_kernel
def write_tables(numbers: NDArray[np.int64], frontier: NDArray[np.int64], tables: NDArray[np.uint64]) -> None:
    """Write what `BattleSheepBoard.tables` says about the cells to an array of zeros, and the outer edge (3.3): the
    cells with a neighbour outside the pasture that is connected to the outside.

    `numbers` has the index of each cell and elsewhere `HOLE`, also in a frame around the axial array; it is changed.
    `frontier` is for the flood, shape (numbers.size, 2).
    """
    flood_outside(numbers, frontier)
    all_cells = edge = NO_CELLS
    for row in range(1, numbers.shape[0] - 1):
        for column in range(1, numbers.shape[1] - 1):
            cell = numbers[row, column]
            if cell < 0:
                continue
            all_cells |= cell_bit(cell)
            tables[CELL_ROWS, cell] = row - 1
            tables[CELL_COLUMNS, cell] = column - 1
            for direction in range(6):
                step_row, step_column = DIRECTIONS[direction]
                near_row, near_column = row + step_row, column + step_column
                near = numbers[near_row, near_column]
                if near == OUTSIDE:
                    edge |= cell_bit(cell)
                elif near >= 0:
                    tables[NEIGHBOURS, cell] |= cell_bit(near)
                while near >= 0:
                    tables[direction, cell] |= cell_bit(near)
                    near_row, near_column = near_row + step_row, near_column + step_column
                    near = numbers[near_row, near_column]
    tables[FACTS, ALL_CELLS] = all_cells
    tables[FACTS, OUTER_EDGE] = edge


def _example_of_tables() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    numbers = np.full((3, 3), HOLE, dtype=np.int64)
    return numbers, np.empty((9, 2), dtype=np.int64), np.zeros((10, MOST_CELLS), dtype=np.uint64)


TABLE_WRITER = SetupKernel(write_tables, _example_of_tables)
