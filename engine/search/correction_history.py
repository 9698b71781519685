"""By how much static worths have proved wrong, to put the next ones right.

Not the search: it only keeps and reads statistics in the array that it is given. See
chessprogramming.org/Static_Evaluation_Correction_History.

Where the mover's men stand as they stood in some positions before, and where the opponent's do, what those positions
proved to be worth tells something of this one. Both are kept apart, and what they say is added up. So both learn alike
from what their sum leaves wrong (Widrow and Hoff, Adaptive switching circuits, 1960). If each learned the whole, they
would add twice what was found; and as what a search finds hangs on the corrections below, where often the same men
stand, the next would find twice of that.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_count

Corrections: TypeAlias = NDArray[np.int32]
"""What is to be added to a static worth, in `PARTS` of a hundredth of a man: shape `(2, 1 << INDEX_BITS)`. By a hash of
a position's first word in row 0 and of its second in row 1: in games for two, the mover's men and the opponent's."""

INDEX_BITS = 16
PARTS = 256
MAX_CORRECTION = 150
"""The most that one row adds."""

MAX_UPDATE_WEIGHT = 16
"""Of a search, in parts of `PARTS`: how far it moves each row by what their sum leaves wrong."""

SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2 to the 64 over the golden ratio: the highest bits of a product with it are a hash (Knuth, volume 3, 6.4)."""


def new_corrections() -> Corrections:
    """Return corrections of nothing."""
    return np.zeros((2, 1 << INDEX_BITS), dtype=np.int32)


@kernel
def correction_of(corrections: Corrections, words: NDArray[np.uint64], ply: int) -> int:
    """Return what to add to the static worth of the position `words[ply]`, in hundredths of a man."""
    mover, opponent = index_of(words[ply, 0]), index_of(words[ply, 1])
    return (int(corrections[0, mover]) + int(corrections[1, opponent])) // PARTS


@kernel
def update_correction(
    corrections: Corrections, words: NDArray[np.uint64], ply: int, hundredths: int, depth: int
) -> None:
    """Note that a search to some depth found the position `words[ply]` worth so much more than its static worth."""
    most = MAX_CORRECTION * PARTS
    mover, opponent = index_of(words[ply, 0]), index_of(words[ply, 1])
    known = int(corrections[0, mover]) + int(corrections[1, opponent])
    step = (min(max(hundredths * PARTS, -2 * most), 2 * most) - known) * min(2 * depth, MAX_UPDATE_WEIGHT) // PARTS
    corrections[0, mover] = min(max(int(corrections[0, mover]) + step, -most), most)
    corrections[1, opponent] = min(max(int(corrections[1, opponent]) + step, -most), most)


@kernel
def index_of(word: np.uint64) -> int:
    """Return the column of a word."""
    return to_count(word * SPREAD >> np.uint64(64 - INDEX_BITS))
