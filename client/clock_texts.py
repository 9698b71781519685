"""Clocks as players write and read them. Pure.

A clock is written `5+3` (minutes, and seconds added by each move), `5 d3` (a delay instead), `5m + 3x10s` (byo-yomi:
main time, then periods), `10s per move` or `3 days per move`; `untimed` is none.
"""

import re
from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

from msgspec.structs import replace

from millrace.protocol import ClockSettings, SeatPlan

DAY_MS = 86_400_000
_UNITS_MS: Mapping[str, int] = {"s": 1_000, "m": 60_000, "h": 3_600_000}
_NUMBER = r"(\d{1,6}(?:\.\d{1,3})?)"
_PLAIN = re.compile(rf"{_NUMBER}(?: ?\+ ?{_NUMBER}| d ?{_NUMBER})?", re.ASCII)
_PERIODS = re.compile(rf"(?:{_NUMBER}([smh]) ?\+ ?)?(\d{{1,2}})x{_NUMBER}([sm])", re.ASCII)
_EACH_MOVE = re.compile(rf"{_NUMBER}([sm])(?: per move|/move)", re.ASCII)
_DAYS = re.compile(r"(\d{1,2}) days? per move", re.ASCII)


class ClockFace(NamedTuple):
    """What a seat has left, as a clock shows it."""

    left_ms: int
    """Of the main time; in a period, of that period."""
    periods: int = 0
    """The periods that are left, including the one that the seat is in."""
    in_period: bool = False
    """Whether the main time is over."""


def parse_clock(text: str) -> ClockSettings | None:
    """Return the clock of a text; None for an untimed match. Raises: ValueError.

    >>> parse_clock("5+3") == ClockSettings(300_000, 3_000)
    True
    >>> parse_clock("5m + 3x10s") == ClockSettings(300_000, periods=3, period_ms=10_000)
    True
    >>> parse_clock("10s per move") == ClockSettings(0, periods=1, period_ms=10_000)
    True
    """
    text = " ".join(text.split()).lower()
    if text == "untimed":
        return None
    if found := _PLAIN.fullmatch(text):
        minutes, increment, delay = found.groups(default="0")
        return ClockSettings(_ms(minutes, "m"), _ms(increment, "s"), delay_ms=_ms(delay, "s"))
    if found := _PERIODS.fullmatch(text):
        main, main_unit, periods, period, unit = found.groups()
        initial_ms = 0 if main is None else _ms(main, main_unit)
        return ClockSettings(initial_ms, periods=int(periods), period_ms=_ms(period, unit))
    if found := _EACH_MOVE.fullmatch(text):
        return ClockSettings(0, periods=1, period_ms=_ms(found[1], found[2]))
    if found := _DAYS.fullmatch(text):
        return ClockSettings(int(found[1]) * DAY_MS, renews=True)
    raise ValueError(
        f"{text} is not a clock. Write 5+3 (minutes, and seconds for each move), 5m + 3x10s (main time and periods), "
        "10s per move or 3 days per move."
    )


def format_clock(clock: ClockSettings | None) -> str:
    """Return a clock as `parse_clock` reads it.

    >>> format_clock(ClockSettings(180_000, 2_000)), format_clock(ClockSettings(300_000, delay_ms=5_000))
    ('3+2', '5 d5')
    >>> format_clock(ClockSettings(90_000, periods=5, period_ms=30_000))
    '90s + 5x30s'
    >>> format_clock(ClockSettings(DAY_MS, renews=True))
    '1 day per move'
    """
    if clock is None:
        return "untimed"
    if clock.renews:
        return f"{format_days(clock.initial_ms)} per move"
    if clock.periods:
        period = _duration(clock.period_ms)
        if not clock.initial_ms:
            return f"{period} per move" if clock.periods == 1 else f"{clock.periods}x{period}"
        return f"{_duration(clock.initial_ms)} + {clock.periods}x{period}"
    minutes = f"{clock.initial_ms / 60_000:g}"
    return f"{minutes} d{clock.delay_ms / 1_000:g}" if clock.delay_ms else f"{minutes}+{clock.increment_ms / 1_000:g}"


def clocks_by_seat(clock: ClockSettings, seats: Sequence[SeatPlan]) -> list[ClockSettings]:
    """Return the clock of each seat: with time odds, the initial times differ."""
    return [clock if plan.initial_ms is None else replace(clock, initial_ms=plan.initial_ms) for plan in seats]


def format_timing(clock: ClockSettings | None, seats: Sequence[SeatPlan] = ()) -> str:
    """Return a clock and the time limit of the match; with time odds, the clock of each seat.

    >>> format_timing(ClockSettings(300_000, 3_000, match_limit_ms=1_800_000))
    '5+3, limit 30 min'
    >>> format_timing(ClockSettings(300_000, 3_000), (SeatPlan("me"), SeatPlan("open", initial_ms=60_000)))
    '5+3 against 1+3'
    """
    if clock is None:
        return format_clock(clock)
    has_odds = any(plan.initial_ms is not None for plan in seats)
    text = " against ".join(map(format_clock, clocks_by_seat(clock, seats) if has_odds else [clock]))
    return text + ("" if clock.match_limit_ms is None else f", limit {clock.match_limit_ms / 60_000:g} min")


def format_countdown(left_ms: float) -> str:
    """Return a short time, rounded up.

    >>> format_countdown(11_200), format_countdown(245_000)
    ('12 s', '4:05')
    """
    seconds = max(0, ceil(left_ms / 1_000))
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60}:{seconds % 60:02}"


def format_days(time_ms: int) -> str:
    """Return a time in whole days, rounded up.

    >>> format_days(DAY_MS), format_days(DAY_MS + 1)
    ('1 day', '2 days')
    """
    days = -(-time_ms // DAY_MS)
    return f"{days} {'day' if days == 1 else 'days'}"


def clock_face(clock: ClockSettings, left_ms: int, periods: int) -> ClockFace:
    """Return what a seat's clock shows, given what the seat has left in all and how many periods it had left.

    >>> clock_face(ClockSettings(5_000, periods=3, period_ms=10_000), left_ms=19_000, periods=3)
    ClockFace(left_ms=9000, periods=2, in_period=True)
    """
    if not clock.periods:
        return ClockFace(left_ms)
    periods = periods_left(clock, left_ms, periods)
    main_ms = left_ms - periods * clock.period_ms
    if main_ms > 0:
        return ClockFace(main_ms, periods)
    return ClockFace(main_ms + clock.period_ms if periods else 0, periods, in_period=True)


def periods_left(clock: ClockSettings, left_ms: int, periods: int) -> int:
    """Return the periods that a seat still has once it has no more than this left in all."""
    return min(periods, -(-left_ms // clock.period_ms)) if clock.periods else 0


def _duration(time_ms: int) -> str:
    return f"{time_ms / 1_000:g}s" if time_ms % 60_000 or not time_ms else f"{time_ms // 60_000}m"


def _ms(number: str, unit: str) -> int:
    return round(float(number) * _UNITS_MS[unit])
