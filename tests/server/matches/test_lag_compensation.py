"""How much of a seat's lag is compensated, in milliseconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import ClockSettings
from millrace.server.matches.clock import DAY_MS
from millrace.server.matches.lag_compensation import (
    FIRST_QUOTA_GAINS,
    MAX_GAIN_MS,
    MAX_QUOTA_GAINS,
    PROCESSING_MS,
    LagCompensation,
    LagQuota,
)

BLITZ = ClockSettings(180_000, 2_000)


@pytest.mark.parametrize(
    ("settings", "max_gain_ms"),
    [
        (ClockSettings(60_000), 390),
        (ClockSettings(60_000, 1_000), 550),
        (ClockSettings(120_000, delay_ms=1_000), 790),
        (BLITZ, 1_000),
        (ClockSettings(3_600_000), 1_000),
    ],
)
def test_a_longer_match_compensates_more(settings: ClockSettings, max_gain_ms: int) -> None:
    quota = LagQuota.of(settings)
    assert (quota.max_gain_ms, quota.quota_ms) == (max_gain_ms, FIRST_QUOTA_GAINS * max_gain_ms)


def after_plies(quota: LagQuota, round_trips_ms: list[int]) -> tuple[list[int], LagQuota]:
    """Return what was compensated of each ply, and the quota afterwards."""
    compensations_ms = []
    for round_trip_ms in round_trips_ms:
        quota = quota.measured(round_trip_ms)
        compensations_ms.append(quota.compensation_ms)
        quota = quota.after_ply()
    return compensations_ms, quota


def test_steady_lag_is_compensated_wholly_and_fills_the_quota() -> None:
    compensations_ms, quota = after_plies(LagQuota.of(BLITZ), [200] * 40)
    assert compensations_ms == [200] * 40
    assert quota.quota_ms == MAX_QUOTA_GAINS * MAX_GAIN_MS


def test_a_spike_is_compensated_from_what_was_saved() -> None:
    assert after_plies(LagQuota.of(BLITZ), [2_500, 50, 50])[0] == [2_500, 50, 50]


def test_lag_beyond_the_quota_is_compensated_only_by_what_a_ply_gains() -> None:
    assert after_plies(LagQuota.of(BLITZ), [4_000] * 4)[0] == [3_000, 1_000, 1_000, 1_000]


def test_lag_that_was_never_measured_is_not_compensated() -> None:
    lag = LagCompensation.of(BLITZ, seats=2)
    assert lag.compensation_ms(0) == 0
    lag = lag.measured(0, 120)
    assert (lag.compensation_ms(0), lag.compensation_ms(1), lag.compensation_ms(None)) == (120, 0, 0)


def test_each_seat_spends_its_own_quota() -> None:
    lag = LagCompensation.of(BLITZ, seats=2).measured(0, 4_000).measured(1, 4_000).after_ply(0)
    assert (lag.compensation_ms(0), lag.compensation_ms(1)) == (1_000, 3_000)


def test_a_seat_that_the_match_does_not_have_has_no_lag() -> None:
    lag = LagCompensation.of(BLITZ, seats=2)
    assert lag.measured(3, 500) == lag


@pytest.mark.parametrize("settings", [None, ClockSettings(DAY_MS, renews=True)])
def test_where_seconds_do_not_count_nothing_is_compensated(settings: ClockSettings | None) -> None:
    lag = LagCompensation.of(settings, seats=2).measured(0, 500).after_ply(0)
    assert lag.compensation_ms(0) == 0


@given(st.integers(1_000, 3_600_000), st.integers(0, 30_000), st.lists(st.integers(0, 9_000), max_size=60))
def test_no_more_is_compensated_than_lag_and_quota_allow(
    initial_ms: int, increment_ms: int, round_trips_ms: list[int]
) -> None:
    first = LagQuota.of(ClockSettings(initial_ms, increment_ms))
    compensations_ms, quota = after_plies(first, round_trips_ms)
    assert all(given <= lag_ms for given, lag_ms in zip(compensations_ms, round_trips_ms, strict=True))
    gains_ms = sum(min(first.max_gain_ms, lag_ms + PROCESSING_MS) for lag_ms in round_trips_ms)
    assert sum(compensations_ms) <= first.quota_ms + gains_ms
    assert 0 <= quota.quota_ms <= MAX_QUOTA_GAINS * first.max_gain_ms
