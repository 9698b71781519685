"""Vacations in matches by correspondence: the clock of a player on vacation stands still.

Pure. How many days a player has, and who is on vacation, is `server.players.vacations`.
"""

from collections.abc import Callable

from millrace.protocol import IdentityId, Resumed

from .match import Match, Phase


def vacation_event(match: Match, until_ms_of: Callable[[IdentityId], int], now_ms: int) -> Resumed | None:
    """Return the event that stops the running clock until its player is back from vacation, or starts it again because
    the player is back early; None if nothing has to change, or its flag has fallen.

    `until_ms_of` returns the end of a player's vacation, 0 without one.
    """
    clock = match.clock
    if match.phase is not Phase.PLAYING or clock is None or clock.running is None or not clock.settings.renews:
        return None
    until_ms = max(now_ms, until_ms_of(match.holder_of(clock.running)))
    was_on_vacation = match.vacation == clock.running
    is_right = clock.since_ms == until_ms if was_on_vacation else clock.since_ms >= until_ms
    if is_right or clock.has_flag_fallen(now_ms) or max(clock.since_ms, until_ms) <= now_ms:
        return None
    seat = clock.running if until_ms > now_ms else None
    return Resumed(clock.left_ms(now_ms), until_ms - now_ms, vacation=seat)
