"""The speed of a match, by its clock."""

import pytest

from millrace.protocol import ClockSettings, Speed
from millrace.server.matches.clock import DAY_MS
from millrace.server.matches.speed import FIRST_PLY_MS, LIMITS_MS, expected_ms, speed_of

MINUTE_MS = 60_000


@pytest.mark.parametrize(
    ("settings", "speed"),
    [
        (ClockSettings(MINUTE_MS), Speed.BULLET),
        (ClockSettings(2 * MINUTE_MS, 1_000), Speed.BULLET),
        (ClockSettings(3 * MINUTE_MS), Speed.BLITZ),
        (ClockSettings(5 * MINUTE_MS, 3_000), Speed.BLITZ),
        (ClockSettings(5 * MINUTE_MS, delay_ms=5_000), Speed.RAPID),
        (ClockSettings(10 * MINUTE_MS, 5_000), Speed.RAPID),
        (ClockSettings(15 * MINUTE_MS, 15_000), Speed.CLASSICAL),
        (ClockSettings(DAY_MS), Speed.CLASSICAL),
        (ClockSettings(DAY_MS, renews=True), Speed.CORRESPONDENCE),
        (None, Speed.UNTIMED),
    ],
)
def test_the_speed_follows_from_the_expected_time(settings: ClockSettings | None, speed: Speed) -> None:
    assert speed_of(settings) is speed


@pytest.mark.parametrize(("speed", "limit_ms"), LIMITS_MS)
def test_a_speed_ends_just_below_its_limit(speed: Speed, limit_ms: int) -> None:
    assert speed_of(ClockSettings(limit_ms - 1)) is speed
    assert speed_of(ClockSettings(limit_ms)) is not speed


def test_a_delay_counts_as_an_increment_does() -> None:
    assert expected_ms(ClockSettings(MINUTE_MS, 2_000)) == expected_ms(ClockSettings(MINUTE_MS, delay_ms=2_000))


def test_only_speeds_in_seconds_have_a_time_for_the_first_ply() -> None:
    assert set(Speed) - set(FIRST_PLY_MS) == {Speed.CORRESPONDENCE, Speed.UNTIMED}
    assert list(FIRST_PLY_MS.values()) == sorted(FIRST_PLY_MS.values())
