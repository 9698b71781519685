"""The clock, on times that the test makes up."""

from hypothesis import given
from hypothesis import strategies as st

from server.clock import GRACE_MS, Clock
from server.protocol import ClockSettings

THREE_PLUS_TWO = ClockSettings(180_000, 2_000)


def test_a_clock_stands_until_it_runs() -> None:
    clock = Clock.of(THREE_PLUS_TWO, 2)
    assert clock.left_ms(10**9) == (180_000, 180_000)
    assert not clock.has_flag_fallen(10**12)


def test_only_the_running_seat_loses_time() -> None:
    clock = Clock.of(THREE_PLUS_TWO, 2).run(1, now_ms=1_000)
    assert clock.left_ms(4_000) == (180_000, 177_000)


def test_a_ply_adds_the_increment_and_hands_the_time_on() -> None:
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


def test_after_a_restart_no_time_counts_until_the_grace_is_over() -> None:
    clock = Clock.of(ClockSettings(60_000), 2).run(0, 0)
    resumed = clock.resume(last_sign_of_life_ms=5_000, now_ms=3_600_000)
    assert resumed.left_ms(3_600_000 + GRACE_MS) == (55_000, 60_000)
    assert resumed.left_ms(3_600_000 + GRACE_MS + 1_000) == (54_000, 60_000)
    assert resumed.flag_falls_at_ms == 3_600_000 + GRACE_MS + 55_000


@given(st.lists(st.integers(0, 20_000), max_size=30), st.integers(0, 5_000))
def test_time_is_neither_made_nor_lost_but_for_increments(spans_ms: list[int], increment_ms: int) -> None:
    clock = Clock.of(ClockSettings(10**6, increment_ms), 2).run(0, 0)
    now_ms = 0
    for ply, span_ms in enumerate(spans_ms):
        now_ms += span_ms
        clock = clock.after_ply((ply + 1) % 2, now_ms)
    assert sum(clock.remaining_ms) == 2 * 10**6 - now_ms + increment_ms * len(spans_ms)
