"""The rules of Tic-tac-toe, as plain Python.

A set of squares is a number whose bit i stands for square i. A move is the number of a square plus one, since 0 is no
move.

    0 1 2
    3 4 5
    6 7 8
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from millrace.engine.bits import NO_CELLS, Bitboard, cell_bit, count_cells
from millrace.engine.game import Board, ClickBuffer, Kernels, MoveBuffer

SIZE = 3
SQUARES = SIZE * SIZE
ROWS = tuple(
    np.uint64(sum(1 << square for square in row))
    for row in (
        *((SIZE * row, SIZE * row + 1, SIZE * row + 2) for row in range(SIZE)),
        *((column, column + SIZE, column + 2 * SIZE) for column in range(SIZE)),
        (0, SIZE + 1, 2 * SIZE + 2),
        (2, SIZE + 1, 2 * SIZE),
    )
)
ROW, FULL = 0, 1


class Position(NamedTuple):
    """The pieces of the player to move, and those of the other player."""

    mover: Bitboard
    other: Bitboard


def has_row(pieces: Bitboard) -> bool:
    """Return whether three of the pieces stand in a row."""
    found = False
    for row in ROWS:
        found = found or pieces & row == row
    return found


def generate_moves(_board: Board, position: Position, moves: MoveBuffer) -> int:
    """Write every empty square, unless a row has been made; return their number."""
    if has_row(position.other):
        return 0
    count = 0
    for square in range(SQUARES):
        if (position.mover | position.other) & cell_bit(square) == NO_CELLS:
            moves[count] = square + 1
            count += 1
    return count


def count_moves(_board: Board, position: Position) -> int:
    """Return how many moves `generate_moves` would write."""
    if has_row(position.other):
        return 0
    return SQUARES - count_cells(position.mover | position.other)


def make_move(_board: Board, position: Position, move: int) -> Position:
    """Return the position after a move, as the other player sees it."""
    return Position(position.other, position.mover | cell_bit(move - 1))


def outcome(_board: Board, position: Position, ranks: NDArray[np.int32]) -> int:
    """Write the ranks of the player to move and of the other one; return why play is over."""
    ranks[:] = 1
    if not has_row(position.other):
        return FULL
    ranks[0] = 2
    return ROW


def write_clicks(_board: Board, _position: Position, move: int, clicks: ClickBuffer) -> int:
    """Write the square to click; return the number of clicks."""
    clicks[0] = move - 1
    return 1


KERNELS = Kernels(
    generate_moves=generate_moves,
    count_moves=count_moves,
    make_move=make_move,
    outcome=outcome,
    write_clicks=write_clicks,
    max_moves=SQUARES,
    max_clicks=1,
)
