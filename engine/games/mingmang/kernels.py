"""The rules of Ming Mang as kernels: moves, captures, territory, and the end of play.

Squares are numbered as in `squares`. A move is `origin | target << 6`; `PASS` is a bit of its own. `engine.state`
and the search enforce the ban on repetition.

All men slide at once, one step at a time: a front of squares that the men reach in so many steps (dumb7fill,
chessprogramming.org/Dumb7Fill). A square of a front has one origin, since all squares between are empty. On 4,000
positions of 28 men at random, with 53 moves each, writing the moves took 138 ns for each position by fronts, 196 by
look-up of rank and file, 203 by rays with the nearest blocker, and 282 by magic bitboards (`python -m
benchmarks.slides` at commit 42e2304).
"""

import numpy as np
from numpy.typing import NDArray

from ...bits import NO_CELLS, Bitboard, cell_bit, count_cells, kernel, lowest_cell
from ...game import NOISY_MARK, ClickBuffer, Kernels, MoveBuffer
from ...game.drawing_kernels import draw_pieces, draw_territory
from ...weights import evaluate_by, shipped_weights
from .evaluation import EVALUATION, is_settled
from .position import MingMangBoard, MingMangPosition
from .squares import (
    NOT_A_FILE,
    NOT_H_FILE,
    east_reach,
    flood,
    neighbours,
    north_reach,
    south_reach,
    taken_men,
    west_reach,
)

SQUARES = 64
PASS = 1 << 12
MAX_CLICKS = 2
MAX_MOVES = 16 * 12 + 1
"""Each of the 16 ranks and files gives at most 12 moves (two men at its ends, each to six squares; one man has at most
seven, and every further man blocks more than it adds), plus the pass."""

ELIMINATION = 0
STALEMATE = 1
TERRITORY = 2

ONE = np.uint64(1)
ALL_SQUARES = ~NO_CELLS
TWO_PASSES = np.uint64(2)


@kernel
def is_over(_board: MingMangBoard, position: MingMangPosition) -> bool:
    """Return whether play has ended: a side has no men, the mover is stalemated, or both have passed (2.6)."""
    empties = ~(position.mover | position.opponent)
    is_stalemate = neighbours(position.mover) & empties == NO_CELLS
    return bool(is_stalemate or position.opponent == NO_CELLS or position.passes == TWO_PASSES)


@kernel
def write_upward(
    men: Bitboard, open_squares: Bitboard, wanted: Bitboard, step: int, moves: MoveBuffer, count: int
) -> int:
    """Append the moves of all men to wanted squares on higher bits, `step` bits for each square; return the new
    count."""
    shift = np.uint64(step)
    distance = step
    front = (men << shift) & open_squares
    while front != NO_CELLS:
        targets = front & wanted
        while targets != NO_CELLS:
            target = lowest_cell(targets)
            targets &= targets - ONE
            moves[count] = (target - distance) | target << 6
            count += 1
        distance += step
        front = (front << shift) & open_squares
    return count


@kernel
def write_downward(
    men: Bitboard, open_squares: Bitboard, wanted: Bitboard, step: int, moves: MoveBuffer, count: int
) -> int:
    """Append the moves of all men to wanted squares on lower bits, `step` bits for each square; return the new
    count."""
    shift = np.uint64(step)
    distance = step
    front = (men >> shift) & open_squares
    while front != NO_CELLS:
        targets = front & wanted
        while targets != NO_CELLS:
            target = lowest_cell(targets)
            targets &= targets - ONE
            moves[count] = (target + distance) | target << 6
            count += 1
        distance += step
        front = (front >> shift) & open_squares
    return count


@kernel
def write_slides(position: MingMangPosition, wanted: Bitboard, moves: MoveBuffer) -> int:
    """Write the mover's moves to wanted squares (2.2) and return their number."""
    mover = position.mover
    empties = ~(mover | position.opponent)
    count = write_upward(mover, empties, wanted, 8, moves, 0)
    count = write_downward(mover, empties, wanted, 8, moves, count)
    count = write_upward(mover, empties & NOT_A_FILE, wanted, 1, moves, count)
    return write_downward(mover, empties & NOT_H_FILE, wanted, 1, moves, count)


@kernel
def generate_moves(board: MingMangBoard, position: MingMangPosition, moves: MoveBuffer) -> int:
    """Write every move (2.2), then the pass (2.5); nothing when play is over (2.6)."""
    if is_over(board, position):
        return 0
    count = write_slides(position, ALL_SQUARES, moves)
    moves[count] = PASS
    return count + 1


@kernel
def taking_targets(position: MingMangPosition) -> Bitboard:
    """Return the empty squares from which a line of opposing men without a gap leads to a man of the mover (2.3).

    That man cannot be the one that arrives there, which comes along a line of empty squares.
    """
    mover, opponent = position.mover, position.opponent
    return ~(mover | opponent) & (
        north_reach(mover, opponent) << np.uint64(8)
        | south_reach(mover, opponent) >> np.uint64(8)
        | east_reach(mover, opponent) << ONE & NOT_A_FILE
        | west_reach(mover, opponent) >> ONE & NOT_H_FILE
    )


@kernel
def generate_noisy(board: MingMangBoard, position: MingMangPosition, moves: MoveBuffer) -> int:
    """Write the captures."""
    if is_over(board, position):
        return 0
    return write_slides(position, taking_targets(position), moves)


