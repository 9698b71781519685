"""The bots that play as published programs did: plain minimax by a depth, a beam and a second."""

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.bindings import bindings_of
from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.classic import choose_classically
from millrace.engine.levels.opponents import OPPONENTS, Classic
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.search import Limits, no_clock, value_of_ranks
from millrace.engine.state import State
from millrace.engine.weights import evaluated_by

MORRIS = find_game("morris")
CLASSIC = [name for name, opponent in OPPONENTS.items() if opponent.classic is not None]
SMALL = ("morris", "battlesheep")
ALWAYS = 1 << 40
"""More milliseconds than any search takes."""


def plain_value(state: State, depth: int, beam: int, ply: int = 0) -> int:
    """Return the value of a state for two seats by plain recursion, without alpha-beta."""
    if not state.generated_moves:
        outcome = state.outcome
        assert outcome is not None
        return int(value_of_ranks(np.array(outcome.ranks, dtype=np.int32), state.seat, 2, ply))
    if depth == 0:
        return int(bindings_of(state.game).evaluate(state.start.board, state.words))
    after = [(-plain_value(state.after(move), 0, beam, ply + 1), move) for move in state.generated_moves]
    best = sorted(after, reverse=True)[:beam]
    return max(-plain_value(state.after(move), depth - 1, beam, ply + 1) for _, move in best)


def wander(name: str, choices: list[int]) -> State:
    state = State.of(GAMES[name], "r9,0,0,0/0,b9,0,0/0,0,0,0 r 2" if name == "battlesheep" else "")
    for choice in choices:
        if state.outcome is None:
            state = state.play(state.legal_moves[choice % len(state.legal_moves)])
    return state


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(0, 1000), max_size=24), st.sampled_from([3, 600]), st.sampled_from(["morris", "battlesheep"])
)
def test_the_value_is_that_of_plain_minimax_within_the_beam(choices: list[int], beam: int, name: str) -> None:
    state = wander(name, choices)
    if state.outcome is not None:
        return
    found = choose_classically(state, Classic(3, beam=beam, movetime_ms=ALWAYS), Limits(), no_clock)
    published = evaluated_by(GAMES[name], "published")[0]
    assert found.value == plain_value(State.of(published, state.position_text), 3, beam)
    last = State.from_moves(GAMES[name], state.position_text, found.principal_variation)
    assert found.depth == last.ply or last.outcome is not None


@pytest.mark.parametrize("opponent", CLASSIC)
@pytest.mark.parametrize(
    ("name", "setup"), [*((name, "") for name in GAMES), ("battlesheep", "seats=3"), ("battlesheep", "seats=4 seed=1")]
)
def test_every_classic_bot_plays_legal_moves_in_every_game(name: str, setup: str, opponent: str) -> None:
    state, ticks = State.of(GAMES[name], setup), count()
    for _ in range(6):
        found = analyse_at_level(state, opponent, 1, lambda: next(ticks) / 10)
        assert found.best_move is not None
        state = state.play_text(found.best_move)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_classic_bot_plays_the_same_whatever_the_seed(seed: int) -> None:
    state = State.from_moves(MORRIS, "", ["d6", "f4", "d2"])
    assert analyse_at_level(state, "classic-1", seed, no_clock) == analyse_at_level(state, "classic-1", 7, no_clock)


def test_the_search_stops_after_a_second_with_the_deepest_completed_iteration() -> None:
    ticks = count()
    state = State.of(find_game("mingmang"))
    found = analyse_at_level(state, "classic-6", 1, lambda: next(ticks) / 100)
    assert 100 <= next(ticks) <= 110
    assert 0 < found.depth < 6
    assert len(found.principal_variation) == found.depth


def test_the_clock_of_a_match_shortens_the_search() -> None:
    ticks = count()
    analyse_at_level(State.of(find_game("mingmang")), "classic-8", 1, lambda: next(ticks) / 100, 400, soft_ms=200)
    assert 20 <= next(ticks) <= 30


def test_one_ply_takes_a_man_and_does_not_see_the_answer() -> None:
    state = State.of(MORRIS, "......B..BW.......BW..W. w 6 6")
    assert str(analyse_at_level(state, "classic-1", 1, no_clock).best_move).startswith("d3x")
    threatened = State.of(MORRIS, ".W..WB...W..W.....B...B. b 5 6")
    assert analyse_at_level(threatened, "classic-1", 1, no_clock).best_move != "d5"


def test_a_finished_match_has_no_move() -> None:
    over = State.of(MORRIS, "WW.................BBB.. w 0 0")
    assert analyse_at_level(over, "classic-6", 1, no_clock).best_move is None
