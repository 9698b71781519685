"""Three in a row as compiled functions: two or three seats put stones on four by four squares.

A move is the index of a square plus one. Nothing is ever taken or moved.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from millrace.engine.bits import NO_CELLS, Bitboard, cell_bit, count_cells, kernel, lowest_cell, to_count
from millrace.engine.game import ClickBuffer, Kernels, MoveBuffer

SIZE = 4
MAX_MOVES = SIZE * SIZE
ALL_SQUARES = np.uint64((1 << MAX_MOVES) - 1)
ONE = np.uint64(1)
ROW, FULL = 0, 1


class ThreeBoard(NamedTuple):
    """What does not change during a match."""

    rows: NDArray[np.uint64]
    """Shape (24,): the squares of each row of three."""
    seats: NDArray[np.uint64]
    """Shape (1,): how many play."""


class ThreePosition(NamedTuple):
    """The stones of the seats in the order in which they will move; `third` is empty where two play."""

    mover: Bitboard
    second: Bitboard
    third: Bitboard


@kernel
def has_row(board: ThreeBoard, stones: Bitboard) -> bool:
    """Return whether three of the stones stand in a row."""
    found = False
    for index in range(board.rows.shape[0]):
        found |= stones & board.rows[index] == board.rows[index]
    return bool(found)


@kernel
def last_mover(board: ThreeBoard, position: ThreePosition) -> Bitboard:
    """Return the stones of the seat that has just moved."""
    return position.second if to_count(board.seats[0]) == 2 else position.third


@kernel
def generate_moves(board: ThreeBoard, position: ThreePosition, moves: MoveBuffer) -> int:
    """Write every empty square; nothing when somebody has a row."""
    if has_row(board, last_mover(board, position)):
        return 0
    empties = ALL_SQUARES & ~(position.mover | position.second | position.third)
    count = 0
    while empties != NO_CELLS:
        moves[count] = lowest_cell(empties) + 1
        empties &= empties - ONE
        count += 1
    return count


@kernel
def count_moves(board: ThreeBoard, position: ThreePosition) -> int:
    """Return how many moves `generate_moves` would write."""
    if has_row(board, last_mover(board, position)):
        return 0
    return MAX_MOVES - count_cells(position.mover | position.second | position.third)


@kernel
def make_move(board: ThreeBoard, position: ThreePosition, move: int) -> ThreePosition:
    """Return the position with one stone more, from the view of the seat that follows."""
    stones = position.mover | cell_bit(move - 1)
    if to_count(board.seats[0]) == 2:
        return ThreePosition(position.second, stones, NO_CELLS)
    return ThreePosition(position.second, position.third, stones)


@kernel
def outcome(board: ThreeBoard, position: ThreePosition, ranks: NDArray[np.int32]) -> int:
    """Write that the seat with a row wins, or that all share."""
    ranks[:] = 1
    if not has_row(board, last_mover(board, position)):
        return FULL
    ranks[:] = 2
    ranks[to_count(board.seats[0]) - 1] = 1
    return ROW


@kernel
def evaluate(board: ThreeBoard, position: ThreePosition) -> int:
    """Return the rows that only the mover has begun, less those that only others have."""
    others = position.second | position.third
    worth = 0
    for index in range(board.rows.shape[0]):
        own, foreign = count_cells(position.mover & board.rows[index]), count_cells(others & board.rows[index])
        if foreign == 0:
            worth += 10 * own
        if own == 0:
            worth -= 10 * foreign
    return worth


@kernel
def write_clicks(_board: ThreeBoard, _position: ThreePosition, move: int, clicks: ClickBuffer) -> int:
    """Write the square."""
    clicks[0] = move - 1
    return 1


KERNELS = Kernels(
    generate_moves=generate_moves,
    count_moves=count_moves,
    make_move=make_move,
    outcome=outcome,
    evaluate=evaluate,
    write_clicks=write_clicks,
    max_moves=MAX_MOVES,
    max_clicks=1,
)
