"""Clocks as players write and read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.client import ClockFace, ClockSettings, format_clock, parse_clock
from millrace.client.terminal.formatting import format_face

SECONDS = st.integers(1, 600).map(lambda seconds: seconds * 1_000)
CLOCKS = st.one_of(
    st.builds(ClockSettings, SECONDS, st.integers(0, 60).map(lambda seconds: seconds * 1_000)),
    st.builds(ClockSettings, st.integers(1, 100).map(lambda minutes: minutes * 60_000), delay_ms=SECONDS),
    st.builds(ClockSettings, st.just(0) | SECONDS, periods=st.integers(1, 10), period_ms=SECONDS),
    st.builds(ClockSettings, st.integers(1, 14).map(lambda days: days * 86_400_000), renews=st.just(True)),
)


@given(st.none() | CLOCKS.filter(lambda clock: clock.periods > 0 or clock.initial_ms % 60_000 == 0))
def test_a_written_clock_is_parsed_again(clock: ClockSettings | None) -> None:
    assert parse_clock(format_clock(clock)) == clock


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("5", ClockSettings(300_000)),
        ("0.5 + 1", ClockSettings(30_000, 1_000)),
        ("5m+3x10s", ClockSettings(300_000, periods=3, period_ms=10_000)),
        ("1h + 5x1m", ClockSettings(3_600_000, periods=5, period_ms=60_000)),
        (" 3X30S ", ClockSettings(0, periods=3, period_ms=30_000)),
        ("10s/move", ClockSettings(0, periods=1, period_ms=10_000)),
        ("untimed", None),
    ],
)
def test_other_spellings_of_a_clock_are_parsed(text: str, clock: ClockSettings | None) -> None:
    assert parse_clock(text) == clock


@pytest.mark.parametrize("text", ["", "x", "5+", "5m", "3x", "5m + 10s", "-5+3", "5 minutes"])
def test_an_invalid_clock_is_refused_with_examples(text: str) -> None:
    with pytest.raises(ValueError, match="5m \\+ 3x10s"):
        parse_clock(text)


def test_the_terminal_shows_the_period_and_how_many_there_are() -> None:
    assert format_face(ClockFace(59_000, 3)) == "0:59 + 3 periods"
    assert format_face(ClockFace(9_000, 1, in_period=True)) == "0:09, 1 period left"
