"""What is made good of a seat's lag, in milliseconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.matches.clock import DAY_MS
from millrace.server.matches.lag import ALLOWED_MS, FIRST_QUOTA_GAINS, MOST_GAIN_MS, MOST_QUOTA_GAINS, Compensation, Lag
from millrace.server.protocol import ClockSettings

BLITZ = ClockSettings(180_000, 2_000)


@pytest.mark.parametrize(
    ("settings", "most_gain_ms"),
    [
        (ClockSettings(60_000), 390),
        (ClockSettings(60_000, 1_000), 550),
        (ClockSettings(120_000, delay_ms=1_000), 790),
        (BLITZ, 1_000),
        (ClockSettings(3_600_000), 1_000),
    ],
)
def test_a_longer_match_makes_good_more(settings: ClockSettings, most_gain_ms: int) -> None:
    lag = Lag.of(settings)
    assert (lag.most_gain_ms, lag.quota_ms) == (most_gain_ms, FIRST_QUOTA_GAINS * most_gain_ms)


def after_plies(lag: Lag, round_trips_ms: list[int]) -> tuple[list[int], Lag]:
    """Return what was made good of each ply, and the lag afterwards."""
    compensations_ms = []
    for round_trip_ms in round_trips_ms:
        lag = lag.measured(round_trip_ms)
        compensations_ms.append(lag.compensation_ms)
        lag = lag.after_ply()
    return compensations_ms, lag


def test_a_steady_lag_is_made_good_wholly_and_fills_the_quota() -> None:
    compensations_ms, lag = after_plies(Lag.of(BLITZ), [200] * 40)
    assert compensations_ms == [200] * 40
    assert lag.quota_ms == MOST_QUOTA_GAINS * MOST_GAIN_MS


def test_one_bad_spell_is_made_good_from_what_was_saved() -> None:
    assert after_plies(Lag.of(BLITZ), [2_500, 50, 50])[0] == [2_500, 50, 50]


def test_a_lag_beyond_the_quota_is_made_good_only_by_what_a_ply_gains() -> None:
    assert after_plies(Lag.of(BLITZ), [4_000] * 4)[0] == [3_000, 1_000, 1_000, 1_000]


def test_nothing_is_made_good_of_what_was_never_measured() -> None:
    compensation = Compensation(BLITZ)
    assert compensation.of(0) == 0
    compensation.measure(0, 120)
    assert (compensation.of(0), compensation.of(1), compensation.of(None)) == (120, 0, 0)


def test_each_seat_spends_its_own_quota() -> None:
    compensation = Compensation(BLITZ)
    for seat in (0, 1):
        compensation.measure(seat, 4_000)
    compensation.spend(0)
    assert (compensation.of(0), compensation.of(1)) == (1_000, 3_000)


@pytest.mark.parametrize("settings", [None, ClockSettings(DAY_MS, renews=True)])
def test_where_no_seconds_count_nothing_is_made_good(settings: ClockSettings | None) -> None:
    compensation = Compensation(settings)
    compensation.measure(0, 500)
    compensation.spend(0)
    assert compensation.of(0) == 0


@given(st.integers(1_000, 3_600_000), st.integers(0, 30_000), st.lists(st.integers(0, 9_000), max_size=60))
def test_no_more_is_made_good_than_lag_and_quota_allow(
    initial_ms: int, increment_ms: int, round_trips_ms: list[int]
) -> None:
    first = Lag.of(ClockSettings(initial_ms, increment_ms))
    compensations_ms, lag = after_plies(first, round_trips_ms)
    assert all(given <= lag_ms for given, lag_ms in zip(compensations_ms, round_trips_ms, strict=True))
    gains_ms = sum(min(first.most_gain_ms, lag_ms + ALLOWED_MS) for lag_ms in round_trips_ms)
    assert sum(compensations_ms) <= first.quota_ms + gains_ms
    assert 0 <= lag.quota_ms <= MOST_QUOTA_GAINS * first.most_gain_ms
