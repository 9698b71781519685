"""Passing when nothing is left to play for, so that a match of bots ends when it is decided, and not before."""

from time import perf_counter

import pytest

from millrace.engine.games import GAMES, find_game
from millrace.engine.games.mingmang.kernels import PASS
from millrace.engine.levels import play
from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.levels.passing_out import OPPONENT_PASSES, barred_passes, passes_out
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.search import Analysis, Limits, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN
from tests.engine.mingmang.positions import WALLED_IN_BLACK_LEADS

MING_MANG = find_game("mingmang")
NEITHER_CAN_WIN = "2w4w/5wwb/w3wwb1/w2wbbb1/2wb3b/wwb5/wwb5/bb1b1b1b b 0"
DECIDED_IN = 40
LONGEST = 60
QUICK_MS = 20
"""The time for a move of the strongest level, which has no other limit."""


def found(value: int, *line: str) -> Analysis:
    return Analysis(1, value, 1, 0.0, line)


def after_invitations(invitations: int) -> State:
    """Return a match in which White, who is behind, has been invited to pass this many times."""
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat="b"))
    for white in ("h7-h8", "h8-g8", "g8-f8")[: invitations - 1]:
        state = state.play_text("pass").play_text(white)
    return state.play_text("pass")


def search_returning(monkeypatch: pytest.MonkeyPatch, of_moves: Analysis, of_pass: Analysis) -> list[Limits]:
    """Replace the search by one with these results, and return the limits that it is given, as it is called."""
    taken: list[Limits] = []

    def search(
        _state: State, limits: Limits, *_args: object, candidates: tuple[int, ...], **_options: object
    ) -> Analysis:
        taken.append(limits)
        return of_pass if candidates == (PASS,) else of_moves

    monkeypatch.setattr(play, "analyse", search)
    return taken


@pytest.mark.parametrize("opponent", [1, 2, 3, 4, "gambler", STRONGEST_LEVEL])
def test_no_opponent_passes_while_anything_is_left_to_play_for(opponent: int | str) -> None:
    for seed in range(1 if opponent == STRONGEST_LEVEL else 3):
        state = State.of(MING_MANG)
        while state.outcome is None and state.ply < LONGEST:
            movetime_ms = QUICK_MS if opponent == STRONGEST_LEVEL else None
            move = analyse_at_level(state, opponent, seed, perf_counter, movetime_ms).best_move
            assert move is not None
            assert move != "pass" or state.is_settled, state.position_text
            state = state.play_text(move)


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


def test_the_losing_side_plays_on_until_enough_passes_of_the_opponent() -> None:
    for invitations in range(1, OPPONENT_PASSES + 1):
        assert passes_out(after_invitations(invitations)) == (invitations == OPPONENT_PASSES)


@pytest.mark.parametrize("value", [WIN - 10, 10 - WIN])
def test_a_side_that_sees_the_end_does_not_pass_in_a_decided_match(value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    search_returning(monkeypatch, found(value, "h7-h8"), found(0, "pass"))
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat="b"))
    assert analyse_at_level(state, STRONGEST_LEVEL, 1, no_clock).best_move == "h7-h8"


@pytest.mark.parametrize(
    ("level", "value", "played"),
    [(8, 10 - WIN, "pass"), (8, -900, "a2-b2"), (1, 10 - WIN, "a2-b2")],
    ids=["all else loses", "all else is bad", "moves are overlooked"],
)
def test_only_a_level_that_overlooks_nothing_passes_in_an_open_match_and_only_if_all_else_loses(
    level: int, value: int, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_returning(monkeypatch, found(value, "a2-b2"), found(-100, "pass"))
    assert analyse_at_level(State.of(MING_MANG), level, 1, no_clock).best_move == played


def test_the_only_legal_move_is_played_even_if_it_is_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    # Black's only man has been on the only square to which it can go.
    moves = ["a1-b1", "pass", "b1-a1", "pass"]
    state = State.from_moves(MING_MANG, "6ww/8/8/8/8/8/ww6/b1w5 b 0", moves)
    monkeypatch.setattr(State, "is_settled", False)
    assert state.legal_move_texts == ("pass",)
    assert barred_passes(state) == ()
    assert analyse_at_level(state, 1, 1, no_clock).best_move == "pass"


@pytest.mark.parametrize("name", [name for name in GAMES if name != "mingmang"])
def test_games_without_a_pass_to_choose_are_left_alone(name: str) -> None:
    assert not passes_out(State.of(GAMES[name]))
    assert barred_passes(State.of(GAMES[name])) == ()


def test_considering_a_pass_takes_no_extra_time(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = search_returning(monkeypatch, found(210, "h4-h3"), found(210, "pass"))
    state = State.of(MING_MANG, WALLED_IN_BLACK_LEADS.format(seat="b"))
    analyse_at_level(state, STRONGEST_LEVEL, 1, no_clock, movetime_ms=100, soft_ms=60)
    assert [limits.movetime_ms for limits in taken] == pytest.approx([90, 10])
    assert [limits.soft_ms for limits in taken] == pytest.approx([54, 6])


def test_the_free_pass_is_the_pass() -> None:
    assert MING_MANG.rules.free_pass == PASS
