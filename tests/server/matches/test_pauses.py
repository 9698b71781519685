"""Pauses, on a simulated clock."""

from millrace.protocol import (
    ClockSettings,
    Code,
    EndPause,
    Paused,
    PauseEnded,
    Play,
)
from millrace.server.matches.pauses import PAUSE_GRACE_MS, PAUSE_MS
from millrace.server.matches.referee import decide_resume
from tests.server.matches.offering import CLOCK, accept, morris, offer, ranks_of, refusal_of_offer
from tests.server.tables import BOT, ID, MATCH, ME, OPEN, PEOPLE, Table


def paused(clock: ClockSettings | None = CLOCK) -> Table:
    table = morris("d6", "f4", clock=clock)
    offer(table, 0, "pause", 1_000)
    accept(table, 1, "pause", 2_000)
    return table


def test_during_a_pause_the_clocks_stand_still_and_no_ply_is_made() -> None:
    table = paused()
    assert table.stored[-1].entry.event == Paused((59_000, 61_000), 2_000 + PAUSE_MS)
    assert table.left_ms(1_000_000) == (59_000, 61_000)
    assert table.refusal_of(Play(ID, MATCH, 0, "a7"), PEOPLE[0]) is Code.PAUSED
    assert refusal_of_offer(table, 0, "takeback") is Code.PAUSED
    assert table.match.mover is None


def test_any_player_can_end_a_pause_and_the_clock_has_a_grace_period() -> None:
    table = paused()
    end = EndPause(ID, MATCH, 1)
    assert table.obey(end, PEOPLE[1], 50_000) == [PauseEnded(1, (59_000, 61_000), PAUSE_GRACE_MS)]
    assert table.left_ms(50_000 + PAUSE_GRACE_MS + 1_000) == (58_000, 61_000)
    assert table.refusal_of(end, PEOPLE[1]) is Code.NOT_PAUSED
    table.play("a7", 60_000)


def test_a_pause_ends_after_a_day() -> None:
    table = paused()
    assert table.match.due_at_ms == 2_000 + PAUSE_MS
    assert table.wait(1_999 + PAUSE_MS) == []
    assert table.wait(2_000 + PAUSE_MS) == [PauseEnded(None, (59_000, 61_000), PAUSE_GRACE_MS)]


def test_a_restart_of_the_server_does_not_end_a_pause() -> None:
    assert decide_resume(paused().match, 3_000, 90_000) == []


def test_a_paused_match_may_be_resigned_or_drawn() -> None:
    table = paused()
    offer(table, 0, "draw", 5_000)
    assert ranks_of(accept(table, 1, "draw", 9_000)) == (1, 1)
    assert ranks_of(paused(None).resign(0)) == (2, 1)


def test_a_pause_stops_the_time_limit_of_the_match() -> None:
    table = Table("", ME, OPEN, game="mingmang", clock=ClockSettings(60_000, match_limit_ms=50_000))
    offer(table, 0, "pause", 1_000)
    accept(table, 1, "pause", 20_000)
    assert table.match.due_at_ms == 20_000 + PAUSE_MS
    ended = table.obey(EndPause(ID, MATCH, 0), PEOPLE[0], 100_000)
    assert ended == [PauseEnded(0, (40_000, 60_000), PAUSE_GRACE_MS, 30_000)]
    assert table.match.limit_at_ms == 100_000 + PAUSE_GRACE_MS + 30_000


def test_a_bot_agrees_to_a_pause_at_once_and_does_not_move_in_it() -> None:
    table = morris("d6", plans=(ME, BOT))
    assert offer(table, 0, "pause")[-1] == Paused(None, PAUSE_MS)
    assert table.match.mover is None
