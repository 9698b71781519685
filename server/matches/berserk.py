"""Berserk: a player of a tournament match halves the time before the first ply, for one more point if the match is won.

Pure. The points are counted in `server.tournaments.arena_scoring`.
"""

from millrace.protocol import Berserked, ClockSettings, Code
from millrace.protocol.refusal import Refusal

from .match import Match


def suits_berserk(clock: ClockSettings) -> bool:
    """Return whether half the time without increment is a fair risk: not where the increment in seconds is more than
    twice the minutes, nor with a delay or periods.

    >>> suits_berserk(ClockSettings(60_000, 2_000)), suits_berserk(ClockSettings(60_000, 3_000))
    (True, False)
    """
    is_plain = not (clock.delay_ms or clock.periods or clock.renews)
    return is_plain and clock.increment_ms * 60 <= 2 * clock.initial_ms


def go_berserk(match: Match, seat: int, now_ms: int) -> Berserked:
    """Return the event for a seat that halves its own time. Raises: Refusal."""
    clock = match.clock
    if clock is None or not match.created.berserk:
        raise Refusal(Code.BERSERK_NOT_POSSIBLE, "You cannot halve your time in this match.")
    if seat in match.berserk:
        raise Refusal(Code.BERSERK_NOT_POSSIBLE, "You have halved your time already.")
    if match.state.ply > (seat - match.state.start.seat) % len(match.players):
        raise Refusal(Code.BERSERK_NOT_POSSIBLE, "You can halve your time only before your first move.")
    return Berserked(seat, clock.halved(seat, now_ms).remaining_ms)
