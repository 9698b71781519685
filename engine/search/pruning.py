"""Reductions and pruning: late moves, null move, futility and multi-cut, as depths and margins.

`engine.search.alpha_beta` makes sure that none of them turns a position into a proven win or loss.
"""

from collections.abc import Callable
from math import log

import numpy as np

from ..bits import kernel

HISTORY_PER_PLY = 6000
"""A difference in history that changes a reduction by one ply."""

MAX_STATIC_DEPTH = 6
"""Maximum depth at which the static evaluation is trusted for pruning."""
MIN_NULL_MOVE_DEPTH = 3
MIN_IIR_DEPTH = 4
MIN_VERIFICATION_DEPTH = 8
MIN_MULTI_CUT_DEPTH = 3
CUT_MOVES, CUTS_NEEDED, CUT_REDUCTION = 6, 3, 2
"""Multi-cut looks at this many moves, needs this many cutoffs among them, and reduces their search by this many plies
(Bjornsson and Marsland, 1998)."""

REVERSE_FUTILITY_MARGIN = 40
FUTILITY_MARGIN = 47

DECIDING_LEAD = 60
"""A lead, in hundredths of a man, from which the search looks for the win itself where `Kernels.may_prune` forbids
futility pruning; closer positions are pruned everywhere, since looking costs depth."""


def make_late_move_reduction(divisor: float) -> Callable[[int, int, int, bool, bool], int]:
    """Return the kernel `(depth, tried, rank, is_open, is_improving)` that computes the reduction of a late quiet move.

    At least one ply of depth is left. For the divisor, see `Strength.reduction_divisor`.
    """
    # By depth and move number, up to 63 each.
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
    """Return the number of moves after which quiet ones are pruned at this depth."""
    return (3 + depth * depth) * (2 if is_improving else 1)


@kernel
def null_move_reduction(depth: int) -> int:
    """Return the reduction of the null-move search, in plies."""
    return 2 + depth // 4
