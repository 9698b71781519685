"""The rules of Nine Men's Morris as kernels: moves, captures, and the end of play.

Points and lines are in `points`. A move is `origin | target << 5 | captured << 10`, where 24 stands for "from hand" and
for "nothing captured".
"""

import numpy as np
from numpy.typing import NDArray

from ...bits import NO_CELLS, Bitboard, cell_bit, count_cells, kernel, lowest_cell
from ...game import ClickBuffer, Kernels, MoveBuffer
from ...game.drawing_kernels import draw_pieces
from ...weights import evaluate_by, shipped_weights
from .evaluation import EVALUATION
from .points import ALL_POINTS, POINTS, capturable_men, closing_points, count_steps, neighbours
from .position import HAND_BITS, HAND_MASK, MorrisBoard, MorrisPosition, hand_of_mover, hand_of_opponent

HAND = 24
NOTHING = 24
HYPHEN, CROSS = ord("-"), ord("x")
MAX_CLICKS = 3
MAX_MOVES = 512
"""An upper bound: flying, 3 men reach at most 18 points each, one or two of which close a mill and capture one of up to
9 men; placing, 24 points, of which those that close a mill capture one of up to 9."""

FEW_MEN = 13
"""The men of both sides in an ending. `python -m benchmarks.endings_suite` shows what pruning hides there."""

TOO_FEW_MEN = 0
BLOCKED = 1


@kernel
def flies(board: MorrisBoard, position: MorrisPosition) -> bool:
    """Return whether the mover, with none in hand, may move to any empty point (1.4)."""
    return count_cells(position.mover) == 3 and board.options[0] == np.uint64(1)


@kernel
def write_moves(origin: int, targets: Bitboard, capturable: Bitboard, moves: MoveBuffer, count: int) -> int:
    """Append the moves from `origin` to each target, one for each man of `capturable` if any; return the new count."""
    while targets != NO_CELLS:
        stem = origin | lowest_cell(targets) << 5
        targets &= targets - np.uint64(1)
        if capturable == NO_CELLS:
            moves[count] = stem | NOTHING << 10
            count += 1
        taken = capturable
        while taken != NO_CELLS:
            moves[count] = stem | lowest_cell(taken) << 10
            taken &= taken - np.uint64(1)
            count += 1
    return count


@kernel
def write_steps(
    position: MorrisPosition,
    empties: Bitboard,
    capturable: Bitboard,
    is_flying: bool,
    only_closing: bool,
    moves: MoveBuffer,
) -> int:
    """Write the moves of men on the board, or only those that close a mill, and return their number."""
    mover = position.mover
    count = 0
    if count_cells(mover) < 3:
        return count
    men = mover
    while men != NO_CELLS:
        man = men & (~men + np.uint64(1))
        men ^= man
        targets = empties if is_flying else neighbours(man) & empties
        closing = closing_points(mover ^ man)
        count = write_moves(lowest_cell(man), targets & closing, capturable, moves, count)
        if not only_closing:
            count = write_moves(lowest_cell(man), targets & ~closing, NO_CELLS, moves, count)
    return count


@kernel
def generate_moves(board: MorrisBoard, position: MorrisPosition, moves: MoveBuffer) -> int:
    """Write the legal moves, those that close a mill once for each man that can be captured (1.2-1.7)."""
    mover = position.mover
    empties = ~(mover | position.opponent) & ALL_POINTS
    capturable = capturable_men(position.opponent)
    if hand_of_mover(position) > 0:
        closing = closing_points(mover)
        count = write_moves(HAND, empties & closing, capturable, moves, 0)
        return write_moves(HAND, empties & ~closing, NO_CELLS, moves, count)
    return write_steps(position, empties, capturable, flies(board, position), False, moves)


@kernel
def generate_noisy(board: MorrisBoard, position: MorrisPosition, moves: MoveBuffer) -> int:
    """Write the legal moves that close a mill."""
    mover = position.mover
    empties = ~(mover | position.opponent) & ALL_POINTS
    capturable = capturable_men(position.opponent)
    if hand_of_mover(position) > 0:
        return write_moves(HAND, empties & closing_points(mover), capturable, moves, 0)
    return write_steps(position, empties, capturable, flies(board, position), True, moves)


@kernel
def count_closing_steps(mover: Bitboard, targets: Bitboard) -> int:
    """Return the number of steps along a line to one of `targets` that complete a mill."""
    count = 0
    targets &= closing_points(mover)
    while targets != NO_CELLS:
        target = targets & (~targets + np.uint64(1))
        targets ^= target
        origins = neighbours(target) & mover
        while origins != NO_CELLS:
            origin = origins & (~origins + np.uint64(1))
            origins ^= origin
            count += count_cells(closing_points(mover ^ origin) & target)
    return count


