"""What one search of a match hands on to the next: how well moves did, and how wrong static worths were.

No entries: those are in the table that it is kept with (`engine.transposition_table`).
"""

import numpy as np

from ..game import MOVE_LIMIT, Game
from ..transposition_table import Histories
from .correction_history import new_corrections

AGEING = 2
"""What a search begins with is what the one before knew of moves over this: the match has moved on."""


def new_histories(game: Game, seat: int) -> Histories:
    """Return that of nothing, for a search with this seat to move at its root."""
    history = np.zeros((max(game.seats), MOVE_LIMIT), dtype=np.int32)
    return Histories(history, new_corrections(), seat)


def renew_histories(histories: Histories | None, game: Game, seat: int, seats: int) -> Histories:
    """Return what a search with this seat of so many to move at its root begins with.

    It takes the arrays over and changes them. That of another game counts for none.
    """
    if histories is None or histories.history.shape[0] != max(game.seats):
        return new_histories(game, seat)
    history = histories.history
    history //= AGEING
    if seat != histories.seat:
        history[:seats] = np.roll(history[:seats], histories.seat - seat, axis=0)
    return histories._replace(seat=seat)


def borrow_histories(histories: Histories | None, game: Game, seat: int, seats: int) -> Histories:
    """Return the same as `renew_histories`, for a search of some of the moves only: what was taken over is left alone.

    The lessons of such a search would mislead the next of all moves.
    """
    if histories is not None:
        history, corrections = histories.history.copy(), histories.corrections.copy()
        histories = histories._replace(history=history, corrections=corrections)
    return renew_histories(histories, game, seat, seats)
