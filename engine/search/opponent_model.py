"""What more than two seats do to one another in a search: who stands on which side, and who may choose its ply.

With two seats all of it comes to nothing.
"""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from .tree import TURN


class OpponentModel(StrEnum):
    """What a search of more than two seats takes the others to do between two turns of the root's seat.

    `python -m benchmarks.seats --deals 10` (Battle Sheep, 2,000 nodes a ply; scores from 0, last alone, to 1, first
    alone; the error is that of the difference):

        seats  matches                                          difference
            3      180  paranoid    0.464   best reply  0.539   -0.075 +-0.040
                        paranoid    0.606   max-n       0.398   +0.208 +-0.039
                        best reply  0.604   max-n       0.388   +0.217 +-0.046
            4      420  paranoid    0.467   best reply  0.525   -0.058 +-0.021
                        paranoid    0.563   max-n       0.439   +0.124 +-0.022
                        best reply  0.586   max-n       0.422   +0.164 +-0.022

    So `BEST_REPLY` is the usual one. What it overlooks, two seats that together shut a third in, is rarer than what
    paranoia costs: it takes for lost what nobody would attack, and with as many nodes looks fewer rounds ahead. Max-n
    (`benchmarks.max_n`), in which each seat seeks its own good, prunes so little that it looks least far; it lost
    although its plies took the processor 1.4 to 2 times as long.
    """

    PARANOID = "paranoid"
    """Each plays what is worst for the root's seat (Sturtevant and Korf, 2000)."""
    BEST_REPLY = "best_reply"
    """One of them does; the others play the move that comes first in their ordering, at no cost in depth (Schadd and
    Winands, 2011, where they pass; with moves instead of passes, Esser and others, 2013)."""


@kernel
def changes_side(frames: NDArray[np.int64], ply: int) -> bool:
    """Return whether the seat to move at `ply` and the one that follows it stand on different sides."""
    return frames[ply, TURN] == 0 or frames[ply + 1, TURN] == 0  # type: ignore[no-any-return]
