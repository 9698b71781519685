"""Repetition detection in the search tree: a filter by slots, then a comparison of the line's keys.

The rule itself is `engine.repetition`. See chessprogramming.org/Repetitions.
"""

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_count
from .tree import SEEN_SLOTS


@kernel
def slot_of(key: np.uint64) -> int:
    """Return the slot of `Tree.seen` in which a key is counted."""
    return to_count(key & np.uint64(SEEN_SLOTS - 1))


@kernel
def count_repeats(keys: NDArray[np.uint64], at: int, reversible: int, past: int, seats: int) -> int:
    """Return how often the position `at` occurred before with the same seat to move, counting 2 for each occurrence
    since the root."""
    repeats = 0
    for earlier in range(at - seats, at - reversible - 1, -seats):
        if keys[earlier] == keys[at]:
            repeats += 2 if earlier >= past else 1
    return repeats
