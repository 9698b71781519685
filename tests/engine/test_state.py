"""A state's history: play, undo, repetition, quiet plies, refusals."""

import os
import sys
from types import FrameType

import numpy as np
import pytest

from millrace.engine.game import IllegalMoveError, MoveSyntaxError, UnknownGameError
from millrace.engine.games import find_game
from millrace.engine.state import State

MORRIS = find_game("morris")
FLYERS = "W.W.B......BB........W.B w 0 0"
SHUTTLE = ["a7-d7", "g1-d1", "d7-a7", "d1-g1"]


def test_playing_does_not_change_the_earlier_state() -> None:
    start = State.of(MORRIS)
    text, words = start.position_text, start.words.copy()
    after = start.play_text("d6")
    assert start.position_text == text
    assert np.array_equal(start.words, words)
    assert (after.seat, after.ply, after.previous, after.move_texts) == (1, 1, start, ("d6",))


def test_undo_returns_the_previous_state() -> None:
    start = State.of(MORRIS)
    assert start.play_text("d6").undo() is start
    with pytest.raises(IllegalMoveError):
        start.undo()


def test_forgotten_parts_of_a_state_are_recomputed() -> None:
    state = State.of(find_game("morris")).play_text("d6").play_text("f4")
    known = state.legal_moves, state.move_tree(), state.drawing, state.outcome, state.repetitions
    state.forget()
    assert known == (state.legal_moves, state.move_tree(), state.drawing, state.outcome, state.repetitions)
    assert state.undo().play_text("f4").identity == state.identity


def test_a_line_is_replayed_from_its_texts() -> None:
    moves = ["d6", "f4", "d2", "b4", "b6", "f6"]
    state = State.from_moves(MORRIS, "", moves)
    assert state.move_texts == tuple(moves)
    assert [earlier.ply for earlier in state.line] == list(range(7))
    again = State.from_moves(MORRIS, "", state.move_texts)
    assert (again.position_text, again.key) == (state.position_text, state.key)


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="kernels are called too")
def test_a_placing_ply_of_nine_mens_morris_takes_at_most_40_python_calls_of_the_engine() -> None:
    state = State.from_moves(MORRIS, "", ["d6", "f4", "a7", "g7", "b4", "d2", "b6", "f6"])
    _answer(state)
    sys.setprofile(calls := EngineCalls())
    played = state.play(state.parse_move("a4"))
    state.format_move(played.move)
    _answer(played)
    state.forget()
    sys.setprofile(None)
    assert calls.number <= 40
    assert len(played.move_tree()) == 15


class EngineCalls:
    """A profile hook that counts the calls of the engine's Python functions."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        self.number += event == "call" and frame.f_globals.get("__name__", "").startswith("millrace.engine.")


def _answer(state: State) -> None:
    """Ask a state everything that a server asks for after a ply."""
    assert state.outcome is None
    assert state.forced_pass is None
    assert state.drawing.reserves
    assert not state.highlights
    assert not state.tallies
    assert state.move_tree()
    assert not state.refused_tree()
    state.highlights_by_clicks()


def test_clicks_separated_by_spaces_are_a_move() -> None:
    state = State.of(MORRIS, "WW.......B.B............ w 7 7")
    assert state.play_text("g7 a4").move_texts == ("g7xa4",)
    with pytest.raises(IllegalMoveError):
        state.parse_move("g7 a7")


@pytest.mark.parametrize("text", ["d6xb4", "a7-d7"])
def test_an_illegal_move_is_refused(text: str) -> None:
    with pytest.raises(IllegalMoveError):
        State.of(MORRIS).play_text(text)


def test_a_text_that_is_not_a_move_is_refused() -> None:
    with pytest.raises(MoveSyntaxError):
        State.of(MORRIS).play_text("castle")


def test_an_unknown_game_is_refused_with_the_known_names() -> None:
    with pytest.raises(UnknownGameError, match="morris"):
        find_game("chess")


def test_nothing_can_be_played_once_the_match_is_over() -> None:
    state = State.from_moves(MORRIS, FLYERS, SHUTTLE * 2)
    assert state.outcome is not None
    assert state.legal_moves, "the board alone would allow more"
    assert state.move_tree() == {}
    with pytest.raises(IllegalMoveError, match="over"):
        state.play_text("a7-d7")


def test_only_the_third_occurrence_counts_and_the_start_is_the_first() -> None:
    state = State.of(MORRIS, FLYERS)
    repeats = []
    for text in SHUTTLE * 2:
        state = state.play_text(text)
        repeats.append(state.repetitions)
    assert repeats == [0, 0, 0, 1, 1, 1, 1, 2]


def test_an_irreversible_move_forgets_earlier_positions() -> None:
    state = State.from_moves(MORRIS, FLYERS, SHUTTLE)
    assert state.history().shape == (4, 3)
    after = state.play(next(move for move in state.legal_moves if "x" in state.format_move(move)))
    assert after.is_fresh
    assert after.history().shape == (0, 3)
    assert after.quiet_plies == 0


def test_history_lists_earlier_positions_oldest_first() -> None:
    state = State.from_moves(MORRIS, FLYERS, SHUTTLE[:3])
    assert [words.tolist() for words in state.history()] == [earlier.words.tolist() for earlier in state.line[:-1]]


def test_the_move_tree_holds_each_legal_move_by_its_clicks() -> None:
    state = State.of(MORRIS, "WW.......B.B............ w 7 7")
    tree = state.move_tree()
    assert tree["g7"] == {"a4": None, "c4": None}
    assert tree["d6"] is None
    assert len(tree) == 20


def test_positions_differ_by_the_side_to_move() -> None:
    mirrored = State.of(MORRIS, "B.....................W. b 8 8")
    original = State.of(MORRIS, "W.....................B. w 8 8")
    assert mirrored.key == original.key, "the same from the mover's view"
    assert mirrored.identity != original.identity
