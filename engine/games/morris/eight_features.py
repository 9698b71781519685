"""The published evaluation of Nine Men's Morris with eight features and three phases.

Its weights are `eight-features.json`, ten times as large as published. Each feature is a side's less the opponent's,
weighed by the phase of the side to move: placing, moving, or flying with three men.

One feature depends on the last ply, which positions do not store. `remember_closed_mills` returns a game whose
positions store it in a transient word; the rules are the same.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...bits import NO_CELLS, Bitboard, cell_bit, count_cells, kernel
from ...game import EvaluationTerms, Game, Start, WeightTable
from .evaluation import ALL_RINGS, lines_of
from .kernels import make_move, pass_turn
from .points import ALL_POINTS, anticlockwise, clockwise, closing_points, count_steps, neighbours
from .position import MorrisBoard, MorrisPosition, hand_of_mover, hand_of_opponent

TERMS = (
    "closed_mill",  # 1 for the side whose ply, the last one, closed a mill
    "mills",
    "blocked_opponents",  # opposing men without a step
    "men",  # on the board and in hand
    "two_configurations",  # lines with two men and an empty point
    "three_configurations",  # men that stand in two such lines
    "double_mills",  # men that stand in two mills
    "won",  # 1 if the opponent has fewer than three men, or could not move
)
CLOSED_MILL, MILLS, BLOCKED_OPPONENTS, MEN, TWOS, THREES, DOUBLE_MILLS, WON = range(len(TERMS))

PHASES = ("placing", "moving", "flying")
PLACING_ROW, MOVING_ROW, FLYING_ROW = range(len(PHASES))


CLOSED, NOT_CLOSED = np.uint64(1), np.uint64(0)


class RememberingPosition(NamedTuple):
    """A `MorrisPosition` that remembers whether the last ply closed a mill."""

    mover: Bitboard
    opponent: Bitboard
    hands: Bitboard
    closed_mill: Bitboard
    """`CLOSED` if the opponent's last ply closed a mill; `NOT_CLOSED` also where it is not known. A transient word."""


@kernel
def make_remembered_move(board: MorrisBoard, position: RememberingPosition, move: int) -> RememberingPosition:
    """Return the position after the move, from the opponent's view."""
    after = make_move(board, MorrisPosition(position.mover, position.opponent, position.hands), move)
    target = cell_bit((move >> 5) & 31)
    is_closing = closing_points(after.opponent ^ target) & target != NO_CELLS
    return RememberingPosition(after.mover, after.opponent, after.hands, CLOSED if is_closing else NOT_CLOSED)


@kernel
def pass_remembered_turn(board: MorrisBoard, position: RememberingPosition) -> RememberingPosition:
    """Return the position from the opponent's view."""
    after = pass_turn(board, MorrisPosition(position.mover, position.opponent, position.hands))
    return RememberingPosition(after.mover, after.opponent, after.hands, NOT_CLOSED)


def remember_closed_mills(game: Game) -> Game:
    """Return the game with positions that remember whether the last ply closed a mill."""
    rules, parse_setup = game.rules, game.texts.parse_setup

    def parse_remembered_setup(text: str) -> Start:
        start = parse_setup(text)
        return start._replace(words=np.append(start.words, NOT_CLOSED))

    kernels = rules.kernels._replace(make_move=make_remembered_move, pass_turn=pass_remembered_turn)
    remembering = replace(
        rules,
        kernels=kernels,
        position_type=RememberingPosition,
        position_words=len(RememberingPosition._fields),
        transient_words=1,
    )
    return replace(game, rules=remembering, texts=replace(game.texts, parse_setup=parse_remembered_setup))


@kernel
def is_flying(board: MorrisBoard, men: Bitboard, hand: int) -> bool:
    """Return whether a side flies (1.4)."""
    return hand == 0 and count_cells(men) == 3 and board.options[0] == np.uint64(1)


@kernel
def weigh_side(
    board: MorrisBoard,
    table: WeightTable,
    row: int,
    men: Bitboard,
    opponents: Bitboard,
    hand: int,
    opponent_hand: int,
) -> int:
    """Return the evaluation of one side by a row of weights, without `closed_mill`."""
    empties = ~(men | opponents) & ALL_POINTS
    lines = lines_of(men, empties)
    ring_mills = lines.ring_mills
    in_ring_mills = ring_mills | clockwise(ring_mills) | anticlockwise(ring_mills)
    in_spoke_mills = lines.spoke_mills * ALL_RINGS
    corner_doubles = clockwise(ring_mills) & anticlockwise(ring_mills)
    in_spoke_twos = lines.spoke_twos * ALL_RINGS
    corner_threes = clockwise(lines.ring_twos) & anticlockwise(lines.ring_twos)
    cannot_move = (
        opponent_hand == 0 and not is_flying(board, opponents, opponent_hand) and count_steps(opponents, empties) == 0
    )
    has_won = count_cells(opponents) + opponent_hand < 3 or cannot_move
    evaluation: int = (
        table[row, MILLS] * (count_cells(ring_mills) + count_cells(lines.spoke_mills))
        + table[row, BLOCKED_OPPONENTS] * count_cells(opponents & ~neighbours(empties))
        + table[row, MEN] * (count_cells(men) + hand)
        + table[row, TWOS] * (count_cells(lines.ring_twos) + count_cells(lines.spoke_twos))
        + table[row, THREES] * count_cells(men & (corner_threes | lines.ring_twos & in_spoke_twos))
        + table[row, DOUBLE_MILLS] * count_cells(men & (corner_doubles | in_ring_mills & in_spoke_mills))
        + table[row, WON] * has_won
    )
    return evaluation


@kernel
def weigh(board: MorrisBoard, position: RememberingPosition, _turn: int, table: WeightTable) -> int:
    """Return the evaluation of the mover's side less the opponent's."""
    men = MorrisPosition(position.mover, position.opponent, position.hands)
    mover, opponent = position.mover, position.opponent
    hand, opponent_hand = hand_of_mover(men), hand_of_opponent(men)
    row = MOVING_ROW
    if hand + opponent_hand > 0:
        row = PLACING_ROW
    elif is_flying(board, mover, hand):
        row = FLYING_ROW
    evaluation: int = weigh_side(board, table, row, mover, opponent, hand, opponent_hand)
    evaluation -= weigh_side(board, table, row, opponent, mover, opponent_hand, hand)
    if position.closed_mill == CLOSED:
        evaluation -= table[row, CLOSED_MILL]
    return evaluation


EIGHT_FEATURES = EvaluationTerms(__package__, TERMS, PHASES, np.eye(len(PHASES)), weigh, remember=remember_closed_mills)
