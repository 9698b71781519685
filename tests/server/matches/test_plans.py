"""Plans: what may be planned, the rest of a plan, and which reply is due."""

from collections.abc import Sequence

import pytest

from millrace.protocol import ClockSettings, Code, Moved, SetPlan
from millrace.protocol.refusal import Refusal
from millrace.server.matches.clock import DAY_MS
from millrace.server.matches.match import Match
from millrace.server.matches.plans import MAX_PLIES, MAX_REPLIES, StoredPlan, plan_moves, planned_reply, rest_of_plan
from tests.server.matches.offering import accept, morris, offer
from tests.server.tables import ID, MATCH, ME, OPEN, Table

DAYS = ClockSettings(3 * DAY_MS, renews=True)
LINES = (("f4", "a7", "a1", "g7"), ("f4", "a7", "g7", "a1"), ("f6", "a7"))
"""White's replies, after d6, to what Black may do."""


def after(*moves: str) -> Table:
    return morris(*moves, clock=DAYS)


def plan(table: Table, *lines: Sequence[str], seat: int = 0) -> StoredPlan:
    return plan_moves(table.match, SetPlan(ID, MATCH, seat, table.match.state.ply, tuple(map(tuple, lines))))


def refusal_of(table: Table, *lines: Sequence[str], seat: int = 0, ply: int | None = None) -> Refusal:
    command = SetPlan(ID, MATCH, seat, table.match.state.ply if ply is None else ply, tuple(map(tuple, lines)))
    with pytest.raises(Refusal) as refused:
        plan_moves(table.match, command)
    return refused.value


def reply(match: Match, planned: StoredPlan, seat: int = 0) -> str | None:
    events = planned_reply(match, seat, planned, 0).events
    if not events:
        return None
    (moved,) = events
    assert isinstance(moved, Moved)
    assert moved.planned
    return moved.move


def test_a_reply_is_due_once_the_opponent_has_made_the_move_before_it() -> None:
    table = after("d6")
    planned = plan(table, *LINES)
    assert reply(table.match, planned) is None
    assert rest_of_plan(table.match, 0, planned) == LINES
    table.play("f4")
    assert reply(table.match, planned) == "a7"
    assert rest_of_plan(table.match, 0, planned) == (("a7", "a1", "g7"), ("a7", "g7", "a1"))
    table.play("a7")
    table.play("g7")
    assert reply(table.match, planned) == "a1"


def test_nothing_is_left_of_a_plan_that_the_match_has_left_or_finished() -> None:
    for moves in (("a1",), ("f4", "g7"), ("f6", "a7", "a1")):
        table = after("d6")
        planned = plan(table, *LINES)
        for move in moves:
            table.play(move)
        assert rest_of_plan(table.match, 0, planned) == ()
        assert reply(table.match, planned) is None


def test_a_takeback_ends_a_plan_even_if_the_same_plies_are_made_again() -> None:
    table = after("d6")
    planned = plan(table, *LINES)
    offer(table, 0, "takeback")
    accept(table, 1, "takeback")
    table.play("d6")
    table.play("f4")
    assert table.match.state.move_texts == ("d6", "f4")
    assert reply(table.match, planned) is None


def test_no_reply_is_made_in_a_pause_or_after_the_end() -> None:
    table = after("d6")
    planned = plan(table, *LINES)
    table.play("f4")
    offer(table, 0, "pause")
    accept(table, 1, "pause")
    assert reply(table.match, planned) is None
    table.resign(1)
    assert reply(table.match, planned) is None
    assert rest_of_plan(table.match, 0, planned) == ()


def test_equal_lines_are_stored_once_and_moves_may_be_given_by_clicks() -> None:
    table = Table("", ME, OPEN, game="mingmang", clock=DAYS)
    table.play("h7-g7")
    assert plan(table, ("a2-b2", "g7-h7"), ("a2 b2", "g7 h7")).lines == (("a2-b2", "g7-h7"),)


@pytest.mark.parametrize(
    ("lines", "code", "explanation"),
    [
        ([["f4"]], Code.BAD_PLAN, "your reply is missing"),
        ([[]], Code.BAD_PLAN, "your reply is missing"),
        ([["d6", "a7"]], Code.ILLEGAL_MOVE, "d6"),
        ([["f4", "f4"]], Code.ILLEGAL_MOVE, "After f4: f4"),
        ([["zz", "f4"]], Code.BAD_MOVE, "zz"),
        ([["f4", "a7"], ["f4", "a1"]], Code.BAD_PLAN, "After f4 you plan both a7 and a1"),
        ([["f4", "a7"] * (MAX_PLIES // 2 + 1)], Code.PLAN_TOO_LARGE, f"at most {MAX_PLIES} plies"),
    ],
)
def test_what_cannot_be_planned_is_explained(lines: list[list[str]], code: Code, explanation: str) -> None:
    refusal = refusal_of(after("d6"), *lines)
    assert refusal.code is code
    assert explanation in refusal.message


def test_a_plan_has_a_maximum_of_replies() -> None:
    table = after("d6")
    state = table.match.state
    openings = [state.format_move(move) for move in state.legal_moves]
    lines = [
        (first, second, third, fourth)
        for first in openings
        for second in [next(move for move in openings if move != first)]
        for third in [move for move in openings if move not in (first, second)][:8]
        for fourth in [next(move for move in openings if move not in (first, second, third))]
    ]
    assert len(lines) + len(openings) > MAX_REPLIES
    refusal = refusal_of(table, *lines)
    assert refusal.code is Code.PLAN_TOO_LARGE
    assert str(MAX_REPLIES) in refusal.message


def test_moves_are_planned_in_the_opponents_turn_by_correspondence_and_for_the_position_on_the_board() -> None:
    table = after("d6")
    assert refusal_of(table, ("f4", "a7"), ply=0).code is Code.PLAN_OUTDATED
    assert refusal_of(table, ("f4", "a7"), seat=1).code is Code.BAD_PLAN
    assert refusal_of(morris("d6", clock=ClockSettings(60_000)), ("f4", "a7")).code is Code.BAD_PLAN
    assert refusal_of(morris("d6"), ("f4", "a7")).code is Code.BAD_PLAN
    table.resign(1)
    assert refusal_of(table, ("f4", "a7")).code is Code.MATCH_OVER


def test_no_lines_are_possible_at_any_time_of_the_match() -> None:
    assert plan(after("d6"), seat=1).lines == ()


def test_with_three_seats_a_reply_answers_what_both_others_have_done() -> None:
    table = Table("seats=3", ME, OPEN, OPEN, clock=DAYS)
    places = [table.match.state.format_move(move) for move in table.match.state.legal_moves]
    table.play(places[0])
    all_placed = table.match.state.play_text(places[1]).play_text(places[2])
    own = all_placed.format_move(all_placed.legal_moves[0])
    planned = plan(table, (places[1], places[2], own))
    table.play(places[1])
    assert reply(table.match, planned) is None
    table.play(places[2])
    assert reply(table.match, planned) == own
