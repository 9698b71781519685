"""The speed of a match, by its clock: each has its own ratings and waits.

Pure.
"""

from collections.abc import Mapping

from millrace.protocol import ClockSettings, Speed

EXPECTED_PLIES = 40
"""Expected plies of a seat in a match, each with its increment or delay."""
EXPECTED_SHARE_OF_PERIOD = 0.5
"""Expected share of a period that a ply takes; byo-yomi is never saved up."""

LIMITS_MS = ((Speed.BULLET, 180_000), (Speed.BLITZ, 480_000), (Speed.RAPID, 1_500_000))
"""The first speed whose limit exceeds the expected time applies; otherwise the match is classical."""


FIRST_PLY_MS: Mapping[Speed, int] = {
    Speed.BULLET: 20_000,
    Speed.BLITZ: 30_000,
    Speed.RAPID: 45_000,
    Speed.CLASSICAL: 60_000,
}
"""How long each seat has for its first ply, while no clock runs; after that the match is called off."""


def expected_ms(settings: ClockSettings) -> int:
    """Return the expected thinking time of a seat for a whole match.

    >>> expected_ms(ClockSettings(180_000, 2_000))
    260000
    >>> expected_ms(ClockSettings(300_000, periods=3, period_ms=10_000))
    520000
    """
    each_ms = settings.increment_ms + settings.delay_ms + EXPECTED_SHARE_OF_PERIOD * settings.period_ms
    spare_ms = max(0, settings.periods - 1) * settings.period_ms
    return round(settings.initial_ms + spare_ms + EXPECTED_PLIES * each_ms)


def speed_of(settings: ClockSettings | None) -> Speed:
    """Return the speed of a match with these clock settings; None for an untimed match.

    >>> speed_of(ClockSettings(180_000, 2_000))
    <Speed.BLITZ: 'blitz'>
    """
    if settings is None:
        return Speed.UNTIMED
    if settings.renews:
        return Speed.CORRESPONDENCE
    return next((speed for speed, limit_ms in LIMITS_MS if expected_ms(settings) < limit_ms), Speed.CLASSICAL)
