"""The histories passed from one search of a match to the next: history heuristic and correction history.

The transposition table keeps them between searches (`engine.transposition_table`).
"""

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from ..game import MOVE_LIMIT, Game
from ..transposition_table import Histories
from .correction_history import new_corrections

AGEING = 2
"""The divisor of the move history at the start of the next search, since the match has moved on."""


def new_histories(game: Game, seat: int) -> Histories:
    """Return empty histories for a search with this seat to move at its root."""
    history = np.zeros((max(game.seats), MOVE_LIMIT), dtype=np.int32)
    return Histories(history, new_corrections(), seat)


def renew_histories(histories: Histories | None, game: Game, seat: int, seats: int) -> Histories:
    """Return the histories for a search with this seat to move at its root.

    The arrays of `histories` are reused and modified. Histories of another game are dropped.
    """
    if histories is None or histories.history.shape[0] != max(game.seats):
        return new_histories(game, seat)
    age_history(histories.history, histories.seat, seat, seats)
    return histories._replace(seat=seat)


@kernel
def age_history(history: NDArray[np.int32], before: int, seat: int, seats: int) -> None:
    """Age the move history of a search from `before`'s seat, and rotate its rows for one from another seat."""
    for row in range(history.shape[0]):
        for move in range(history.shape[1]):
            history[row, move] //= AGEING
    for _ in range((seat - before) % seats):
        for move in range(history.shape[1]):
            first = history[0, move]
            for row in range(seats - 1):
                history[row, move] = history[row + 1, move]
            history[seats - 1, move] = first


def borrow_histories(histories: Histories | None, game: Game, seat: int, seats: int) -> Histories:
    """Like `renew_histories`, but in new arrays, for a search of selected moves.

    The results of such a search would mislead the next full search.
    """
    if histories is not None:
        history, corrections = histories.history.copy(), histories.corrections.copy()
        histories = histories._replace(history=history, corrections=corrections)
    return renew_histories(histories, game, seat, seats)