@kernel
def mark_noisy(_board: MingMangBoard, position: MingMangPosition, moves: MoveBuffer, count: int) -> None:
    """Mark the captures."""
    targets = taking_targets(position)
    for index in range(count):
        move = moves[index] | 0  # as wide as kernels take moves
        if move < PASS and targets & cell_bit(move >> 6) != NO_CELLS:
            moves[index] = move | NOISY_MARK


@kernel
def count_moves(board: MingMangBoard, position: MingMangPosition) -> int:
    """Return the number of moves that `generate_moves` writes: no two men reach one square in the same direction."""
    if is_over(board, position):
        return 0
    mover = position.mover
    empties = ~(mover | position.opponent)
    return (
        count_cells(north_reach(mover, empties))
        + count_cells(south_reach(mover, empties))
        + count_cells(east_reach(mover, empties))
        + count_cells(west_reach(mover, empties))
        + 1
    )


@kernel
def make_move(_board: MingMangBoard, position: MingMangPosition, move: int) -> MingMangPosition:
    """Return the position after the move and its captures, from the opponent's view."""
    if move == PASS:
        return MingMangPosition(position.opponent, position.mover, position.passes + ONE)
    target = move >> 6
    mover = position.mover ^ cell_bit(move & 63) ^ cell_bit(target)
    taken = taken_men(target, mover, position.opponent)
    return MingMangPosition(position.opponent ^ taken, mover | taken, NO_CELLS)


@kernel
def outcome(_board: MingMangBoard, position: MingMangPosition, ranks: NDArray[np.int32]) -> int:
    """Write the ranks and return the reason (2.6); where play could continue, the result by territory (2.7)."""
    mover, opponent = position.mover, position.opponent
    empties = ~(mover | opponent)
    reason = TERRITORY
    balance = count_cells(flood(mover, empties)) - count_cells(flood(opponent, empties))
    if NO_CELLS in (mover, opponent):
        reason = ELIMINATION
        balance = count_cells(mover) - count_cells(opponent)
    elif neighbours(mover) & empties == NO_CELLS:
        reason = STALEMATE
        balance = -1
    ranks[0] = 1 if balance >= 0 else 2
    ranks[1] = 1 if balance <= 0 else 2
    return reason


@kernel
def is_noisy(_board: MingMangBoard, position: MingMangPosition, move: int) -> bool:
    """Return whether the move captures."""
    if move == PASS:
        return False
    target = move >> 6
    mover = position.mover ^ cell_bit(move & 63) ^ cell_bit(target)
    return bool(taken_men(target, mover, position.opponent) != NO_CELLS)


@kernel
def is_irreversible(_board: MingMangBoard, _position: MingMangPosition, _move: int) -> bool:
    """Return False: men never leave the board, so that every change can be undone (2.4)."""
    return False


@kernel
def write_clicks(_board: MingMangBoard, _position: MingMangPosition, move: int, clicks: ClickBuffer) -> int:
    """Write the squares from and to, or the choice `pass`, which is the only one."""
    if move == PASS:
        clicks[0] = SQUARES
        return 1
    clicks[0] = move & 63
    clicks[1] = move >> 6
    return 2


@kernel
def pass_turn(_board: MingMangBoard, position: MingMangPosition) -> MingMangPosition:
    """Return the position from the opponent's view. Since a ply may pass (2.5), moving is never worse."""
    return MingMangPosition(position.opponent, position.mover, NO_CELLS)


@kernel
def find_territories(words: NDArray[np.uint64], territories: NDArray[np.uint64]) -> None:
    """Write the squares that only the mover can reach, then those that only the opponent can reach (2.7)."""
    empties = ~(words[0] | words[1])
    mover_squares, opponent_squares = flood(words[0], empties), flood(words[1], empties)
    territories[0] = mover_squares & ~opponent_squares
    territories[1] = opponent_squares & ~mover_squares


@kernel
def draw(
    _board: MingMangBoard, position: MingMangPosition, cells: NDArray[np.int16], counts: NDArray[np.int16]
) -> None:
    """Write the men, their numbers, and the territories."""
    empties = ~(position.mover | position.opponent)
    reached, reached_by_opponent = flood(position.mover, empties), flood(position.opponent, empties)
    draw_pieces(cells, 0, position.mover)
    draw_pieces(cells, 1, position.opponent)
    draw_territory(cells, 0, reached & ~reached_by_opponent)
    draw_territory(cells, 1, reached_by_opponent & ~reached)
    counts[1, 0] = count_cells(position.mover)
    counts[1, 1] = count_cells(position.opponent)


KERNELS = Kernels(
    generate_moves=generate_moves,
    count_moves=count_moves,
    make_move=make_move,
    outcome=outcome,
    evaluate=evaluate_by(EVALUATION, shipped_weights(EVALUATION)),
    is_noisy=is_noisy,
    is_irreversible=is_irreversible,
    write_clicks=write_clicks,
    max_moves=MAX_MOVES,
    max_clicks=MAX_CLICKS,
    generate_noisy=generate_noisy,
    mark_noisy=mark_noisy,
    pass_turn=pass_turn,
    is_over=is_over,
    is_settled=is_settled,
    draw=draw,
)
