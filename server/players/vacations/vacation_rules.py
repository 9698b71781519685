"""How many days of vacation a player has. Pure.

30 days within any 365, as on littlegolem.net. Vacations are stored as they were taken, so coming back early gives back
the days that are left.
"""

from collections.abc import Sequence
from typing import NamedTuple

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

DAY_MS = 86_400_000
YEAR_MS = 365 * DAY_MS
DAYS_A_YEAR = 30


class Vacation(NamedTuple):
    """A change: from then on the player is on vacation until a time, or back if that is not later."""

    at_ms: int
    until_ms: int


def until_ms_of(taken: Sequence[Vacation], now_ms: int) -> int:
    """Return when a player's vacation ends; 0 if the player is not on vacation."""
    until_ms = taken[-1].until_ms if taken else 0
    return until_ms if until_ms > now_ms else 0


def left_days(taken: Sequence[Vacation], now_ms: int) -> int:
    """Return how long a vacation may be that begins now, in place of the current one; part of a day is left whole.

    >>> taken = [Vacation(0, 10 * DAY_MS)]
    >>> [left_days(taken, day * DAY_MS) for day in (4, 20, 375)]
    [26, 20, 30]
    """
    ends_ms = [each.at_ms for each in taken[1:]] + [now_ms]
    used_ms = sum(
        max(0, min(until_ms, end_ms) - max(at_ms, now_ms - YEAR_MS))
        for (at_ms, until_ms), end_ms in zip(taken, ends_ms, strict=False)
    )
    return max(0, DAYS_A_YEAR - used_ms // DAY_MS)


def take(taken: Sequence[Vacation], days: int, now_ms: int) -> Vacation:
    """Return a vacation from now on, in place of the current one; 0 days for coming back. Raises: Refusal."""
    left = left_days(taken, now_ms)
    if days > left:
        raise Refusal(Code.TOO_MANY, "Days of vacation that are left: {days}.", days=left)
    return Vacation(now_ms, now_ms + days * DAY_MS)
