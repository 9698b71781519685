"""Time management: how long to think about a move, given the clock, and when to stop earlier or later.

Only arithmetic: no clock, search or game. See chessprogramming.org/Time_Management.

A budget has a soft and a hard limit. The hard limit always holds. The search adjusts the soft limit: it plays sooner if
the best move is stable and takes most of the nodes, and later if the value drops or the best move has just changed. The
last moment is set by the clock: a search that has to wait before it begins must still end by then.

Within these limits, a search can end when its best move is settled (`settled_share`).
"""

import math
from typing import NamedTuple

EXPECTED_PLIES_LEFT = 30
"""Number of plies that each seat is assumed to have left on a clock for the whole match."""

MARGIN_MS = 50.0
"""Time never planned for thinking. It covers a slice of the search, the delivery of the move, and a busy machine. A
clock with less than twice this keeps half."""

INCREMENT_SHARE = 0.75
"""The share of its increment that a ply uses; the rest refills a low clock."""

HARD_TO_SOFT_RATIO = 4.0
"""The hard limit as a multiple of the even share of the time left."""

MAX_CLOCK_SHARE = 0.4
"""Maximum share of the clock for one ply, except for the last before more time is added."""

TWENTIETH = 20

MIN_TIME_FACTOR = 0.35
MAX_TIME_FACTOR = 2.5

NEW_ITERATION_SHARE = 0.65
"""No new iteration begins after this share of the soft limit, since it would hardly be completed."""

SETTLED_SHARE = 0.1
"""Share of its limits before which no move is settled in an open position."""

SETTLED_RATIO = 15
"""How many times as long as until its last change the best move must have been searched to be settled there."""

LEAST_SETTLED_SHARE = 0.05
"""Share of its limits before which no move is settled in any position."""


class Budget(NamedTuple):
    """How long to think about a ply, in milliseconds from the start of the search; the fields ascend."""

    soft_ms: float
    hard_ms: float
    last_ms: float
    """From now, even if the search begins later: an answer after it is too late for the clock."""


def plan_time(
    left_ms: float, increment_ms: float = 0.0, delay_ms: float = 0.0, plies_to_go: int | None = None
) -> Budget:
    """Return how long to think with this much time left on the clock.

    `increment_ms` is added after the ply. `delay_ms` is the time before the clock starts to run. After `plies_to_go` of
    the mover's own plies (None: never, 1: after this one) the clock gets more time. The hard limit is always before the
    clock's end, by at least half of a margin. More time, a larger increment or a longer delay never reduce a budget.

    >>> plan_time(60_050)
    Budget(soft_ms=2000.0, hard_ms=8000.0, last_ms=60000.0)
    >>> plan_time(60)
    Budget(soft_ms=1.0, hard_ms=4.0, last_ms=30.0)
    """
    left_ms = max(left_ms, 0.0)
    spendable_ms = left_ms - min(MARGIN_MS, left_ms / 2)
    plies = min(plies_to_go or EXPECTED_PLIES_LEFT, EXPECTED_PLIES_LEFT)
    share_ms = spendable_ms / plies + INCREMENT_SHARE * increment_ms
    most_ms = spendable_ms if plies == 1 else spendable_ms * MAX_CLOCK_SHARE
    free_ms = delay_ms - min(MARGIN_MS, delay_ms / 2)
    return Budget(
        min(share_ms, most_ms) + free_ms, min(HARD_TO_SOFT_RATIO * share_ms, most_ms) + free_ms, spendable_ms + free_ms
    )


def plan_twentieth(left_ms: float) -> float:
    """Return the time for a ply if each gets a twentieth of the time left, as in the published program CAMMP.

    >>> plan_twentieth(60_000)
    3000.0
    """
    return max(left_ms / TWENTIETH, 1.0)


def time_factor(stable_iterations: int, drop: int, effort: float) -> float:
    """Return the factor for the soft limit: 1 is usual, less when the best move is clear, more when it is in doubt.

    `stable_iterations` counts the latest iterations in a row with the present best move, 0 if the latest had another.
    `drop` is how far the value has fallen since the previous iteration, in hundredths of a man (negative: risen).
    `effort` is the best move's share of recent nodes, 0..1; much worse moves are refuted with few nodes.
    """
    by_stability = 1.5 - 0.1 * min(stable_iterations, 8)
    by_drop = 1.0 + min(max(drop, 0), 100) / 100
    by_effort = 1.3 - 0.6 * effort
    return min(max(by_stability * by_drop * by_effort, MIN_TIME_FACTOR), MAX_TIME_FACTOR)


def settled_share(expected: float, changed_at: float) -> float:
    """Return the share of its limits after which a search has settled its best move: more time is unlikely to change
    the move, or to gain anything.

    `expected` is the expected score, 0..1: the more decided the match, the less a better move can gain. `changed_at` is
    the share that was used when the best move last changed. `docs/performance.md` has what this saves and costs.

    >>> settled_share(0.5, 0.0), settled_share(0.5, 0.02), settled_share(1.0, 0.5)
    (0.1, 0.3, 0.05)
    """
    openness = math.sqrt(4 * expected * (1 - expected))
    return max(openness * max(SETTLED_SHARE, SETTLED_RATIO * changed_at), LEAST_SETTLED_SHARE)
