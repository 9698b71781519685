"""Nine Men's Morris as compiled functions on bitboards: moves, takings, endings, worth.

No text and no history here. Points are bits 0..23, ring by ring from the outside, each ring clockwise from its upper
left corner, so that a step along a ring is a rotation within a byte, a step along a spoke is a shift by eight, and the
16 symmetries of the board are rotations, reflections and swaps of bytes:

     0 --------- 1 --------- 2        ring r holds bits 8r .. 8r+7
     |   8 ----- 9 ---- 10   |        corners are even, midpoints odd
     |   |  16- 17 -18   |   |        spokes join the midpoints of neighbouring rings
     7--15--23      19--11-- 3
     |   |  22- 21 -20   |   |
     |  14 ---- 13 ---- 12   |
     6 --------- 5 --------- 4

A move is `origin | target << 5 | taken << 10`, where 24 stands for "from hand" and for "nothing taken".
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.bits import NO_CELLS, Bitboard, cell_bit, count_cells, kernel, lowest_cell, to_count
from engine.game import Kernels, MoveBuffer

POINTS = 24
HAND = 24
NOTHING = 24
MEN = 9
MAX_MOVES = 512
"""More than any position has: flying, 3 men reach at most 18 points each, of which one or two close a mill and take one
of up to 9 men; placing, 24 points, of which those that close a mill take one of up to 9."""

ALL_POINTS = np.uint64(0xFFFFFF)
MIDPOINTS = np.uint64(0xAAAAAA)
CORNERS = np.uint64(0x555555)
HAND_BITS = np.uint64(4)
HAND_MASK = np.uint64(15)

TOO_FEW_MEN = 0
BLOCKED = 1

MAN_WORTH = 100
MOBILITY_WORTH = 12
MILL_WORTH = 10
TWO_WORTH = 7


class MorrisBoard(NamedTuple):
    """The options of a match."""

    options: NDArray[np.uint64]
    """One element: 1 if a side with three men flies, 0 if it does not (1.4)."""


class MorrisPosition(NamedTuple):
    """What lies on the board, mover's view."""

    mover: Bitboard
    opponent: Bitboard
    hands: Bitboard
    """The mover's men in hand in bits 0..3, the opponent's in bits 4..7."""


@kernel
def clockwise(points: Bitboard) -> Bitboard:
    """Move every point one step clockwise along its ring."""
    return ((points << np.uint64(1)) & np.uint64(0xFEFEFE)) | ((points >> np.uint64(7)) & np.uint64(0x010101))


@kernel
def anticlockwise(points: Bitboard) -> Bitboard:
    """Move every point one step anticlockwise along its ring."""
    return ((points >> np.uint64(1)) & np.uint64(0x7F7F7F)) | ((points << np.uint64(7)) & np.uint64(0x808080))


@kernel
def neighbours(points: Bitboard) -> Bitboard:
    """Return the points that a line joins to any of `points`."""
    midpoints = points & MIDPOINTS
    spokes = (midpoints << np.uint64(8)) | (midpoints >> np.uint64(8))
    return (clockwise(points) | anticlockwise(points) | spokes) & ALL_POINTS


@kernel
def closing_points(men: Bitboard) -> Bitboard:
    """Return the points whose two companions in at least one mill both hold one of `men`."""
    ahead, behind = anticlockwise(men), clockwise(men)
    midpoint_sides = ahead & behind & MIDPOINTS
    corner_sides = ((ahead & anticlockwise(ahead)) | (behind & clockwise(behind))) & CORNERS
    one_ring_on = (men << np.uint64(8)) | (men >> np.uint64(16))
    two_rings_on = (men << np.uint64(16)) | (men >> np.uint64(8))
    return midpoint_sides | corner_sides | (one_ring_on & two_rings_on & MIDPOINTS)


@kernel
def takeable_men(men: Bitboard) -> Bitboard:
    """Return the men that may be taken: those outside mills, or all if there is none outside (1.6)."""
    free = men & ~closing_points(men)
    return free if free != NO_CELLS else men


@kernel
def count_mills(men: Bitboard) -> int:
    """Return the number of complete mills among `men`."""
    behind, ahead = clockwise(men), anticlockwise(men)
    sides = men & MIDPOINTS & behind & ahead
    spokes = men & (men >> np.uint64(8)) & (men >> np.uint64(16)) & MIDPOINTS
    return count_cells(sides) + count_cells(spokes)


@kernel
def count_steps(men: Bitboard, empties: Bitboard) -> int:
    """Return how many steps along a line to an empty neighbour `men` have."""
    midpoints = men & MIDPOINTS
    return (
        count_cells(clockwise(men) & empties)
        + count_cells(anticlockwise(men) & empties)
        + count_cells((midpoints << np.uint64(8)) & empties)
        + count_cells((midpoints >> np.uint64(8)) & empties)
    )


@kernel
def hand_of_mover(position: MorrisPosition) -> int:
    """Return how many men the mover has in hand."""
    return to_count(position.hands & HAND_MASK)


@kernel
def flies(board: MorrisBoard, position: MorrisPosition) -> bool:
    """Return whether the mover, with none in hand, may move to any empty point (1.4)."""
    return count_cells(position.mover) == 3 and board.options[0] == np.uint64(1)


@kernel
def write_moves(origin: int, targets: Bitboard, takeable: Bitboard, moves: MoveBuffer, count: int) -> int:
    """Append the moves from `origin` to each target, one for each man of `takeable` if any; return the new count."""
    while targets != NO_CELLS:
        stem = origin | lowest_cell(targets) << 5
        targets &= targets - np.uint64(1)
        if takeable == NO_CELLS:
            moves[count] = stem | NOTHING << 10
            count += 1
        taken = takeable
        while taken != NO_CELLS:
            moves[count] = stem | lowest_cell(taken) << 10
            taken &= taken - np.uint64(1)
            count += 1
    return count


