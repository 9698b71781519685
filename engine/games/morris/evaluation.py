"""The static evaluation of Nine Men's Morris: its terms for each side, and its phases.

The weights are data (`weights.json`, made by `millrace tune morris`). All terms are computed by operations on whole
boards (`points`), without loops over men. A *line* is one of the 16 rows and columns of three points; a line that one
side holds whole is a mill. Men, mills and lines with two men are terms of published programs; with equal men, mills
that can be closed by a step and not be prevented decide.
"""

from typing import NamedTuple

import numpy as np

from ...bits import Bitboard, count_cells, kernel
from ...game import EvaluationTerms, WeightTable
from .patterns import PATTERNS
from .points import (
    ALL_POINTS,
    CORNERS,
    MIDPOINTS,
    anticlockwise,
    clockwise,
    count_steps,
    neighbours,
)
from .position import MEN, MorrisBoard, MorrisPosition, hand_of_mover, hand_of_opponent

TERMS = (
    "men",  # on the board and in hand
    "five_men",  # 1 with five men or fewer
    "four_men",  # 1 with four men or fewer
    "steps",  # along a line to an empty neighbour
    "cramped",  # steps fewer than four
    "exits",  # empty points next to an own man and to no opposing one
    "blocked",  # men without a step
    "mills",
    "twos",  # lines with two men and an empty point
    "ones",  # lines with one man and two empty points
    "threes",  # men that stand in two lines of `twos`
    "closings",  # points where a step completes a mill
    "sure_closings",  # those without an opposing man beside them
    "shuttles",  # points where a step completes a mill with a man from another
    "swings",  # men of mills with a step to take, their point out of reach of opposing men: an unbreakable mill
    "crosses",  # men on the four points with four neighbours
    "tees",  # men on the eight points with three neighbours
    "move",  # 1 for the side to move
    "last",  # 1 for the side that places last
    "six_against_three",  # 1 for six men against three that fly, which hardly ever win
)
(
    MEN_TERM,
    FIVE_MEN,
    FOUR_MEN,
    STEPS,
    CRAMPED,
    EXITS,
    BLOCKED,
    MILLS,
    TWOS,
    ONES,
    THREES,
    CLOSINGS,
    SURE_CLOSINGS,
    SHUTTLES,
    SWINGS,
    CROSSES,
    TEES,
    MOVE,
    LAST,
    SIX_AGAINST_THREE,
) = range(len(TERMS))

PHASES = ("opening", "placing", "moving", "flying")
"""The phase of a side: from all men in hand to none, then moving, until three men fly."""

MOVING_ROW = 0
FLYING_ROW = 2 * MEN + 1
"""The last row; the rows before it are by the number of men in both hands."""

MIDDLE_RING = np.uint64(0x00FF00)
ONE_RING = np.uint64(8)
TWO_RINGS = np.uint64(16)
OUTER_RING = np.uint64(0xFF)
ALL_RINGS = np.uint64(0x010101)
"""The factor that copies a set of points of one ring to each ring."""


class Lines(NamedTuple):
    """The lines of a side by its men on them, with their other points empty. A line along a ring is identified by its
    midpoint, and one along spokes by its point on the outer ring."""

    ring_twos: Bitboard
    spoke_twos: Bitboard
    ring_ones: Bitboard
    spoke_ones: Bitboard
    ring_mills: Bitboard
    spoke_mills: Bitboard


@kernel
def lines_of(men: Bitboard, empties: Bitboard) -> Lines:
    """Return the lines of a side without opponents."""
    ahead, behind = anticlockwise(men), clockwise(men)
    free_ahead, free_behind = anticlockwise(empties), clockwise(empties)
    spokes = MIDPOINTS & OUTER_RING
    middle, inner = men >> ONE_RING, men >> TWO_RINGS
    free_middle, free_inner = empties >> ONE_RING, empties >> TWO_RINGS
    return Lines(
        ((men & (ahead & free_behind | behind & free_ahead)) | (empties & ahead & behind)) & MIDPOINTS,
        ((middle & (men & free_inner | inner & empties)) | (free_middle & men & inner)) & spokes,
        ((men & free_ahead & free_behind) | (empties & (ahead & free_behind | behind & free_ahead))) & MIDPOINTS,
        ((middle & empties & free_inner) | (free_middle & (men & free_inner | inner & empties))) & spokes,
        men & ahead & behind & MIDPOINTS,
        men & middle & inner & spokes,
    )


@kernel
def along_spokes(points: Bitboard) -> Bitboard:
    """Return the points that spokes join to `points`."""
    midpoints = points & MIDPOINTS
    return (midpoints << ONE_RING | midpoints >> ONE_RING) & ALL_POINTS


