"""What a search values without looking further: ends of play, solved endings, and the errors of weak levels.

Not the worth of open positions, which is each game's own (`Kernels.evaluate`). Imported by `engine.search.loop` and
`engine.analysis`.
"""

import numpy as np
from numpy.typing import NDArray

from engine.bits import kernel, to_count
from engine.table import WIN
from engine.tablebase.codes import DRAWN, is_won

STANDING_WORTH = 100
"""What it is worth to leave one seat more behind than are before, short of winning, in hundredths of a man."""


@kernel
def noise_of(key: np.uint64, seed: int, amplitude: int) -> int:
    """Return a number within +-amplitude that depends on nothing but position and seed."""
    mixed = (key ^ np.uint64(seed)) * np.uint64(0x9E3779B97F4A7C15)
    return to_count(mixed >> np.uint64(32)) % (2 * amplitude + 1) - amplitude


@kernel
def value_of_ranks(ranks: NDArray[np.int32], seat: int, seats: int, ply: int) -> int:
    """Return the value of an end for a seat, by how many more seats it leaves behind than are before it.

    To be alone first is a win and to be last alone is a loss; with more than two seats, what lies between is small
    against them and around 0, as are positions in which all is open.
    """
    standing = 0
    for other in range(seats):
        standing += int(ranks[other] > ranks[seat]) - int(ranks[other] < ranks[seat])
    if standing == seats - 1:
        return WIN - ply
    return ply - WIN if standing == 1 - seats else standing * STANDING_WORTH


@kernel
def value_of_code(code: int, ply: int) -> int:
    """Return the value of a position that a table of solved endings has, for the side to move."""
    if code == DRAWN:
        return 0
    end = ply + code - 1
    return WIN - end if is_won(code) else end - WIN
