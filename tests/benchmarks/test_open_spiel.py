"""OpenSpiel as an opponent: its rules agree with ours within its match length, and it answers with legal moves."""

import random

import pytest

from millrace.engine.games import find_game
from millrace.engine.state import State

pytest.importorskip("pyspiel", reason="pip install '.[bench]' brings OpenSpiel")

from benchmarks.open_spiel import actions_of, choose, serve, state_after, text_of

MORRIS = find_game("morris")
COMPARED_PLIES = 120
"""There is neither an end by repetition nor by quiet plies, and an end after 200 actions."""


def texts_of(moves: list[str]) -> set[str]:
    """Return the moves that the framework allows after these."""
    state = state_after(moves)
    mover, texts = state.current_player(), set[str]()
    for action in [] if state.is_terminal() else state.legal_actions():
        after = state.child(action)
        text = text_of(action, is_taking=False)
        if after.is_terminal() or after.current_player() != mover:
            texts.add(text)
        else:
            texts |= {text + text_of(taken, is_taking=True) for taken in after.legal_actions()}
    return texts


@pytest.mark.parametrize("seed", range(8))
def test_it_allows_exactly_the_legal_moves(seed: int) -> None:
    state, chance = State.of(MORRIS), random.Random(seed)
    while state.outcome is None and state.ply < COMPARED_PLIES:
        assert texts_of(list(state.move_texts)) == {state.format_move(move) for move in state.legal_moves}
        state = state.play(chance.choice(state.legal_moves))
    assert state.ply > 18, "men were moved, not only placed"


def test_a_mill_is_two_actions() -> None:
    assert actions_of("d1xa7") == (22, 0)
    assert actions_of("a7-d7xg1") == (24 + 1, 23)


def test_it_answers_lines_with_legal_moves() -> None:
    lines = ["uci", "isready", "position startpos moves d6", "go movetime 20", "position text x", "quit", "isready"]
    name, ready, known, answer, refused = serve(lines)
    assert (name, ready, known) == ("id name OpenSpiel MCTS", "uciok", "readyok")
    assert answer.startswith("bestmove ")
    assert State.from_moves(MORRIS, "", ["d6"]).play_text(answer.split()[1]).ply == 2
    assert refused.startswith("info string error")


def test_it_closes_a_mill_and_takes() -> None:
    moves = ["a7", "a1", "d7", "g1"]
    text = choose(moves, 200, seed=1)
    assert text in texts_of(moves)
    assert text.startswith("g7x")


def test_it_answers_even_beyond_its_maximum_match_length(monkeypatch: pytest.MonkeyPatch) -> None:
    over = state_after(())
    while not over.is_terminal():
        over.apply_action(over.legal_actions()[0])
    monkeypatch.setattr("benchmarks.open_spiel.state_after", lambda _moves: over)
    assert State.from_moves(MORRIS, "", ["d6"]).play_text(choose(["d6"], 10, seed=1)).ply == 2
