"""Aspiration windows as kernels, so that the search in the browser decides as the one on the server does.

A search keeps its window in an array of `WINDOW_WORDS` numbers; all values are from the view of the seat to move at the
root. See chessprogramming.org/Aspiration_Windows.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from ..transposition_table import PROVEN, WIN
from .records import is_seen_to_its_end
from .tree import ALPHA, BETA, DEPTH, DRAW_AT, ENTER, PLY, STEP, TABLE_MOVE

Window: TypeAlias = NDArray[np.int64]
"""The window of a search: shape `(WINDOW_WORDS,)`."""

WINDOW_WORDS = 4
LOW, HIGH, WIDTH, IS_AHEAD = range(WINDOW_WORDS)

FAILED_LOW, INSIDE, FAILED_HIGH = -1, 0, 1
"""How a value lies to its window."""

ASPIRATION_FROM_DEPTH = 4
ASPIRATION_WIDTH = 30
"""Half of the first window, in hundredths of a man. Each failure widens it fourfold."""

MAX_ASPIRATION_WIDTH = 500

DRAW_AT_SECOND, DRAW_AT_FIRST = 2, 1
"""Values of `DRAW_AT`: normally a position from before the root is a draw at its second repetition; with contempt, at
its first."""

VERIFYING_PLIES = 8
"""A win or loss is searched this many plies beyond its end before its distance counts as exact, since moves reduced or
pruned near the leaves may have hidden a shorter win. Of small endgames of Battle Sheep, 85% had the exact distance
without this, 98% with six plies and 99.7% with eight."""

UNMISSABLE_PLIES = 2
"""An end within this many plies cannot have been missed."""

CONTEMPT_LEAD = 50
"""A lead from which contempt applies, in hundredths of a man; it applies until the side is behind."""


@kernel
def open_window(
    window: Window, counters: NDArray[np.int64], value: int, depth: int, aspires: bool, has_contempt: bool
) -> None:
    """Set the first window of an iteration, around the value of the previous one, and whether contempt applies."""
    is_narrow = aspires and depth >= ASPIRATION_FROM_DEPTH and abs(value) < PROVEN
    width = ASPIRATION_WIDTH if is_narrow else 2 * WIN
    window[WIDTH], window[LOW], window[HIGH] = width, max(value - width, -WIN), min(value + width, WIN)
    # Without repetitions its value may be lower; that must not switch contempt off again.
    window[IS_AHEAD] = value >= (0 if window[IS_AHEAD] else CONTEMPT_LEAD)
    counters[DRAW_AT] = DRAW_AT_FIRST if has_contempt and window[IS_AHEAD] else DRAW_AT_SECOND


@kernel
def enter_window(
    window: Window, counters: NDArray[np.int64], frames: NDArray[np.int64], depth: int, first_move: int
) -> None:
    """Let the search begin at the root. `first_move` is for a root without a table entry: if the search is interrupted,
    its result is its first move."""
    counters[PLY], counters[STEP] = 0, ENTER
    frames[0, ALPHA], frames[0, BETA], frames[0, DEPTH] = window[LOW], window[HIGH], depth
    frames[0, TABLE_MOVE] = first_move


@kernel
def widen_window(window: Window, value: int) -> int:
    """Return how the value of a completed search lies to the window, and widen it if it lies outside."""
    width = window[WIDTH] * 4 if window[WIDTH] * 4 <= MAX_ASPIRATION_WIDTH else 2 * WIN
    window[WIDTH] = width
    if value <= window[LOW]:
        window[LOW] = max(value - width, -WIN)
        return FAILED_LOW
    if value >= window[HIGH]:
        window[HIGH] = min(value + width, WIN)
        return FAILED_HIGH
    return INSIDE


_is_seen_to_its_end = kernel(is_seen_to_its_end)


@kernel
def is_exact(value: int, depth: int) -> bool:
    """Return whether a value is a win or loss whose distance a search to this depth has made certain."""
    beyond = VERIFYING_PLIES if WIN - abs(value) > UNMISSABLE_PLIES else 0
    return _is_seen_to_its_end(value, depth - beyond)
