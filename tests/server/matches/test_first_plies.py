"""First plies, delayed plies and restarts, on a simulated clock."""

import pytest

from millrace.protocol import (
    ClockSettings,
    Created,
    Ended,
    Event,
    Moved,
    Resumed,
    Seated,
    Started,
    parse_event,
)
from millrace.server.matches.clock import DAY_MS, GRACE_MS
from millrace.server.matches.creation import open_match
from millrace.server.matches.lag_compensation import LagCompensation
from millrace.server.matches.referee import (
    decide,
    decide_due,
    decide_resume,
)
from tests.server.matches.folding import ANN, BEN, BOT, ME, create, fold, obey, play, started, under_way
from tests.server.tables import left_ms, only_end

BLITZ = ClockSettings(180_000, 2_000)


def test_the_first_plies_cost_no_time_and_gain_none() -> None:
    match = started(clock=BLITZ)
    assert left_ms(match, 29_000) == (180_000, 180_000)
    assert decide(match, play(0, "a7"), ANN, 29_000).events == [Moved(0, "a7", (180_000, 180_000))]
    match = obey(match, play(0, "a7"), ANN, 29_000)
    match = obey(match, play(1, "g7"), BEN, 50_000)
    assert left_ms(match, 51_000) == (179_000, 180_000)


def test_a_match_with_a_late_first_ply_has_no_result() -> None:
    match = started(clock=BLITZ)
    assert match.due_at_ms == 30_000
    assert decide_due(match, 29_999) == []
    explanation = "White did not make the first move in time"
    assert decide_due(match, 30_000) == [Ended(None, "no_show", explanation, 0, (180_000, 180_000))]


def test_each_seat_has_the_whole_time_for_its_first_ply() -> None:
    match = obey(started(clock=BLITZ), play(0, "a7"), ANN, 20_000)
    assert decide_due(match, 49_999) == []
    ended = only_end(decide_due(match, 50_000))
    assert (ended.reason, ended.seat) == ("no_show", 1)
    assert decide_due(obey(match, play(1, "g7"), BEN, 49_999), 60_000) == []


def test_a_bot_has_no_deadline_for_its_first_ply() -> None:
    match = fold(open_match(create(BOT, ME, clock=BLITZ), ANN, (0, 1), 0))
    assert match.due_at_ms is None
    assert decide_due(match, 10**9) == []


@pytest.mark.parametrize("clock", [None, ClockSettings(DAY_MS, renews=True)])
def test_without_seconds_there_is_no_deadline_for_the_first_ply(clock: ClockSettings | None) -> None:
    assert decide_due(started(clock=clock), DAY_MS - 1) == []


def test_a_restart_renews_the_time_for_the_first_ply() -> None:
    match = fold([Resumed((180_000, 180_000), GRACE_MS)], 90_000, started(clock=BLITZ))
    assert match.due_at_ms == 90_000 + GRACE_MS + 30_000


def test_a_match_stored_before_first_plies_were_free_has_its_clock_run_from_the_start() -> None:
    seated: list[Event] = [Created("morris", "", (ME, ME), BLITZ), Seated(0, ANN), Seated(1, ANN)]
    assert parse_event(b'{"type":"started"}') == Started()
    match = fold([*seated, Started()], 1_000)
    assert left_ms(match, 5_000) == (176_000, 180_000)
    assert match.due_at_ms == 181_000


def test_a_ply_on_its_way_when_the_flag_fell_counts() -> None:
    match = under_way(ClockSettings(10_000))
    assert decide_due(match, 10_150, allowance_ms=200) == []
    lag = LagCompensation.of(match.created.clock, seats=2).measured(0, 200)
    assert decide(match, play(0, "d6"), ANN, 10_150, lag=lag).events == [Moved(0, "d6", (50, 10_000))]
    ended = only_end(decide_due(match, 10_200, allowance_ms=200))
    assert (ended.reason, ended.clocks_ms) == ("time", (0, 10_000))


def test_after_a_restart_an_event_sets_the_running_clock() -> None:
    match = under_way(ClockSettings(60_000))
    assert decide_resume(match, 4_000, 90_000) == [Resumed((56_000, 60_000), GRACE_MS)]
    after = fold([Resumed((56_000, 60_000), GRACE_MS)], 90_000, match)
    assert left_ms(after, 90_000 + GRACE_MS + 1_000) == (55_000, 60_000)
    assert decide_resume(started(), 0, 90_000) == []
