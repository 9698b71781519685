"""The clock, at simulated times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import ClockSettings
from millrace.server.matches.clock import DAY_MS, GRACE_MS, Clock, find_fault

THREE_PLUS_TWO = ClockSettings(180_000, 2_000)
FIVE_DELAY_THREE = ClockSettings(300_000, delay_ms=3_000)
TWO_DAYS = ClockSettings(2 * DAY_MS, renews=True)


def test_a_new_clock_is_stopped() -> None:
    clock = Clock.of(THREE_PLUS_TWO, 2)
    assert clock.left_ms(10**9) == (180_000, 180_000)
    assert not clock.has_flag_fallen(10**12)


def test_only_the_running_seat_loses_time() -> None:
    clock = Clock.of(THREE_PLUS_TWO, 2).run(1, now_ms=1_000)
    assert clock.left_ms(4_000) == (180_000, 177_000)


def test_a_ply_adds_the_increment_and_starts_the_next_clock() -> None:
    clock = Clock.of(THREE_PLUS_TWO, 2).run(0, 0).after_ply(1, 10_000)
    assert clock.remaining_ms == (172_000, 180_000)
    assert clock.left_ms(15_000) == (172_000, 175_000)


def test_time_rotates_among_four_seats() -> None:
    clock = Clock.of(ClockSettings(60_000), 4).run(0, 0)
    for ply in range(8):
        clock = clock.after_ply((ply + 1) % 4, (ply + 1) * 1_000)
    assert clock.remaining_ms == (58_000, 58_000, 58_000, 58_000)


def test_the_flag_falls_exactly_when_nothing_is_left() -> None:
    clock = Clock.of(ClockSettings(5_000), 2).run(0, 100)
    assert clock.flag_falls_at_ms == 5_100
    assert not clock.has_flag_fallen(5_099)
    assert clock.has_flag_fallen(5_100)
    assert clock.left_ms(9_000) == (0, 5_000)


def test_a_stopped_clock_keeps_what_was_left() -> None:
    clock = Clock.of(ClockSettings(5_000), 2).run(0, 0).stop(2_000)
    assert clock.left_ms(10**9) == (3_000, 5_000)


def test_after_a_restart_no_time_counts_until_the_grace_period_ends() -> None:
    clock = Clock.of(ClockSettings(60_000), 2).run(0, 0)
    resumed = clock.resume(last_sign_of_life_ms=5_000, now_ms=3_600_000)
    assert resumed.left_ms(3_600_000 + GRACE_MS) == (55_000, 60_000)
    assert resumed.left_ms(3_600_000 + GRACE_MS + 1_000) == (54_000, 60_000)
    assert resumed.flag_falls_at_ms == 3_600_000 + GRACE_MS + 55_000


def test_the_delay_of_each_ply_does_not_count() -> None:
    clock = Clock.of(FIVE_DELAY_THREE, 2).run(0, 1_000)
    assert clock.left_ms(4_000) == (300_000, 300_000)
    assert clock.left_ms(4_500) == (299_500, 300_000)
    assert clock.flag_falls_at_ms == 304_000
    after = clock.after_ply(1, 10_000)
    assert after.remaining_ms == (294_000, 300_000)
    assert after.left_ms(13_000) == (294_000, 300_000)
    assert after.after_ply(0, 12_999).remaining_ms == (294_000, 300_000)


def test_correspondence_renews_the_time_with_each_ply() -> None:
    clock = Clock.of(TWO_DAYS, 2).run(0, 0)
    assert clock.flag_falls_at_ms == 2 * DAY_MS
    after = clock.after_ply(1, DAY_MS)
    assert after.remaining_ms == (2 * DAY_MS, 2 * DAY_MS)
    assert after.flag_falls_at_ms == 3 * DAY_MS


def test_compensated_time_does_not_count() -> None:
    clock = Clock.of(THREE_PLUS_TWO, 2).run(0, 0)
    assert clock.after_ply(1, 10_000, compensated_ms=400).remaining_ms == (172_400, 180_000)
    assert clock.after_ply(1, 300, compensated_ms=400).remaining_ms == (182_000, 180_000)
    assert clock.after_ply(1, 180_100, compensated_ms=400).remaining_ms == (2_300, 180_000)


def test_a_delay_interrupted_by_a_restart_continues_after_the_grace_period() -> None:
    clock = Clock.of(FIVE_DELAY_THREE, 2).run(0, 0)
    resumed = clock.resume(last_sign_of_life_ms=1_000, now_ms=50_000)
    assert resumed.left_ms(50_000 + GRACE_MS + 2_000) == (300_000, 300_000)
    assert resumed.left_ms(50_000 + GRACE_MS + 2_500) == (299_500, 300_000)


@pytest.mark.parametrize(
    ("settings", "explanation"),
    [
        (ClockSettings(60_000, 1_000, delay_ms=1_000), "not both"),
        (ClockSettings(2 * DAY_MS), "a day at most"),
        (ClockSettings(DAY_MS, 1_000, renews=True), "no increment"),
        (ClockSettings(DAY_MS, delay_ms=1_000, renews=True), "no delay"),
        (ClockSettings(DAY_MS, match_limit_ms=1_000, renews=True), "no limit"),
        (ClockSettings(3_600_000, renews=True), "whole days"),
        (ClockSettings(0, renews=True), "whole days"),
        (ClockSettings(0), "at least a second"),
        (ClockSettings(60_000, periods=3), "each of at least a second"),
        (ClockSettings(60_000, period_ms=10_000), "1 to 10"),
        (ClockSettings(60_000, periods=3, period_ms=999), "each of at least a second"),
        (ClockSettings(60_000, 1_000, periods=3, period_ms=10_000), "no increment"),
        (ClockSettings(60_000, delay_ms=1_000, periods=3, period_ms=10_000), "no delay"),
        (ClockSettings(86_400_000, renews=True, periods=1, period_ms=10_000), "no periods"),
    ],
)
def test_the_fault_of_invalid_clock_settings_is_explained(settings: ClockSettings, explanation: str) -> None:
    assert explanation in (find_fault(settings) or "")


@pytest.mark.parametrize(
    "settings",
    [
        *(THREE_PLUS_TWO, FIVE_DELAY_THREE, TWO_DAYS, ClockSettings(DAY_MS)),
        *(ClockSettings(5_000, periods=3, period_ms=10_000), ClockSettings(0, periods=1, period_ms=10_000)),
    ],
)
def test_valid_clock_settings_have_no_fault(settings: ClockSettings) -> None:
    assert find_fault(settings) is None


@given(st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 2_000)), max_size=30), st.integers(0, 5_000))
def test_only_time_beyond_the_delay_is_used(spans_ms: list[tuple[int, int]], delay_ms: int) -> None:
    clock = Clock.of(ClockSettings(10**7, delay_ms=delay_ms), 3).run(0, 0)
    now_ms = used_ms = 0
    for ply, (span_ms, compensated_ms) in enumerate(spans_ms):
        now_ms += span_ms
        used_ms += max(0, span_ms - compensated_ms - delay_ms)
        clock = clock.after_ply((ply + 1) % 3, now_ms, compensated_ms)
    assert sum(clock.remaining_ms) == 3 * 10**7 - used_ms


@given(st.lists(st.integers(0, 20_000), max_size=30), st.integers(0, 5_000))
def test_no_time_is_gained_or_lost_except_by_increments(spans_ms: list[int], increment_ms: int) -> None:
    clock = Clock.of(ClockSettings(10**6, increment_ms), 2).run(0, 0)
    now_ms = 0
    for ply, span_ms in enumerate(spans_ms):
        now_ms += span_ms
        clock = clock.after_ply((ply + 1) % 2, now_ms)
    assert sum(clock.remaining_ms) == 2 * 10**6 - now_ms + increment_ms * len(spans_ms)
