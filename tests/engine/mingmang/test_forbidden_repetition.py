"""Forbidden repetitions and passes in Ming Mang (rulings 2.4 and 2.5), in play and in the search."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.game import RepetitionError
from millrace.engine.games.mingmang import GAME
from millrace.engine.search import Limits, analyse, no_clock
from millrace.engine.state import State
from tests.engine.mingmang.board_text import START, board, drawn
from tests.engine.move_texts import texts

# --- 2.4, 2.5: repetition and passing ---


SHUTTLE = ["e1-e2", "a5-b5", "e2-e1"]


def shuttled() -> State:
    state = board("""
        w.......
        ........
        ........
        ........
        ....b...
    """)
    for text in SHUTTLE:
        state = state.play_text(text)
    return state


def test_a_move_may_not_repeat_a_position_with_the_same_side_to_move() -> None:
    state = shuttled()
    assert "b5-a5" not in texts(state)
    assert [state.format_move(move) for move in state.refused_moves] == ["b5-a5"]
    with pytest.raises(RepetitionError, match="b5-a5 would repeat an earlier position"):
        state.play_text("b5-a5")


def test_the_same_board_with_the_other_side_to_move_is_not_a_repetition() -> None:
    state = State.of(GAME).play_text("b1-b2").play_text("pass").play_text("b2-b1")
    assert state.position_text == START.replace(" b 0", " w 0")


def test_a_refused_move_is_not_offered_as_clicks() -> None:
    assert "a5" not in (shuttled().move_tree()["b5"] or {})


def test_the_whole_match_counts_for_repetition() -> None:
    state = shuttled()
    for text in ["b5-b6", "e1-f1", "b6-b7", "f1-g1", "b7-a7", "g1-f1", "a7-a6", "f1-e1"]:
        state = state.play_text(text)
    assert "a6-a5" not in texts(state)


def test_a_move_may_not_repeat_a_position_reached_by_a_pass() -> None:
    state = State.from_moves(GAME, "", ["pass", "a2-b2", "g1-g2", "b2-a2"])
    assert "g2-g1" not in texts(state)
    assert "g2-g3" in texts(state)


def test_a_pass_is_never_refused() -> None:
    state = State.from_moves(GAME, "", ["b1-b2", "pass", "b2-b1"])
    assert state.position_text == START.replace(" b 0", " w 0")
    assert state.play_text("pass").position_text == START.replace(" b 0", " b 1")


def test_a_side_whose_every_move_is_refused_must_pass() -> None:
    state = board("""
        .......b
        ........
        ........
        ........
        ........
        b.......
        .b......
        wb......
    """)
    for text in ["h8-h7", "a1-a2", "h7-h8"]:
        state = state.play_text(text)
    assert texts(state) == {"pass"}
    assert state.outcome is None
    assert state.play_text("pass").outcome is None


def test_a_pass_changes_nothing_but_the_turn() -> None:
    state = State.of(GAME).play_text("pass")
    assert drawn(state) == drawn(State.of(GAME))
    assert state.seat == 1


def test_the_history_for_the_search_holds_every_earlier_position_without_its_passes() -> None:
    state = State.of(GAME).play_text("pass").play_text("a2-b2")
    history = state.history()
    assert history.shape == (2, 3)
    assert history[:, 2].tolist() == [0, 0]
    assert history[1, :2].tolist() == history[0, 1::-1].tolist()


# --- known traps of search ---


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_the_search_never_relies_on_a_refused_repetition(chance: random.Random, plies: int) -> None:
    state = board("""
        .......b
        ........
        ........
        ........
        ........
        b.......
        .b......
        wb......
    """)
    for _ in range(plies):
        if state.outcome is None:
            state = state.play(chance.choice(state.legal_moves))
    if state.outcome is None:
        for text in analyse(state, Limits(depth=5), clock=no_clock).principal_variation:
            state = state.play_text(text)


def test_the_root_of_a_search_is_remembered_without_the_passes_just_made() -> None:
    state = State.of(GAME).play_text("pass")
    assert state.words[2] == 1
    assert state.settled_words.tolist() == [*state.words[:2].tolist(), 0]


def test_chains_of_captures_do_not_make_the_search_endless() -> None:
    state = State.of(GAME, "bwbwbwbw/1w1b1w1b/b1w1b1w1/8/1b1w1b1w/w1b1w1b1/8/8 b 0")
    assert analyse(state, Limits(depth=2), clock=no_clock).depth == 2