@kernel
def count_flights(mover: Bitboard, empties: Bitboard, captures: int) -> int:
    """Return the number of moves of three men to any empty point, with `captures` choices for each mill closed."""
    count = 0
    men = mover
    while men != NO_CELLS:
        man = men & (~men + np.uint64(1))
        men ^= man
        count += count_cells(empties) + count_cells(empties & closing_points(mover ^ man)) * (captures - 1)
    return count


@kernel
def count_moves(board: MorrisBoard, position: MorrisPosition) -> int:
    """Return the number of moves that `generate_moves` writes."""
    mover = position.mover
    empties = ~(mover | position.opponent) & ALL_POINTS
    captures = max(count_cells(capturable_men(position.opponent)), 1)
    if hand_of_mover(position) > 0:
        closing = count_cells(empties & closing_points(mover))
        return count_cells(empties) + closing * (captures - 1)
    if count_cells(mover) < 3:
        return 0
    if flies(board, position):
        return count_flights(mover, empties, captures)
    return count_steps(mover, empties) + count_closing_steps(mover, empties) * (captures - 1)


@kernel
def is_over(board: MorrisBoard, position: MorrisPosition) -> bool:
    """Return whether the mover has too few men or no ply (1.7)."""
    mover = position.mover
    if hand_of_mover(position) > 0:
        return False
    empties = ~(mover | position.opponent) & ALL_POINTS
    return count_cells(mover) < 3 or (neighbours(mover) & empties == NO_CELLS and not flies(board, position))


@kernel
def make_move(_board: MorrisBoard, position: MorrisPosition, move: int) -> MorrisPosition:
    """Return the position after the move, from the opponent's view."""
    origin, target, taken = move & 31, (move >> 5) & 31, move >> 10
    mover = position.mover | cell_bit(target)
    hands = position.hands
    if origin == HAND:
        hands -= np.uint64(1)
    else:
        mover ^= cell_bit(origin)
    opponent = position.opponent
    if taken != NOTHING:
        opponent ^= cell_bit(taken)
    return MorrisPosition(opponent, mover, (hands >> HAND_BITS) | ((hands & HAND_MASK) << HAND_BITS))


@kernel
def outcome(_board: MorrisBoard, position: MorrisPosition, ranks: NDArray[np.int32]) -> int:
    """Write the mover's loss, and return the reason: too few men, or no ply (1.7)."""
    ranks[0] = 2
    ranks[1] = 1
    return TOO_FEW_MEN if count_cells(position.mover) < 3 else BLOCKED


@kernel
def is_noisy(_board: MorrisBoard, _position: MorrisPosition, move: int) -> bool:
    """Return whether the move captures a man."""
    return move >> 10 != NOTHING


@kernel
def is_irreversible(_board: MorrisBoard, _position: MorrisPosition, move: int) -> bool:
    """Return whether the move places or captures (1.8)."""
    return move & 31 == HAND or move >> 10 != NOTHING


@kernel
def write_clicks(_board: MorrisBoard, _position: MorrisPosition, move: int, clicks: ClickBuffer) -> int:
    """Write the origin unless from hand, the target, and the captured man if any."""
    count = 0
    for point in (move & 31, move >> 5 & 31, move >> 10):
        if point < POINTS:
            clicks[count] = point
            count += 1
    return count


@kernel
def pass_turn(_board: MorrisBoard, position: MorrisPosition) -> MorrisPosition:
    """Return the position from the opponent's view."""
    hands = position.hands
    return MorrisPosition(position.opponent, position.mover, hands >> HAND_BITS | (hands & HAND_MASK) << HAND_BITS)


@kernel
def may_pass(_board: MorrisBoard, position: MorrisPosition) -> bool:
    """Return whether the mover is placing: blocked men lose by zugzwang, while having to place rarely harms."""
    return hand_of_mover(position) > 0


@kernel
def may_prune(_board: MorrisBoard, position: MorrisPosition) -> bool:
    """Return whether men are in hand or more than a few on the board: in endings a win often begins where nothing is
    gained for long."""
    return position.hands != NO_CELLS or count_cells(position.mover | position.opponent) > FEW_MEN


@kernel
def separator(_board: MorrisBoard, _position: MorrisPosition, move: int, index: int) -> int:
    """Return the character between two clicks, as in `a4-a7xd6`, or `d6xb4` for a placement."""
    return CROSS if index == 1 or move & 31 == HAND else HYPHEN


@kernel
def draw(_board: MorrisBoard, position: MorrisPosition, cells: NDArray[np.int16], counts: NDArray[np.int16]) -> None:
    """Write the men on the points, and those in hand."""
    draw_pieces(cells, 0, position.mover)
    draw_pieces(cells, 1, position.opponent)
    counts[0, 0] = hand_of_mover(position)
    counts[0, 1] = hand_of_opponent(position)


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
    pass_turn=pass_turn,
    may_pass=may_pass,
    may_prune=may_prune,
    is_over=is_over,
    separator=separator,
    draw=draw,
)
