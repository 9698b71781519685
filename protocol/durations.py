"""Durations as text for players. Pure."""


def duration_text(duration_ms: int) -> str:
    """Return a duration for players, rounded up.

    >>> duration_text(900), duration_text(61_000), duration_text(7_000_000)
    ('1 second', '2 minutes', '2 hours')
    """
    for unit_ms, unit, most in ((1_000, "second", 60), (60_000, "minute", 60), (3_600_000, "hour", 10**6)):
        number = -(-duration_ms // unit_ms)
        if number <= most:
            return f"{number} {unit}{'' if number == 1 else 's'}"
    raise AssertionError(duration_ms)
