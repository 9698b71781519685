"""Positions that come back, seen inside the tree: a filter by slots, then a look at the line's keys.

Not the rule itself, which is `engine.state`.
"""

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_count
from .tree import SEEN_SLOTS


@kernel
def slot_of(key: np.uint64) -> int:
    """Return where `Tree.seen` counts a key."""
    return to_count(key & np.uint64(SEEN_SLOTS - 1))


@kernel
def count_repeats(keys: NDArray[np.uint64], at: int, reversible: int, past: int, seats: int) -> int:
    """Return how often the position `at` came up before with the same seat to move, at least 2 if since the root."""
    repeats = 0
    for earlier in range(at - seats, at - reversible - 1, -seats):
        if keys[earlier] == keys[at]:
            repeats += 2 if earlier >= past else 1
    return repeats
