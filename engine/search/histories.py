"""What one search of a match hands on to the next: how well moves did, and how wrong static worths were.

No entries: those are in the table that it is kept with (`engine.transposition_table`).
"""

import numpy as np

from ..game import MOVE_LIMIT, Game
from ..transposition_table import Experience
from .correction_history import new_corrections

AGEING = 2
"""What a search begins with is what the one before knew of moves over this: the match has moved on."""


def new_experience(game: Game, seat: int) -> Experience:
    """Return that of nothing, for a search with this seat to move at its root."""
    history = np.zeros((max(game.seats), MOVE_LIMIT), dtype=np.int32)
    return Experience(history, new_corrections(), seat)


def renew_experience(experience: Experience | None, game: Game, seat: int, seats: int) -> Experience:
    """Return what a search with this seat of so many to move at its root begins with.

    It takes the arrays over and changes them. That of another game counts for none.
    """
    if experience is None or experience.history.shape[0] != max(game.seats):
        return new_experience(game, seat)
    history = experience.history
    history //= AGEING
    if seat != experience.seat:
        history[:seats] = np.roll(history[:seats], experience.seat - seat, axis=0)
    return experience._replace(seat=seat)


def borrow_experience(experience: Experience | None, game: Game, seat: int, seats: int) -> Experience:
    """Return the same as `renew_experience`, for a search of some of the moves only: what was taken over is left alone.

    The lessons of such a search would mislead the next of all moves.
    """
    if experience is not None:
        history, corrections = experience.history.copy(), experience.corrections.copy()
        experience = experience._replace(history=history, corrections=corrections)
    return renew_experience(experience, game, seat, seats)
