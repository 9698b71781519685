"""What the threads of one search tell one another beside the table: which positions somebody is at.

A thread that comes to a move whose position another is searching tries its other moves first; when it comes back to it,
the other's result is in the table. See Weill, The ABDADA distributed minimax search algorithm (1996), in the simple
form of Kerrigan: chessprogramming.org/ABDADA. A mark that is lost or stands too long costs time, never correctness, so
there are no locks.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_count

Busy: TypeAlias = NDArray[np.uint64]
"""The keys of positions that are being searched, each at its own place: `(BUSY_SLOTS,)`, or `(0,)` for one thread."""

BUSY_SLOTS = 1 << 15
SHARED_DEPTH = 3
"""In plies: what is searched less deep is not worth a mark."""

PLACE_SHIFT = 50
"""Ranked moves are less than half of that bit in size; above it a move that was put off has its place in the order."""

NO_SHARED_MARKS: Busy = np.zeros(0, dtype=np.uint64)


def new_busy(threads: int) -> Busy:
    """Return what so many threads share."""
    return np.zeros(BUSY_SLOTS, dtype=np.uint64) if threads > 1 else NO_SHARED_MARKS


@kernel
def defer_move(ranked_move: int, place: int) -> int:
    """Return a ranked move, the `place`th of its node, so that it comes after all others that were not put off."""
    return ranked_move - (place << PLACE_SHIFT)


@kernel
def place_of(ranked_move: int) -> int:
    """Return what `defer_move` was given for the place, or 0 for a move that was not put off."""
    return (1 << PLACE_SHIFT - 1) - ranked_move >> PLACE_SHIFT


@kernel
def is_busy(busy: Busy, key: np.uint64) -> bool:
    """Return whether a thread is at the position of a key."""
    return busy[to_count(key & np.uint64(BUSY_SLOTS - 1))] == key  # type: ignore[no-any-return]


@kernel
def mark_busy(busy: Busy, key: np.uint64) -> None:
    """Note that this thread is at a position now."""
    busy[to_count(key & np.uint64(BUSY_SLOTS - 1))] = key


@kernel
def end_busy(busy: Busy, key: np.uint64) -> None:
    """Note that it no longer is, unless another position's mark stands there."""
    if busy[to_count(key & np.uint64(BUSY_SLOTS - 1))] == key:
        busy[to_count(key & np.uint64(BUSY_SLOTS - 1))] = np.uint64(0)
