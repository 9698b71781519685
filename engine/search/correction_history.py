"""Correction history: how far static evaluations were off, to correct later ones.

See chessprogramming.org/Static_Evaluation_Correction_History.

If the mover's or the opponent's men are as in earlier positions, the search values of those positions are evidence
about this one. One correction is kept for each side's men, and both are added. Both learn from the error that their sum
leaves (Widrow and Hoff, Adaptive switching circuits, 1960): if each learned the whole error, their sum would be twice
as large, and errors would grow with every search that builds on corrected values.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_count

Corrections: TypeAlias = NDArray[np.int32]
"""Corrections of the static evaluation, in `PARTS` of a hundredth of a man: shape `(2, 1 << INDEX_BITS)`. Row 0 is
indexed by a hash of a position's first word and row 1 by one of its second: in games for two, the mover's men and the
opponent's."""

INDEX_BITS = 16
PARTS = 256
MAX_CORRECTION = 150
"""Maximum correction of one row, in hundredths of a man."""

MAX_UPDATE_WEIGHT = 16
"""Maximum weight of one search result, in `PARTS`."""

SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio: the highest bits of a product with it are a hash (Knuth, volume 3, 6.4)."""


def new_corrections() -> Corrections:
    """Return empty corrections."""
    return np.zeros((2, 1 << INDEX_BITS), dtype=np.int32)


@kernel
def correction_of(corrections: Corrections, words: NDArray[np.uint64], ply: int) -> int:
    """Return the correction of the static evaluation of the position `words[ply]`, in hundredths of a man."""
    mover, opponent = index_of(words[ply, 0]), index_of(words[ply, 1])
    return (int(corrections[0, mover]) + int(corrections[1, opponent])) // PARTS


@kernel
def update_correction(
    corrections: Corrections, words: NDArray[np.uint64], ply: int, hundredths: int, depth: int
) -> None:
    """Learn that a search to this depth returned this many hundredths more than the static evaluation of
    `words[ply]`.
    """
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
