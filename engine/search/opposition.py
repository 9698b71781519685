"""What more than two seats do to one another in a search: who stands on which side, and who may choose its ply.

Imported by `engine.search.loop`. With two seats all of it comes to nothing.
"""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from engine.bits import kernel
from engine.search.tree import TURN


class Opposition(StrEnum):
    """What a search of more than two seats takes the others to do between two turns of the root's seat.

    `python -m benchmarks.seats --deals 10` (Battle Sheep, 2,000 nodes a ply; scores from 0, last alone, to 1, first
    alone; the error is that of the difference):

        seats  matches                                          difference
            3      180  paranoid    0.429   best reply  0.596   -0.167 +-0.043
                        paranoid    0.536   max-n       0.463   +0.073 +-0.038
                        best reply  0.631   max-n       0.391   +0.240 +-0.036
            4      420  paranoid    0.476   best reply  0.513   -0.037 +-0.021
                        paranoid    0.533   max-n       0.463   +0.069 +-0.024
                        best reply  0.557   max-n       0.430   +0.127 +-0.026

    So `BEST_REPLY` is the usual one. What it overlooks, two seats that together shut a third in, is rarer than what
    paranoia costs: it takes for lost what nobody would attack, and with as many nodes looks fewer rounds ahead. Max-n
    (`benchmarks.max_n`), in which each seat seeks its own good, prunes so little that it looks least far; it lost
    although its plies took the processor a third longer (1.1 to 1.4 ms against 0.8 to 1.0).
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
