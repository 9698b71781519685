"""Repetition detection in the search tree: a filter by slots, then a comparison of the line's keys.

The rule itself is `engine.repetition`. See chessprogramming.org/Repetitions.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..bindings import compiled_for, packing_of
from ..bits import kernel, to_count
from ..game import Game
from .tree import SEEN_SLOTS

LineKeys = Callable[[NDArray[np.uint64], int, int, NDArray[np.uint64], NDArray[np.int64]], None]
"""`(line, first, count, keys, seen)`: write the repetition keys of the positions in some rows to `keys`, and count them
in `Tree.seen`."""


@cache
def make_line_keys(game: Game) -> LineKeys:
    """Return the compiled function that tells a search of a game which positions led to its root."""
    packing = packing_of(game)
    unpack_row, hash_position = packing.unpack_row, packing.hash_position
    settled_width = game.rules.position_words - game.rules.transient_words

    @kernel
    def write_line_keys(
        line: NDArray[np.uint64], first: int, count: int, keys: NDArray[np.uint64], seen: NDArray[np.int64]
    ) -> None:
        for index in range(count):
            key = hash_position(unpack_row(line, first + index), settled_width)
            keys[index] = key
            seen[slot_of(key)] += 1

    return compiled_for(game, write_line_keys)


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
