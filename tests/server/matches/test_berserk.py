"""What is different in a match of a tournament: berserk, what players cannot do, and stand-ins."""

import pytest

from millrace.protocol import (
    Abort,
    Berserk,
    Berserked,
    ClockSettings,
    Code,
    Created,
    Ended,
    GiveTime,
    Left,
    Offer,
    Play,
    Rematch,
    Resign,
    SeatPlan,
    StoodIn,
    TournamentId,
)
from millrace.protocol.refusal import Refusal
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.creation import open_tournament_match
from millrace.server.matches.departures import STAND_IN_LEVEL
from millrace.server.matches.fold import apply_event, replay
from millrace.server.matches.match import Match
from millrace.server.matches.referee import decide, decide_due
from tests.server.tables import ID, MATCH, PEOPLE

CLOCK = ClockSettings(60_000, 1_000)


def created(**more: object) -> Created:
    seats = (SeatPlan("open"), SeatPlan("open"))
    fields = {"game": "morris", "setup": "", "seats": seats, "clock": CLOCK, "berserk": True}
    return Created(tournament=TournamentId("t"), **{**fields, **more})  # type: ignore[arg-type]


class Board:
    """A match of a tournament on a simulated clock."""

    def __init__(self, event: Created | None = None) -> None:
        event = event or created()
        events = open_tournament_match(event, PEOPLE[: len(event.seats)], 0)
        self.match: Match = replay(MATCH, [Recorded(seq, Entry(each, 0)) for seq, each in enumerate(events, 1)])

    def obey(self, command, seat: int, now_ms: int):  # type: ignore[no-untyped-def]
        events = decide(self.match, command, PEOPLE[seat], now_ms).events
        for event in events:
            self.match = apply_event(self.match, Recorded(self.match.seq + 1, Entry(event, now_ms)))
        return events

    def refusal(self, command, seat: int) -> Code:  # type: ignore[no-untyped-def]
        with pytest.raises(Refusal) as refused:
            decide(self.match, command, PEOPLE[seat], 1_000)
        return refused.value.code


def test_a_player_has_half_the_time_and_no_increment_and_the_other_all() -> None:
    board = Board()
    assert board.obey(Berserk(ID, MATCH, 1), 1, 1_000) == [Berserked(1, (60_000, 30_000))]
    for ply, move in enumerate(("d6", "f4", "a7", "g7")):
        board.obey(Play(ID, MATCH, ply % 2, move), ply % 2, 2_000 + 1_000 * ply)
    assert board.match.clock is not None
    assert board.match.clock.left_ms(5_000) == (60_000, 29_000)
    assert board.match.berserk == {1}


def test_both_may_before_their_own_first_move_and_only_once() -> None:
    board = Board()
    board.obey(Play(ID, MATCH, 0, "d6"), 0, 1_000)
    assert board.refusal(Berserk(ID, MATCH, 0), 0) is Code.BERSERK_NOT_POSSIBLE
    board.obey(Berserk(ID, MATCH, 1), 1, 2_000)
    assert board.refusal(Berserk(ID, MATCH, 1), 1) is Code.BERSERK_NOT_POSSIBLE
    assert board.refusal(Berserk(ID, MATCH, 0), 1) is Code.NOT_YOUR_SEAT


def test_only_a_match_that_allows_it_has_it() -> None:
    assert Board(created(berserk=False)).refusal(Berserk(ID, MATCH, 0), 0) is Code.BERSERK_NOT_POSSIBLE


@pytest.mark.parametrize("command", [Abort(ID, MATCH, 0), GiveTime(ID, MATCH, 0), Offer(ID, MATCH, 0, "pause")])
def test_a_match_of_a_tournament_is_neither_called_off_nor_paused_nor_lengthened(command) -> None:  # type: ignore[no-untyped-def]
    assert Board().refusal(command, 0) is Code.NOT_IN_TOURNAMENTS


def test_it_has_no_takeback_but_a_draw() -> None:
    board = Board()
    for ply, move in enumerate(("d6", "f4")):
        board.obey(Play(ID, MATCH, ply, move), ply, 1_000)
    assert board.refusal(Offer(ID, MATCH, 0, "takeback"), 0) is Code.NOT_IN_TOURNAMENTS
    assert board.obey(Offer(ID, MATCH, 0, "draw"), 0, 2_000)


def test_it_has_no_rematch() -> None:
    board = Board()
    board.obey(Resign(ID, MATCH, 0), 0, 1_000)
    assert board.refusal(Rematch(ID, MATCH, 0), 0) is Code.NOT_IN_TOURNAMENTS


def test_who_does_not_make_the_first_move_in_time_loses() -> None:
    (ended,) = decide_due(Board().match, 600_000)
    assert isinstance(ended, Ended)
    assert ended.ranks == (2, 1)
    assert ended.reason == "no_show"


def table_of_three() -> Board:
    return Board(created(game="battlesheep", setup="seats=3", seats=(SeatPlan("open"),) * 3, berserk=False))


def test_a_bot_plays_on_at_once_for_who_leaves_a_table() -> None:
    board = table_of_three()
    events = board.obey(Resign(ID, MATCH, 0), 0, 1_000)
    assert events == [Left(0, "resignation"), StoodIn(0, "bot", STAND_IN_LEVEL)]
    assert board.match.mover == bot_player(STAND_IN_LEVEL)


def test_who_misses_the_first_move_at_a_table_has_left_it() -> None:
    board = table_of_three()
    first_ply_ms = board.match.first_ply_ms
    assert first_ply_ms is not None
    assert decide_due(board.match, first_ply_ms - 1) == []
    assert decide_due(board.match, first_ply_ms) == [Left(0, "absence"), StoodIn(0, "bot", STAND_IN_LEVEL)]


def test_who_stays_alone_at_a_table_wins() -> None:
    board = table_of_three()
    board.obey(Resign(ID, MATCH, 0), 0, 1_000)
    ended = board.obey(Resign(ID, MATCH, 2), 2, 2_000)[-1]
    assert isinstance(ended, Ended)
    assert ended.ranks == (3, 1, 2)
