"""The position of Ming Mang, and its board."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bits import Bitboard


class MingMangBoard(NamedTuple):
    """The board of a match: only its squares."""

    squares: NDArray[np.uint64]
    """One element: the squares of the board, all 64."""


class MingMangPosition(NamedTuple):
    """The men on the board, from the mover's view."""

    mover: Bitboard
    opponent: Bitboard
    passes: Bitboard
    """Passes just made in a row, 0..2; a transient word (2.4)."""
