"""How the search models opponents where more than two seats play: who is on which side, and who chooses its ply.

With two seats it has no effect. See chessprogramming.org/Multiplayer.
"""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from .tree import TURN


class OpponentModel(StrEnum):
    """What the search assumes about the other seats between two turns of the root's seat.

    `python -m benchmarks.seats --deals 10` at commit 42e2304 (Battle Sheep, 2,000 nodes a ply; scores from 0, last
    alone, to 1, first alone; the error is that of the difference):

        seats  matches                                          difference
            3      180  paranoid    0.464   best reply  0.539   -0.075 +-0.040
                        paranoid    0.606   max-n       0.398   +0.208 +-0.039
                        best reply  0.604   max-n       0.388   +0.217 +-0.046
            4      420  paranoid    0.467   best reply  0.525   -0.058 +-0.021
                        paranoid    0.563   max-n       0.439   +0.124 +-0.022
                        best reply  0.586   max-n       0.422   +0.164 +-0.022

    So `BEST_REPLY` is the default. It misses two seats that together shut in a third, but that is rarer than the errors
    of paranoid search, which gives up what nobody would attack and searches fewer rounds ahead with the same nodes.
    Max-n, in which each seat maximises its own result, prunes little and searches least deep; it
    lost although its plies took 1.4 to 2 times as much processor time.
    """

    PARANOID = "paranoid"
    """Every other seat plays what is worst for the root's seat (Sturtevant and Korf, 2000)."""
    BEST_REPLY = "best_reply"
    """One of the other seats does; the rest play the first move of their ordering, without using depth (Schadd and
    Winands, 2011, with passes; Esser and others, 2013, with moves)."""


@kernel
def changes_side(frames: NDArray[np.int64], ply: int) -> bool:
    """Return whether the seat to move at `ply` and the next one are on different sides."""
    return frames[ply, TURN] == 0 or frames[ply + 1, TURN] == 0  # type: ignore[no-any-return]
