"""How a search overlooks moves, as weak players do. Imported by `engine.search.loop`.

What is overlooked depends on nothing but position, move and seed, so that a player is blind for the same move however
deep it looks, and the same seed plays the same match. What changes the balance catches the eye: it is overlooked half
as often as a quiet move, and never by the player at the board itself, who so takes what there is to take.
"""

import numpy as np

from engine.bits import kernel, to_count

CERTAIN = 1000
"""Lapses are told in thousandths: this is a move that is always overlooked."""


@kernel
def is_overlooked(key: np.uint64, move: int, seed: int, lapses: int) -> bool:
    """Return whether a move of the position with that key is overlooked: `lapses` of 1000 are."""
    mixed = (key ^ np.uint64(seed) ^ np.uint64(move) * np.uint64(0xD1B54A32D192ED03)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(32)) * np.uint64(0xBF58476D1CE4E5B9)
    return to_count(mixed >> np.uint64(32)) % CERTAIN < lapses
