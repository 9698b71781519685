"""How fast a match is, by its clock: the classes by which ratings are kept apart and patience is measured.

Pure.
"""

from collections.abc import Mapping

from ..protocol import ClockSettings, Speed

EXPECTED_PLIES = 40
"""A seat is reckoned to make so many plies in a match, each with its increment or delay."""

LIMITS_MS = ((Speed.BULLET, 180_000), (Speed.BLITZ, 480_000), (Speed.RAPID, 1_500_000))
"""A match is of the first class above whose limit its expected time stays; else it is classical."""


FIRST_PLY_MS: Mapping[Speed, int] = {
    Speed.BULLET: 20_000,
    Speed.BLITZ: 30_000,
    Speed.RAPID: 45_000,
    Speed.CLASSICAL: 60_000,
}
"""So long each seat has for its first ply, for which no clock runs; else the match is called off."""


def expected_ms(settings: ClockSettings) -> int:
    """Return how long a seat is reckoned to have for a whole match.

    >>> expected_ms(ClockSettings(180_000, 2_000))
    260000
    """
    return settings.initial_ms + EXPECTED_PLIES * (settings.increment_ms + settings.delay_ms)


def speed_of(settings: ClockSettings | None) -> Speed:
    """Return the class of a match by its clock, None being an untimed one.

    >>> speed_of(ClockSettings(180_000, 2_000))
    <Speed.BLITZ: 'blitz'>
    """
    if settings is None:
        return Speed.UNTIMED
    if settings.renews:
        return Speed.CORRESPONDENCE
    return next((speed for speed, limit_ms in LIMITS_MS if expected_ms(settings) < limit_ms), Speed.CLASSICAL)
