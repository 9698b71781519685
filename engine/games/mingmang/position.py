"""What a position of Ming Mang consists of.

No moves and no worth: those are in `kernels` and `evaluation`, which import this.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bits import Bitboard


class MingMangBoard(NamedTuple):
    """What is the same for a whole match: nothing but the board itself."""

    squares: NDArray[np.uint64]
    """One element: the squares of the board, all 64."""


class MingMangPosition(NamedTuple):
    """What lies on the board, mover's view."""

    mover: Bitboard
    opponent: Bitboard
    passes: Bitboard
    """The passes just made in a row, 0..2; no part of what may not come back (2.4)."""
