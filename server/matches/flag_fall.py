"""Flag fall: a seat whose time is used up loses, or leaves a match of three or four seats.

Pure. What the clock shows is `server.matches.clock`; the timer that asks is `server.rooms.automation`.
"""

from millrace.protocol import Event

from .endings import forfeit
from .match import Match


def fallen_flag(match: Match, now_ms: int, allowance_ms: int) -> Event | None:
    """Return the event by which the running seat loses on time, or None while it has time left.

    The flag falls `allowance_ms` late, because a ply that is on its way still counts.
    """
    clock = match.clock
    if clock is None or clock.running is None or not clock.has_flag_fallen(now_ms - allowance_ms):
        return None
    return forfeit(match, clock.running, "time", now_ms)
