"""How long to think about a move: a budget from what a clock has left, and how far to time_factor it.

Numbers only: nothing here knows a clock, a search or a game. See chessprogramming.org/Time_Management.

A budget has a soft and a hard end. The hard one is kept whatever happens. The soft one is moved by what the search
sees: a best move that stands iteration after iteration and takes most of the nodes is played sooner, a value that drops
or a best move that has just changed is thought about for longer. Its last moment is the clock's: whoever has to wait
before the search can begin may begin so late, and no later.
"""

from typing import NamedTuple

EXPECTED_PLIES_LEFT = 30
"""A clock that has to last for a whole match is spent as if each seat still had so many plies to play."""

MARGIN_MS = 50.0
"""So much is never planned with: it covers a slice of the search, the way of the move to the clock, and a busy machine.
Of a clock that has less than twice that, half is kept."""

INCREMENT_SHARE = 0.75
"""What part of its increment a ply uses up; the rest fills a clock that has run low."""

HARD_TO_SOFT_RATIO = 4.0
"""The hard end lies at so many even shares of the time left, unless that is most of it."""

MAX_CLOCK_SHARE = 0.4
"""No ply but the last before more time is added takes a larger part of what is left."""

MIN_TIME_FACTOR = 0.35
MAX_TIME_FACTOR = 2.5

NEW_ITERATION_SHARE = 0.65
"""With this part of the soft time gone, no further iteration is begun: it would hardly come to its end."""


class Budget(NamedTuple):
    """For how long to think about a ply, in milliseconds from when the search begins, the shortest first."""

    soft_ms: float
    hard_ms: float
    last_ms: float
    """From now, whenever the search begins: an answer after that is too late for the clock."""


def plan_time(
    left_ms: float, increment_ms: float = 0.0, delay_ms: float = 0.0, plies_to_go: int | None = None
) -> Budget:
    """Return for how long to think with so much time left on the clock.

    `increment_ms` is added after the ply; `delay_ms` is how long the ply may take before the clock begins to run;
    after `plies_to_go` of the mover's own plies (None: never, 1: after this one) the clock gets more time. The hard
    end always comes before the clock's: by half of a margin at least, however little is left. More time left, a larger
    increment or a longer delay never make a budget smaller.

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


def time_factor(standing: int, drop: int, effort: float) -> float:
    """Return by what to multiply a soft time: 1 is usual, less when the move is clear, more when it is in doubt.

    `standing` counts the iterations in a row that have ended with the best move of now, 0 if the latest did not;
    `drop` is by how much its value has fallen since the iteration before, in hundredths of a man (negative: risen);
    `effort` is its share of the last iterations' nodes, 0..1: the refutations of moves far worse come cheap.
    """
    by_standing = 1.5 - 0.1 * min(standing, 8)
    by_drop = 1.0 + min(max(drop, 0), 100) / 100
    by_effort = 1.3 - 0.6 * effort
    return min(max(by_standing * by_drop * by_effort, MIN_TIME_FACTOR), MAX_TIME_FACTOR)
