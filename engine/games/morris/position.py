"""The position of Nine Men's Morris, and the options of a match."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bits import Bitboard, kernel, to_count

MEN = 9
HAND_BITS = np.uint64(4)
HAND_MASK = np.uint64(15)


class MorrisBoard(NamedTuple):
    """The options of a match."""

    options: NDArray[np.uint64]
    """1 if a side with three men flies, 0 if it does not (1.4); and the plies after which men are counted, 0 for never
    (`judged=N`)."""


class MorrisPosition(NamedTuple):
    """The men on the board and in hand, from the mover's view."""

    mover: Bitboard
    opponent: Bitboard
    hands: Bitboard
    """The mover's men in hand in bits 0..3, the opponent's in bits 4..7."""


@kernel
def hand_of_mover(position: MorrisPosition) -> int:
    """Return how many men the mover has in hand."""
    return to_count(position.hands & HAND_MASK)


@kernel
def hand_of_opponent(position: MorrisPosition) -> int:
    """Return how many men the opponent has in hand."""
    return to_count(position.hands >> HAND_BITS)
