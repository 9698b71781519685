"""Kernels that write what is on the board into arrays: `Kernels.draw`, and what games need for it.

`draw(board, position, cells, counts)` gets two arrays of `int16` and writes what differs from a fresh drawing:

- `cells` has a row for each cell: the seat of its pile, the size of the pile, and the seat that owns the cell as
  territory;
- `counts` has a column for each seat: the pieces that it still has to place, then its tallies, a row each.

Seats are counted from the mover, which is 0.
"""

import numpy as np
from numpy.typing import NDArray

from ..bits import NO_CELLS, Bitboard, kernel, lowest_cell

PILE_SEAT, PILE_SIZE, OWNER = range(3)
"""The columns of `cells`."""
CELL_COLUMNS = 3
NOBODY = -1
MOST_CELLS = 64
MOST_TALLIES = 4

ONE = np.uint64(1)


@kernel
def clear_drawing(cells: NDArray[np.int16], counts: NDArray[np.int16]) -> None:
    """Write a fresh drawing: an empty board."""
    for cell in range(cells.shape[0]):
        cells[cell, PILE_SEAT] = NOBODY
        cells[cell, PILE_SIZE] = 0
        cells[cell, OWNER] = NOBODY
    for row in range(counts.shape[0]):
        for seat in range(counts.shape[1]):
            counts[row, seat] = 0


@kernel
def draw_pieces(cells: NDArray[np.int16], seat: int, pieces: Bitboard) -> None:
    """Write single pieces of a seat."""
    while pieces != NO_CELLS:
        cell = lowest_cell(pieces)
        cells[cell, PILE_SEAT] = seat
        cells[cell, PILE_SIZE] = 1
        pieces &= pieces - ONE


@kernel
def draw_territory(cells: NDArray[np.int16], seat: int, owned: Bitboard) -> None:
    """Write the cells that a seat owns."""
    while owned != NO_CELLS:
        cells[lowest_cell(owned), OWNER] = seat
        owned &= owned - ONE
