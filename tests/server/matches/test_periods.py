"""Byo-yomi: main time, then periods, at simulated times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import ClockSettings, Created, EndPause, GiveTime, TimeGiven, parse_event
from millrace.server.matches.clock import GRACE_MS, Clock, ClockFace
from millrace.server.matches.match import Match
from millrace.server.matches.pauses import PAUSE_GRACE_MS
from millrace.server.matches.referee import decide
from tests.server.matches.folding import ANN, BEN, fold, obey, play, under_way
from tests.server.matches.offering import accept, morris, offer
from tests.server.tables import ID, MATCH, PEOPLE

FIVE_AND_THREE_OF_TEN = ClockSettings(5_000, periods=3, period_ms=10_000)
TEN_EACH_MOVE = ClockSettings(0, periods=1, period_ms=10_000)


def running(settings: ClockSettings = FIVE_AND_THREE_OF_TEN) -> Clock:
    """A clock of two seats, the first of which is to move since 0."""
    return Clock.of(settings, 2).run(0, 0)


def faces(clock: Clock, now_ms: int) -> tuple[ClockFace, ...]:
    return tuple(clock.face(seat, now_ms) for seat in range(len(clock.remaining_ms)))


@pytest.mark.parametrize(
    ("now_ms", "face"),
    [
        (0, ClockFace(5_000, 3)),
        (4_999, ClockFace(1, 3)),
        (5_000, ClockFace(10_000, 3, in_period=True)),
        (14_999, ClockFace(1, 3, in_period=True)),
        (15_000, ClockFace(10_000, 2, in_period=True)),
        (34_999, ClockFace(1, 1, in_period=True)),
        (35_000, ClockFace(0, 0, in_period=True)),
    ],
)
def test_a_clock_shows_the_main_time_then_each_period(now_ms: int, face: ClockFace) -> None:
    assert running().face(0, now_ms) == face


def test_the_flag_falls_when_the_last_period_is_used_up() -> None:
    assert running().flag_falls_at_ms == 35_000
    assert not running().has_flag_fallen(34_999)
    assert running().has_flag_fallen(35_000)


def test_a_ply_in_the_main_time_keeps_what_is_left_of_it() -> None:
    assert faces(running().after_ply(1, 4_000), 4_000) == (ClockFace(1_000, 3), ClockFace(5_000, 3))


def test_a_ply_within_a_period_restores_it() -> None:
    clock = running().after_ply(1, 12_000)
    assert faces(clock, 12_000) == (ClockFace(10_000, 3, in_period=True), ClockFace(5_000, 3))
    assert clock.periods == (3, 3)


def test_a_period_that_is_used_up_is_lost() -> None:
    clock = running().after_ply(1, 15_000)
    assert faces(clock, 15_000)[0] == ClockFace(10_000, 2, in_period=True)
    later = clock.after_ply(0, 16_000).after_ply(1, 36_500)
    assert faces(later, 36_500)[0] == ClockFace(0, 0, in_period=True)


def test_the_last_period_is_restored_for_as_long_as_plies_come_in_time() -> None:
    clock = running(TEN_EACH_MOVE)
    for ply in range(1, 50):
        clock = clock.after_ply(ply % 2, ply * 9_999)
        assert clock.remaining_ms == (10_000, 10_000)
    assert clock.flag_falls_at_ms == 49 * 9_999 + 10_000


def test_compensated_time_saves_a_period() -> None:
    assert running().after_ply(1, 15_100, compensated_ms=200).periods == (3, 3)
    assert running().after_ply(1, 15_300, compensated_ms=200).periods == (2, 3)


def test_given_time_is_main_time_and_brings_no_period_back() -> None:
    clock = running()
    periods = clock.periods_left(16_000)
    assert periods == (2, 3)
    given_time = clock.given((0,), 15_000, periods)
    assert given_time.face(0, 16_000) == ClockFace(14_000, 2)
    assert given_time.face(0, 30_000) == ClockFace(10_000, 2, in_period=True)
    assert given_time.after_ply(1, 16_000).face(0, 16_000) == ClockFace(14_000, 2)


def test_given_time_counts_the_periods_that_a_player_has_at_that_moment() -> None:
    match = under_way(FIVE_AND_THREE_OF_TEN)
    (event,) = decide(match, GiveTime(ID, match.id, 1), BEN, 16_000).events
    assert event == TimeGiven(1, (0,), 15_000, periods=(2, 3))
    match = fold([event], 16_000, match)
    assert match.clock == Clock(FIVE_AND_THREE_OF_TEN, (50_000, 35_000), running=0, periods=(2, 3))


def test_a_pause_keeps_what_is_left_of_a_period() -> None:
    table = morris("d6", "f4", clock=FIVE_AND_THREE_OF_TEN)
    offer(table, 0, "pause", 8_000)
    accept(table, 1, "pause", 16_000)
    assert face_of(table.match, 0, 90_000) == ClockFace(9_000, 2, in_period=True)
    table.obey(EndPause(ID, MATCH, 1), PEOPLE[1], 100_000)
    goes_on_at_ms = 100_000 + PAUSE_GRACE_MS
    assert face_of(table.match, 0, goes_on_at_ms + 8_999) == ClockFace(1, 2, in_period=True)
    table.play("a7", goes_on_at_ms + 5_000)
    assert face_of(table.match, 0, goes_on_at_ms + 5_000) == ClockFace(10_000, 2, in_period=True)


def test_a_takeback_gives_no_period_back() -> None:
    table = morris("d6", "f4", "a7", clock=FIVE_AND_THREE_OF_TEN)
    table.play("a1", 16_000)
    offer(table, 1, "takeback", 17_000)
    accept(table, 0, "takeback", 18_000)
    assert table.match.state.ply == 3
    assert face_of(table.match, 1, 18_000) == ClockFace(10_000, 2, in_period=True)


def test_after_a_restart_a_period_goes_on_where_it_stood() -> None:
    resumed = running().resume(last_sign_of_life_ms=16_000, now_ms=3_600_000)
    assert resumed.face(0, 3_600_000 + GRACE_MS) == ClockFace(9_000, 2, in_period=True)
    assert resumed.flag_falls_at_ms == 3_600_000 + GRACE_MS + 19_000


def test_the_first_plies_cost_no_period() -> None:
    match = obey(under_way(TEN_EACH_MOVE), play(0, "d6"), ANN, 9_000)
    assert face_of(match, 0, 9_000) == ClockFace(10_000, 1, in_period=True)


def test_a_clock_that_was_stored_before_there_were_periods_has_none() -> None:
    event = b'{"type":"created","game":"morris","setup":"","seats":[],"clock":{"initial_ms":60000}}'
    created = parse_event(event)
    assert isinstance(created, Created)
    assert created.clock is not None
    assert running(created.clock).periods == ()
    assert running(created.clock).given((0,), 15_000, None).after_ply(1, 5_000).remaining_ms == (70_000, 60_000)


@given(st.lists(st.integers(0, 25_000), max_size=40))
def test_a_seat_has_what_a_plain_account_of_its_plies_says(spans_ms: list[int]) -> None:
    clock = running()
    main_ms, periods, now_ms = 5_000, 3, 0
    for span_ms in spans_ms:
        overtime_ms = max(0, span_ms - main_ms)
        main_ms = max(0, main_ms - span_ms)
        periods = max(0, periods - overtime_ms // 10_000)
        now_ms += span_ms
        clock = clock.after_ply(1, now_ms)
        if not periods:
            assert clock.remaining_ms[0] == 0
            return
        assert clock.periods[0] == periods
        assert clock.remaining_ms[0] == main_ms + periods * 10_000
        clock = clock.after_ply(0, now_ms)


def face_of(match: Match, seat: int, now_ms: int) -> ClockFace:
    assert match.clock is not None
    return match.clock.face(seat, now_ms)