@kernel
def closed_by_steps(men: Bitboard, steppers: Bitboard) -> Bitboard:
    """Return the empty points where a step of one of `steppers`, which are part of `men`, completes a mill.

    A man that steps along a line cannot complete that line, since it leaves it: each direction has its own lines.
    """
    ahead, behind = anticlockwise(men), clockwise(men)
    from_ahead, from_behind = anticlockwise(steppers), clockwise(steppers)
    one_ring_on = men << ONE_RING | men >> TWO_RINGS
    two_rings_on = men << TWO_RINGS | men >> ONE_RING
    to_midpoints = ahead & behind & along_spokes(steppers) | one_ring_on & two_rings_on & (from_ahead | from_behind)
    to_corners = ahead & anticlockwise(ahead) & from_behind | behind & clockwise(behind) & from_ahead
    return (to_midpoints & MIDPOINTS | to_corners & CORNERS) & ALL_POINTS


@kernel
def weigh_side(table: WeightTable, row: int, men: Bitboard, opponents: Bitboard, hand: int) -> int:
    """Return the evaluation of one side by a row of weights."""
    empties = ~(men | opponents) & ALL_POINTS
    lines = lines_of(men, empties)
    in_mills = lines.ring_mills | clockwise(lines.ring_mills) | anticlockwise(lines.ring_mills)
    in_mills |= lines.spoke_mills * ALL_RINGS
    in_spoke_twos = lines.spoke_twos * ALL_RINGS
    corner_threes = clockwise(lines.ring_twos) & anticlockwise(lines.ring_twos)
    closings = closed_by_steps(men, men) & empties
    held = count_cells(men) + hand
    steps = count_steps(men, empties)
    opposed = neighbours(opponents)
    beside_empties = neighbours(empties)
    score: int = (
        table[row, MEN_TERM] * held
        + table[row, FIVE_MEN] * (held <= 5)
        + table[row, FOUR_MEN] * (held <= 4)
        + table[row, STEPS] * steps
        + table[row, CRAMPED] * max(4 - steps, 0)
        + table[row, EXITS] * count_cells(neighbours(men) & empties & ~opposed)
        + table[row, BLOCKED] * count_cells(men & ~beside_empties)
        + table[row, MILLS] * (count_cells(lines.ring_mills) + count_cells(lines.spoke_mills))
        + table[row, TWOS] * (count_cells(lines.ring_twos) + count_cells(lines.spoke_twos))
        + table[row, ONES] * (count_cells(lines.ring_ones) + count_cells(lines.spoke_ones))
        + table[row, THREES] * count_cells(men & (corner_threes | lines.ring_twos & in_spoke_twos))
        + table[row, CLOSINGS] * count_cells(closings)
        + table[row, SURE_CLOSINGS] * count_cells(closings & ~opposed)
        + table[row, SHUTTLES] * count_cells(closed_by_steps(men, in_mills) & empties)
        + table[row, SWINGS] * count_cells(in_mills & beside_empties & ~opposed)
        + table[row, CROSSES] * count_cells(men & MIDPOINTS & MIDDLE_RING)
        + table[row, TEES] * count_cells(men & MIDPOINTS & ~MIDDLE_RING)
    )
    return score


@kernel
def row_of(board: MorrisBoard, men: Bitboard, hands: int) -> int:
    """Return the row of weights for a side, given the men in both hands."""
    if hands > 0:
        return hands
    return FLYING_ROW if count_cells(men) == 3 and board.options[0] == np.uint64(1) else MOVING_ROW


@kernel
def weigh(board: MorrisBoard, position: MorrisPosition, _turn: int, table: WeightTable) -> int:
    """Return the evaluation of the mover's side less the opponent's, plus what the move and the last placement add."""
    mover, opponent = position.mover, position.opponent
    hand, opponent_hand = hand_of_mover(position), hand_of_opponent(position)
    hands = hand + opponent_hand
    row, opponent_row = row_of(board, mover, hands), row_of(board, opponent, hands)
    score: int = table[row, MOVE] + weigh_side(table, row, mover, opponent, hand)
    score -= weigh_side(table, opponent_row, opponent, mover, opponent_hand)
    if opponent_row == FLYING_ROW and count_cells(mover) == 6:
        score += table[row, SIX_AGAINST_THREE]
    elif row == FLYING_ROW and count_cells(opponent) == 6:
        score -= table[opponent_row, SIX_AGAINST_THREE]
    if hands > 0:
        score += table[row, LAST] if hand < opponent_hand else -table[row, LAST]
    return score


def phase_shares() -> list[tuple[float, float, float, float]]:
    """Return the share of each phase in each row."""
    placing = [(hands / (2 * MEN), 1 - hands / (2 * MEN), 0.0, 0.0) for hands in range(1, 2 * MEN + 1)]
    return [(0.0, 0.0, 1.0, 0.0), *placing, (0.0, 0.0, 0.0, 1.0)]


EVALUATION = EvaluationTerms(__package__, TERMS, PHASES, np.array(phase_shares()), weigh, PATTERNS)
