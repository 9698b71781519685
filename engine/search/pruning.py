"""By how much the search looks less deep where it expects little, and where it does not look at all.

Numbers only; that nothing here can make a win or a loss out of what is none is seen to in `engine.search.alpha_beta`.
"""

from collections.abc import Callable
from math import log

import numpy as np

from ..bits import kernel

HISTORY_PER_PLY = 6000
"""A quiet move's history moves its reduction by a ply for each so many."""

MAX_STATIC_DEPTH = 6
"""Down to so many plies above the leaves the static worth is trusted."""
MIN_NULL_MOVE_DEPTH = 3
MIN_IIR_DEPTH = 4
MIN_VERIFICATION_DEPTH = 8

REVERSE_FUTILITY_MARGIN = 40
FUTILITY_MARGIN = 47


def make_late_move_reduction(divisor: float) -> Callable[[int, int, int, bool, bool], int]:
    """Return `(depth, tried, rank, is open, is improving)` to by how many plies a quiet move is searched less deep.

    At least one is left. For the divisor, see `Strength.reduction_divisor`.
    """
    # By depth and number of the move, up to 63 each.
    usual_plies = np.array(
        [
            [int(0.5 + log(depth) * log(tried) / divisor) if depth and tried else 0 for tried in range(64)]
            for depth in range(64)
        ],
        dtype=np.int8,
    )

    @kernel
    def late_move_reduction(depth: int, tried: int, rank: int, is_open: bool, is_improving: bool) -> int:
        if depth < 3 or tried < 3:
            return 0
        plies = int(usual_plies[min(depth, 63), min(tried, 63)])
        plies += int(not is_improving) - int(is_open) - rank // HISTORY_PER_PLY
        return min(max(plies, 0), depth - 2)

    return late_move_reduction


@kernel
def quiet_moves_tried(depth: int, is_improving: bool) -> int:
    """Return how many moves are tried at so small a depth before quiet ones are left out."""
    return (3 + depth * depth) * (2 if is_improving else 1)


@kernel
def null_move_reduction(depth: int) -> int:
    """Return by how many plies less deep than a move the null move is searched."""
    return 2 + depth // 4
