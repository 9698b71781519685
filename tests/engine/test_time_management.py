"""Budgets: properties for every clock, and reasons to think longer or less long."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.time_management import (
    EXPECTED_PLIES_LEFT,
    MARGIN_MS,
    MAX_TIME_FACTOR,
    MIN_TIME_FACTOR,
    plan_time,
    settled_share,
    time_factor,
)

lefts = st.floats(0, 86_400_000)
extras = st.floats(0, 60_000)
plies = st.none() | st.integers(1, 100)


@settings(deadline=None)
@given(lefts, extras, extras, plies)
def test_no_budget_exceeds_the_clock(
    left_ms: float, increment_ms: float, delay_ms: float, plies_to_go: int | None
) -> None:
    soft_ms, hard_ms, last_ms = plan_time(left_ms, increment_ms, delay_ms, plies_to_go)
    assert 0 <= soft_ms <= hard_ms <= last_ms * (1 + 1e-9)
    kept_ms = min(MARGIN_MS, left_ms / 2)
    assert last_ms <= (left_ms - kept_ms + delay_ms) * (1 + 1e-9)


@settings(deadline=None)
@given(lefts, lefts, extras, extras, plies)
def test_more_time_never_makes_a_budget_smaller(
    one_ms: float, other_ms: float, increment_ms: float, delay_ms: float, plies_to_go: int | None
) -> None:
    less, more = (plan_time(left, increment_ms, delay_ms, plies_to_go) for left in sorted((one_ms, other_ms)))
    assert less.soft_ms <= more.soft_ms + 1e-6
    assert less.hard_ms <= more.hard_ms + 1e-6


@settings(deadline=None)
@given(lefts, st.tuples(extras, extras), st.tuples(extras, extras), plies)
def test_more_increment_or_delay_never_makes_a_budget_smaller(
    left_ms: float, increments: tuple[float, float], delays: tuple[float, float], plies_to_go: int | None
) -> None:
    less = plan_time(left_ms, min(increments), min(delays), plies_to_go)
    more = plan_time(left_ms, max(increments), max(delays), plies_to_go)
    assert less.soft_ms <= more.soft_ms + 1e-6
    assert less.hard_ms <= more.hard_ms + 1e-6


@settings(deadline=None)
@given(lefts, extras, st.integers(1, 100))
def test_more_remaining_plies_never_make_a_budget_larger(left_ms: float, increment_ms: float, plies: int) -> None:
    fewer, more = (plan_time(left_ms, increment_ms, 0, count) for count in (plies, plies + 1))
    assert fewer.hard_ms >= more.hard_ms - 1e-6


@settings(deadline=None)
@given(st.floats(1, 3_600_000), extras, extras)
def test_using_the_whole_budget_on_every_ply_never_loses_on_time(
    left_ms: float, increment_ms: float, delay_ms: float
) -> None:
    for _ in range(300):
        thought_ms = plan_time(left_ms, increment_ms, delay_ms).hard_ms
        left_ms -= max(thought_ms - delay_ms, 0)
        assert left_ms > 0
        left_ms += increment_ms


def test_an_increment_alone_is_enough() -> None:
    left_ms = 3_000.0
    for _ in range(200):
        left_ms += 2_000 - plan_time(left_ms, 2_000).soft_ms
    assert left_ms > 2_000


def test_time_for_a_single_ply_may_be_used_up() -> None:
    assert plan_time(10_000, plies_to_go=1).hard_ms == 10_000 - MARGIN_MS
    assert plan_time(10_000, plies_to_go=EXPECTED_PLIES_LEFT + 50) == plan_time(10_000)


@settings(deadline=None)
@given(st.integers(0, 100), st.integers(-500, 500), st.floats(0, 1))
def test_a_budget_is_stretched_within_bounds(standing: int, drop: int, effort: float) -> None:
    assert MIN_TIME_FACTOR <= time_factor(standing, drop, effort) <= MAX_TIME_FACTOR


@settings(deadline=None)
@given(st.integers(0, 100), st.integers(-500, 500), st.floats(0, 1))
def test_a_clear_move_is_played_sooner_and_a_doubtful_one_later(standing: int, drop: int, effort: float) -> None:
    usual = time_factor(standing, drop, effort)
    assert time_factor(standing + 1, drop, effort) <= usual
    assert time_factor(standing, drop + 10, effort) >= usual
    assert time_factor(standing, drop, effort / 2) >= usual


@pytest.mark.parametrize(("standing", "drop", "effort", "least", "most"), [(8, 0, 0.95, 0, 0.6), (0, 60, 0.4, 2, 3)])
def test_a_budget_is_halved_or_doubled(standing: int, drop: int, effort: float, least: float, most: float) -> None:
    assert least <= time_factor(standing, drop, effort) <= most


@settings(deadline=None)
@given(st.floats(0.5, 1), st.floats(0, 1))
def test_a_move_settles_sooner_in_a_decided_match_and_later_after_a_change(expected: float, changed_at: float) -> None:
    usual = settled_share(expected, changed_at)
    assert settled_share(1 - expected, changed_at) == pytest.approx(usual)
    assert settled_share((1 + expected) / 2, changed_at) <= usual
    assert settled_share(expected, changed_at + 0.1) >= usual
