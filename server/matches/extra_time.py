"""Extra time: a player gives the opponents more time on their clocks.

Pure.
"""

from millrace.protocol import Code, TimeGiven
from millrace.protocol.refusal import Refusal

from .clock import starting_ms
from .match import Match
from .tournament_matches import require_no_tournament

EXTRA_TIME_MS = 15_000
"""What a player gives at a time."""

MAX_EXTRA_MS = 3_600_000
"""A clock gets no extra time while it shows this much more than at the start."""


def give_time(match: Match, seat: int, now_ms: int) -> TimeGiven:
    """Return the event by which a seat gives all its opponents extra time. Raises: Refusal."""
    clock = match.clock
    require_no_tournament(match)
    if clock is None:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, "This match has no clock.")
    max_ms = starting_ms(clock.settings) + MAX_EXTRA_MS
    opponents = [other for other in sorted(match.staying) if match.holder_of(other) != match.holder_of(seat)]
    seats = tuple(other for other in opponents if clock.remaining_ms[other] < max_ms)
    if not seats:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, "Your opponents have more than enough time.")
    return TimeGiven(seat, seats, EXTRA_TIME_MS, clock.periods_left(now_ms) or None)
