"""ABDADA: marks the positions that threads of one search are at, so that they do not search the same ones at once.

A thread that reaches a move whose position another thread is searching tries its other moves first; when it returns to
the move, the other's result is in the table. See Weill, The ABDADA distributed minimax search algorithm (1996), in the
simplified form of Kerrigan: chessprogramming.org/ABDADA. A lost or stale mark costs time, never correctness, so there
are no locks.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_count

Busy: TypeAlias = NDArray[np.uint64]
"""The keys of positions being searched, by slot: shape `(BUSY_SLOTS,)`, or `(0,)` for one thread."""

BUSY_SLOTS = 1 << 15
SHARED_DEPTH = 3
"""Minimum depth of marked positions, in plies."""

PLACE_SHIFT = 50
"""The lowest bit of a deferred move's place in the ordering; ranked moves are less than half of that bit."""

NO_SHARED_MARKS: Busy = np.zeros(0, dtype=np.uint64)


def new_busy(threads: int) -> Busy:
    """Return the marks for a number of threads."""
    return np.zeros(BUSY_SLOTS, dtype=np.uint64) if threads > 1 else NO_SHARED_MARKS


@kernel
def defer_move(ranked_move: int, place: int) -> int:
    """Return a ranked move, the `place`th of its node, moved behind all moves that were not deferred."""
    return ranked_move - (place << PLACE_SHIFT)


@kernel
def place_of(ranked_move: int) -> int:
    """Return the place that `defer_move` was given, or 0 for a move that was not deferred."""
    return (1 << PLACE_SHIFT - 1) - ranked_move >> PLACE_SHIFT


@kernel
def is_busy(busy: Busy, key: np.uint64) -> bool:
    """Return whether a thread is searching the position of a key."""
    return busy[to_count(key & np.uint64(BUSY_SLOTS - 1))] == key  # type: ignore[no-any-return]


@kernel
def mark_busy(busy: Busy, key: np.uint64) -> None:
    """Mark a position as being searched."""
    busy[to_count(key & np.uint64(BUSY_SLOTS - 1))] = key


@kernel
def end_busy(busy: Busy, key: np.uint64) -> None:
    """Remove the mark of a position, unless another position's mark is in its slot."""
    if busy[to_count(key & np.uint64(BUSY_SLOTS - 1))] == key:
        busy[to_count(key & np.uint64(BUSY_SLOTS - 1))] = np.uint64(0)