@kernel
def generate_moves(board: MorrisBoard, position: MorrisPosition, moves: MoveBuffer) -> int:
    """Write the legal moves, those that close a mill with every man that may be taken (1.2-1.7)."""
    mover = position.mover
    empties = ~(mover | position.opponent) & ALL_POINTS
    takeable = takeable_men(position.opponent)
    if hand_of_mover(position) > 0:
        closing = closing_points(mover)
        count = write_moves(HAND, empties & closing, takeable, moves, 0)
        return write_moves(HAND, empties & ~closing, NO_CELLS, moves, count)
    count = 0
    if count_cells(mover) < 3:
        return count
    is_flying = flies(board, position)
    men = mover
    while men != NO_CELLS:
        man = men & (~men + np.uint64(1))
        men ^= man
        targets = empties if is_flying else neighbours(man) & empties
        closing = closing_points(mover ^ man)
        count = write_moves(lowest_cell(man), targets & closing, takeable, moves, count)
        count = write_moves(lowest_cell(man), targets & ~closing, NO_CELLS, moves, count)
    return count


@kernel
def generate_noisy(board: MorrisBoard, position: MorrisPosition, moves: MoveBuffer) -> int:
    """Write the legal moves that close a mill."""
    mover = position.mover
    empties = ~(mover | position.opponent) & ALL_POINTS
    takeable = takeable_men(position.opponent)
    if hand_of_mover(position) > 0:
        return write_moves(HAND, empties & closing_points(mover), takeable, moves, 0)
    count = 0
    if count_cells(mover) < 3:
        return count
    is_flying = flies(board, position)
    men = mover
    while men != NO_CELLS:
        man = men & (~men + np.uint64(1))
        men ^= man
        targets = empties if is_flying else neighbours(man) & empties
        count = write_moves(lowest_cell(man), targets & closing_points(mover ^ man), takeable, moves, count)
    return count


@kernel
def count_closing_steps(mover: Bitboard, targets: Bitboard) -> int:
    """Return how many steps along a line to one of `targets` complete a mill."""
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
def count_flights(mover: Bitboard, empties: Bitboard, takings: int) -> int:
    """Return how many moves of three men to any empty point there are, with `takings` choices for each mill closed."""
    count = 0
    men = mover
    while men != NO_CELLS:
        man = men & (~men + np.uint64(1))
        men ^= man
        count += count_cells(empties) + count_cells(empties & closing_points(mover ^ man)) * (takings - 1)
    return count


@kernel
def count_moves(board: MorrisBoard, position: MorrisPosition) -> int:
    """Return how many moves `generate_moves` would write."""
    mover = position.mover
    empties = ~(mover | position.opponent) & ALL_POINTS
    takings = max(count_cells(takeable_men(position.opponent)), 1)
    if hand_of_mover(position) > 0:
        closing = count_cells(empties & closing_points(mover))
        return count_cells(empties) + closing * (takings - 1)
    if count_cells(mover) < 3:
        return 0
    if flies(board, position):
        return count_flights(mover, empties, takings)
    return count_steps(mover, empties) + count_closing_steps(mover, empties) * (takings - 1)


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
    """Write the mover's loss, and return why: too few men, or no ply (1.7)."""
    ranks[0] = 2
    ranks[1] = 1
    return TOO_FEW_MEN if count_cells(position.mover) < 3 else BLOCKED


@kernel
def evaluate_side(men: Bitboard, hand: int, empties: Bitboard) -> int:
    """Return the worth of one side: men, room to move, mills, and pairs that an empty point completes to a mill."""
    return (
        MAN_WORTH * (count_cells(men) + hand)
        + MOBILITY_WORTH * count_steps(men, empties)
        + MILL_WORTH * count_mills(men)
        + TWO_WORTH * count_cells(closing_points(men) & empties)
    )


@kernel
def evaluate(_board: MorrisBoard, position: MorrisPosition) -> int:
    """Return the difference of the two sides' worth, mover's view."""
    empties = ~(position.mover | position.opponent) & ALL_POINTS
    opponent_hand = to_count(position.hands >> HAND_BITS)
    return evaluate_side(position.mover, hand_of_mover(position), empties) - evaluate_side(
        position.opponent, opponent_hand, empties
    )


@kernel
def is_noisy(_board: MorrisBoard, _position: MorrisPosition, move: int) -> bool:
    """Return whether the move takes a man."""
    return move >> 10 != NOTHING


@kernel
def is_irreversible(_board: MorrisBoard, _position: MorrisPosition, move: int) -> bool:
    """Return whether the move places or takes (1.8)."""
    return move & 31 == HAND or move >> 10 != NOTHING


@kernel
def pass_turn(_board: MorrisBoard, position: MorrisPosition) -> MorrisPosition:
    """Return the position from the opponent's view."""
    hands = position.hands
    return MorrisPosition(position.opponent, position.mover, hands >> HAND_BITS | (hands & HAND_MASK) << HAND_BITS)


@kernel
def may_pass(_board: MorrisBoard, position: MorrisPosition) -> bool:
    """Return whether the mover places: to have to move is what blocked men lose by, to place rarely harms."""
    return hand_of_mover(position) > 0


KERNELS = Kernels(
    generate_moves=generate_moves,
    count_moves=count_moves,
    make_move=make_move,
    outcome=outcome,
    evaluate=evaluate,
    is_noisy=is_noisy,
    is_irreversible=is_irreversible,
    max_moves=MAX_MOVES,
    generate_noisy=generate_noisy,
    pass_turn=pass_turn,
    may_pass=may_pass,
)
