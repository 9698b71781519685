"""Clocks as text in records: the tag `TimeControl`, and clock times after moves. Pure."""

import re

from millrace.protocol import ClockSettings

_SHOWN_CLOCK = re.compile(r"\[(%clk\s+(\d{1,6}):([0-5]?\d):([0-5]?\d(?:\.\d{1,3})?)\s*)\]")
"""In a comment: the seat's clock after its move."""

_SECONDS = r"(\d{1,9}(?:\.\d{1,3})?)"
_TIME_CONTROL = re.compile(rf"(?:(1/)(\d{{1,9}})|{_SECONDS}(?:([+d])(?:(\d{{1,2}})x)?{_SECONDS})?)", re.ASCII)


def format_clock(settings: ClockSettings | None) -> str:
    """Return a clock in the format of the tag `TimeControl`.

    >>> format_clock(ClockSettings(300_000, 2_000)), format_clock(ClockSettings(86_400_000, renews=True))
    ('300+2', '1/86400')
    >>> format_clock(ClockSettings(300_000, periods=3, period_ms=10_000))
    '300+3x10'
    """
    if settings is None:
        return "-"
    initial = format_seconds(settings.initial_ms)
    if settings.renews:
        return f"1/{initial}"
    if settings.periods:
        return f"{initial}+{settings.periods}x{format_seconds(settings.period_ms)}"
    return (
        f"{initial}d{format_seconds(settings.delay_ms)}"
        if settings.delay_ms
        else f"{initial}+{format_seconds(settings.increment_ms)}"
    )


def parse_clock(text: str, limit: str = "") -> ClockSettings | None:
    """Parse the tags `TimeControl` and `TimeLimit`; None for no clock, and for clocks that do not exist here."""
    found = _TIME_CONTROL.fullmatch(text)
    if found is None:
        return None
    renews, daily, initial, kind, periods, more = found.groups()
    more_ms = round(1000 * float(more or 0))
    limit_ms = 1000 * int(limit) if limit.isdecimal() and len(limit) < 9 else None
    if periods is not None:
        period_ms = more_ms if kind == "+" else 0
        return ClockSettings(round(1000 * float(initial)), 0, limit_ms, periods=int(periods), period_ms=period_ms)
    return ClockSettings(
        round(1000 * float(daily or initial)),
        more_ms if kind == "+" else 0,
        limit_ms,
        more_ms if kind == "d" else 0,
        renews is not None,
    )


def format_shown_clock(clock_ms: int) -> str:
    """Return a clock time in the format of comments.

    >>> format_shown_clock(298_200)
    '[%clk 0:04:58.2]'
    """
    seconds, rest_ms = divmod(max(0, clock_ms), 1000)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"[%clk {text}{f'.{rest_ms:03}'.rstrip('0') if rest_ms else ''}]"


def parse_shown_clock(comment: str) -> int | None:
    """Return the clock time in a comment, in milliseconds; None if there is none.

    >>> parse_shown_clock("a good move [%clk 0:04:58.2]"), parse_shown_clock("a bad one")
    (298200, None)
    """
    found = _SHOWN_CLOCK.search(comment)
    if found is None:
        return None
    _, hours, minutes, seconds = found.groups()
    return 3_600_000 * int(hours) + 60_000 * int(minutes) + round(1000 * float(seconds))


def without_clock(comment: str) -> str:
    """Return a comment without the clock time that `parse_shown_clock` reads.

    >>> without_clock("a good move [%clk 0:04:58.2]")
    'a good move'
    """
    return _SHOWN_CLOCK.sub(" ", comment, count=1).strip()


def clocks_as_remarks(comment: str) -> str:
    """Return a comment with parentheses around its clock times, which are then no clock.

    >>> clocks_as_remarks("a good move [%clk 0:04:58.2]")
    'a good move (%clk 0:04:58.2)'
    """
    return _SHOWN_CLOCK.sub(r"(\1)", comment)


def format_seconds(milliseconds: int) -> str:
    """Return a time in seconds, with as many decimals as it needs."""
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")
