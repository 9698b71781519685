"""The static evaluation of Ming Mang: its terms for each side, and its phases.

The weights are data (`weights.json`, made by `millrace tune mingmang`). Men, squares that only one side reaches in one
move, men on the long diagonal and the move are the terms published for the program CAMMP. A captured man counts for
both sides, hence half a hundred for each.
"""

import numpy as np

from ...bits import NO_CELLS, Bitboard, count_cells, kernel
from ...game import EvaluationTerms, WeightTable
from .position import MingMangBoard, MingMangPosition
from .squares import (
    NOT_A_FILE,
    ONE,
    RANK,
    flood,
    ground,
    has_men_between,
    men_in_danger,
    neighbours,
    reach,
)

KINDS = ("a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4")
"""One square of each class of squares that the board's symmetries map to each other."""

TERMS = (
    *(f"men_like_{square}" for square in KINDS),
    "front",  # men on the a1-h8 diagonal, which divides the two sides' starts
    "reach",  # empty squares that one move reaches; those that both sides reach cancel
    "threatened",  # men that an opposing move could take
    "blocked",  # men without an empty neighbour
    "pairs",  # men side by side
    "touched",  # men beside an opposing one
    "ground",  # empty squares to which this side has the shorter way, step by step
    "lead",  # 1 for the side with more territory (2.7), once the sides are parted
    "secured",  # 1 for the side whose lead in territory is secure
    "move",  # 1 for the side to move
)
FRONT, REACH, THREATENED, BLOCKED, PAIRS, TOUCHED, GROUND, LEAD, SECURED, MOVE = range(len(KINDS), len(TERMS))

PHASES = ("opening", "middle", "parted")
"""From all men on the edge, as at the start, to most of them away from it; and *parted*, once walls of men separate the
sides, so that no empty square can be reached by both: territory is then what it would be if play ended."""

MEN = 28
EDGE = np.uint64(0xFF818181818181FF)
MIDDLE_EDGE_MEN = 6
"""The middle phase is reached with this many men on the edge."""

PARTED_ROW = MEN + 1
"""The row of the phase `parted`; those before it are by the number of men on the edge."""

HALF = 32
"""Half of the squares. A side that keeps more has won; if both keep half, neither can win."""

DIAGONAL = np.uint64(0x8040201008040201)


def squares_like(square: str) -> int:
    """Return the squares that the board's symmetries map a square to."""
    column, row = "abcdefgh".index(square[0]), int(square[1]) - 1
    images = {(column, row), (row, column)}
    images |= {(7 - x, y) for x, y in images}
    images |= {(x, 7 - y) for x, y in images}
    return sum(1 << x + 8 * y for x, y in images)


SQUARES_BY_KIND = np.array([squares_like(square) for square in KINDS], dtype=np.uint64)


@kernel
def weigh_side(
    table: WeightTable, row: int, men: Bitboard, opponents: Bitboard, reached: Bitboard, opposed: Bitboard
) -> int:
    """Return the evaluation of one side by a row of weights, without its ground, given the squares that both sides
    reach in one move."""
    empties = ~(men | opponents)
    evaluation: int = table[row, FRONT] * count_cells(men & DIAGONAL)
    for kind in range(len(KINDS)):
        evaluation += table[row, kind] * count_cells(men & SQUARES_BY_KIND[kind])
    evaluation += table[row, REACH] * count_cells(reached)
    evaluation += table[row, THREATENED] * count_cells(men_in_danger(men, opponents, opposed))
    evaluation += table[row, BLOCKED] * count_cells(men & ~neighbours(empties))
    evaluation += table[row, PAIRS] * (count_cells(men & men << RANK) + count_cells(men & men << ONE & NOT_A_FILE))
    evaluation += table[row, TOUCHED] * count_cells(men & neighbours(opponents))
    return evaluation


@kernel
def squares_kept(men: Bitboard, empties: Bitboard, confines: Bitboard) -> int:
    """Return the number of squares that the men keep by passing forever against any play; 0 for less than half.

    `confines` are the squares that the opponents reach without capturing. While the men stand still, the opponents
    leave it only by a capture, for which they must come to both ends of a line of the men (2.3). A pass is never
    forbidden (2.5), and with an empty square outside `confines` the men are not stalemated (2.6).
    """
    kept = count_cells(~confines)
    if kept < HALF or empties & ~confines == NO_CELLS or has_men_between(men, confines):
        return 0
    return kept


@kernel
def is_settled(_board: MingMangBoard, position: MingMangPosition) -> bool:
    """Return whether a side keeps more than half of the squares by passing forever, or both keep half."""
    mover, opponent = position.mover, position.opponent
    empties = ~(mover | opponent)
    kept = squares_kept(mover, empties, flood(opponent, empties))
    opponent_kept = squares_kept(opponent, empties, flood(mover, empties))
    return max(kept, opponent_kept) > HALF or min(kept, opponent_kept) == HALF


@kernel
def weigh(_board: MingMangBoard, position: MingMangPosition, _turn: int, table: WeightTable) -> int:
    """Return the evaluation of the mover's side less the opponent's, plus what the move adds.

    A side that keeps half of the squares cannot lose, regardless of the terms: only there it is not linear in the
    table.
    """
    mover, opponent = position.mover, position.opponent
    empties = ~(mover | opponent)
    reached, opposed = reach(mover, empties), reach(opponent, empties)
    near, far = ground(mover, opponent, empties)
    are_parted = near | far == empties and neighbours(near) & far == NO_CELLS
    row = PARTED_ROW if are_parted else count_cells((mover | opponent) & EDGE)
    more_ground = count_cells(near) - count_cells(far)
    evaluation: int = table[row, MOVE] + table[row, GROUND] * more_ground
    if are_parted:
        more_territory = more_ground + count_cells(mover) - count_cells(opponent)
        evaluation += table[row, LEAD] * ((more_territory > 0) - (more_territory < 0))
    kept = squares_kept(mover, empties, flood(opponent | opposed, empties))
    opponent_kept = squares_kept(opponent, empties, flood(mover | reached, empties))
    if kept > 0 and opponent_kept > 0:
        return 0
    evaluation += table[row, SECURED] * ((kept > HALF) - (opponent_kept > HALF))
    evaluation += weigh_side(table, row, mover, opponent, reached, opposed)
    evaluation -= weigh_side(table, row, opponent, mover, opposed, reached)
    if kept == HALF:
        return max(evaluation, 0)
    return min(evaluation, 0) if opponent_kept == HALF else evaluation


def phase_shares() -> list[tuple[float, float, float]]:
    """Return the share of each phase in each row."""
    openings = [max(edge - MIDDLE_EDGE_MEN, 0) / (MEN - MIDDLE_EDGE_MEN) for edge in range(MEN + 1)]
    return [*((opening, 1 - opening, 0.0) for opening in openings), (0.0, 0.0, 1.0)]


EVALUATION = EvaluationTerms(__package__, TERMS, PHASES, np.array(phase_shares()), weigh)
