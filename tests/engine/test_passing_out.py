"""Passing when nothing is left to play for, so that a match of bots ends when it is decided."""

import pytest

from millrace.engine.analysis import Analysis, Limits, no_clock
from millrace.engine.games import GAMES, find_game
from millrace.engine.games.mingmang.kernels import PASS
from millrace.engine.levels import play
from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.levels.passing_out import (
    DECISIVE_LEAD,
    MANY_OPPONENT_PASSES,
    OPPONENT_PASSES,
    may_pass_out,
    pass_out_or,
)
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.state import State
from tests.engine.mingmang.positions import WALLED_IN_BLACK_LEADS

MING_MANG = find_game("mingmang")
NEITHER_CAN_WIN = "2w4w/5wwb/w3wwb1/w2wbbb1/2wb3b/wwb5/wwb5/bb1b1b1b b 0"
DECIDED_IN = 40
PASSING = ("pass",)


def found(value: int, *line: str) -> Analysis:
    return Analysis(1, value, 1, 0.0, line)


def after_invitations(invitations: int) -> State:
    """Return a match in which White, who is behind, has been invited to pass this many times."""
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat="b"))
    for white in ("h7-h8", "h8-g8", "g8-f8", "f8-e8", "e8-d8", "d8-c8", "c8-b8", "b8-a8", "a8-a7")[: invitations - 1]:
        state = state.play_text("pass").play_text(white)
    return state.play_text("pass")


@pytest.mark.parametrize("seat", ["b", "w"])
@pytest.mark.parametrize("level", [1, 2, 5, "hunter"])
def test_a_decided_match_of_bots_ends_by_territory(level: int | str, seat: str) -> None:
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat=seat))
    while state.outcome is None and state.ply < DECIDED_IN:
        move = analyse_at_level(state, level, state.ply, no_clock).best_move
        assert move is not None
        state = state.play_text(move)
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.winner) == ("territory", 0)


@pytest.mark.parametrize("level", [1, 5])
def test_bots_agree_on_a_draw_if_neither_can_win(level: int) -> None:
    state = State.of(MING_MANG, NEITHER_CAN_WIN)
    for _ in range(2):
        state = state.play_text(analyse_at_level(state, level, state.ply, no_clock).principal_variation[0])
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.winner) == ("territory", None)


def test_an_open_board_is_played_on_despite_equal_territory() -> None:
    assert not may_pass_out(State.of(MING_MANG))


def test_the_leading_side_passes_unless_a_move_gains_clearly_more() -> None:
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat="b"))
    assert pass_out_or(found(210, "h4-h3"), state, lambda: found(200, "pass")).principal_variation == PASSING
    assert pass_out_or(found(210, "h4-h3"), state, lambda: found(150, "pass")).principal_variation == ("h4-h3",)


def test_a_pass_searched_less_deeply_is_not_considered_equal() -> None:
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat="b"))
    deeper = Analysis(2, 210, 1, 0.0, ("h4-h3",))
    assert pass_out_or(deeper, state, lambda: found(300, "pass")) == deeper


def test_a_winning_side_passes_even_if_it_could_win_more() -> None:
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat="b"))
    more = found(DECISIVE_LEAD + 200, "h4-h3")
    assert pass_out_or(more, state, lambda: found(DECISIVE_LEAD, "pass")).principal_variation == PASSING
    assert pass_out_or(more, state, lambda: found(DECISIVE_LEAD - 1, "pass")).principal_variation == ("h4-h3",)


def test_the_losing_side_plays_on_until_enough_passes_of_the_opponent() -> None:
    for invitations in range(1, OPPONENT_PASSES + 1):
        assert may_pass_out(after_invitations(invitations)) == (invitations == OPPONENT_PASSES)
    invited = after_invitations(OPPONENT_PASSES)
    passed = found(-DECISIVE_LEAD - 10, *PASSING)
    assert pass_out_or(found(-DECISIVE_LEAD, "h7-h8"), invited, lambda: passed) == passed


def test_a_side_that_may_still_win_plays_on_longer() -> None:
    for invitations, move in (
        (OPPONENT_PASSES, "h7-h8"),
        (MANY_OPPONENT_PASSES - 1, "h7-h8"),
        (MANY_OPPONENT_PASSES, "pass"),
    ):
        rested = pass_out_or(found(-200, "h7-h8"), after_invitations(invitations), lambda: found(-210, *PASSING))
        assert rested.best_move == move


@pytest.mark.parametrize("value", [29_990, -29_990, 30])
def test_a_side_that_sees_the_end_or_better_moves_does_not_pass(value: int) -> None:
    rested = pass_out_or(found(value, "h7-h8"), after_invitations(OPPONENT_PASSES), lambda: found(value, *PASSING))
    assert rested.best_move == "h7-h8"


def test_a_match_does_not_start_with_a_pass() -> None:
    assert analyse_at_level(State.of(MING_MANG), 3, 1, no_clock).best_move != "pass"


@pytest.mark.parametrize("name", [name for name in GAMES if name != "mingmang"])
def test_games_without_a_pass_to_choose_are_left_alone(name: str) -> None:
    assert not may_pass_out(State.of(GAMES[name]))


def test_considering_a_pass_takes_no_extra_time(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Limits] = []

    def take(_state: State, limits: Limits, *_args: object, **_options: object) -> Analysis:
        taken.append(limits)
        return found(210, "h4-h3")

    monkeypatch.setattr(play, "analyse", take)
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat="b"))
    analyse_at_level(state, STRONGEST_LEVEL, 1, no_clock, movetime_ms=100, soft_ms=60)
    assert [limits.movetime_ms for limits in taken] == pytest.approx([90, 10])
    assert [limits.soft_ms for limits in taken] == pytest.approx([54, 6])


def test_the_free_pass_is_the_pass() -> None:
    assert MING_MANG.rules.free_pass == PASS
