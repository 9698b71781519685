"""The values of leaves: ends of play, tablebase positions, and static evaluations with the errors of weak levels.

The static evaluation itself is each game's own (`Kernels.evaluate`).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_count
from ..game import Board, Game, Position
from ..tablebase.codes import DRAWN, is_won
from ..transposition_table import WIN

RANK_VALUE = 100
"""The value of ranking above one more seat than below, short of a win, in hundredths of a man."""


@kernel
def noise_of(key: np.uint64, seed: int, amplitude: int) -> int:
    """Return a number within +-amplitude that depends only on position and seed."""
    mixed = (key ^ np.uint64(seed)) * np.uint64(0x9E3779B97F4A7C15)
    return to_count(mixed >> np.uint64(32)) % (2 * amplitude + 1) - amplitude


@kernel
def value_of_ranks(ranks: NDArray[np.int32], seat: int, seats: int, ply: int) -> int:
    """Return the value of an end of play for a seat, from how many seats it ranks above and below.

    Being first alone is a win, and being last alone a loss. With more than two seats, all other ranks have small values
    around 0.
    """
    balance = 0
    for other in range(seats):
        balance += int(ranks[other] > ranks[seat]) - int(ranks[other] < ranks[seat])
    if balance == seats - 1:
        return WIN - ply
    return ply - WIN if balance == 1 - seats else balance * RANK_VALUE


@kernel
def value_of_code(code: int, ply: int) -> int:
    """Return the value of a tablebase code for the side to move."""
    if code == DRAWN:
        return 0
    end = ply + code - 1
    return WIN - end if is_won(code) else end - WIN


class LeafValues(NamedTuple):
    """The kernels that evaluate leaves for the side to move, `turn` plies after the root's seat."""

    table_key: Callable[[np.uint64, int, int, int], np.uint64]
    """`(key, turn, answers, seats)`: the transposition table's key of a position."""
    value_of_end: Callable[[Board, Position, int, int, int, NDArray[np.int32]], int]
    """`(board, position, ply, turn, seats, ranks)`: the value of a position where play is over; `ranks` is scratch
    space."""
    static_evaluation: Callable[[Board, Position, int, int], int]
    """`(board, position, turn, seats)`: the static evaluation."""


def make_leaf_values(game: Game) -> LeafValues:
    """Return the compiled evaluation of a game's leaves."""
    outcome, evaluate, evaluate_for = (
        game.rules.kernels.outcome,
        game.rules.kernels.evaluate,
        game.rules.kernels.evaluate_for,
    )
    most_seats = max(game.seats)

    @kernel
    def table_key(key: np.uint64, turn: int, answers: int, seats: int) -> np.uint64:
        if seats == 2:
            return key
        return key ^ np.uint64(turn * most_seats + answers) * np.uint64(0x9E3779B97F4A7C15)

    @kernel
    def value_of_end(
        board: Board, position: Position, ply: int, turn: int, seats: int, ranks: NDArray[np.int32]
    ) -> int:
        outcome(board, position, ranks)
        value = value_of_ranks(ranks, (seats - turn) % seats, seats, ply)
        return value if turn == 0 else -value

    def evaluate_for_mover(board: Board, position: Position, _turn: int, _seats: int) -> int:
        return evaluate(board, position)

    def evaluate_for_side(board: Board, position: Position, turn: int, seats: int) -> int:
        """Return the evaluation where the mover may be one of several seats on its side: that of the root's seat,
        negated."""
        view = 0 if seats == 2 else (seats - turn) % seats
        evaluation: int = evaluate_for(board, position, view)  # type: ignore[misc]  # compiled only where there is one
        return evaluation if view == 0 else -evaluation

    static_evaluation = kernel(evaluate_for_mover if evaluate_for is None else evaluate_for_side)
    return LeafValues(table_key, value_of_end, static_evaluation)
