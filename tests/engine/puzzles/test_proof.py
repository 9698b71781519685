"""Forced goals on small positions, compared with a plain search of every line."""

import random

import numpy as np
import pytest

from millrace.engine.games import find_game
from millrace.engine.puzzles import Goal, Prover
from millrace.engine.puzzles.proof import NEVER
from millrace.engine.state import State


def reaching(game: str, position: str, goal: str) -> list[str]:
    state = State.of(find_game(game), position)
    prover = Prover(state.game)
    asked = Goal.parse(goal)
    moves = prover.moves_to(state, asked, prover.least_lead(state, asked))
    assert moves is not None
    return sorted(map(state.format_move, moves))


def forces(prover: Prover, state: State, goal: Goal, least_lead: int, solver: int, plies: int) -> bool:
    """Return whether the solver reaches a goal, by trying every line with the state's own functions."""
    if state.outcome is not None:
        return state.outcome.winner == solver
    if plies == 0:
        lead = prover.lead_of(state, goal.measure)
        return goal.measure != "win" and (lead if state.seat == solver else -lead) >= least_lead
    answers = (forces(prover, state.after(move), goal, least_lead, solver, plies - 1) for move in state.generated_moves)
    return any(answers) if state.seat == solver else all(answers)


def test_a_mill_wins_whichever_man_may_be_taken() -> None:
    assert reaching("morris", "WW.......B..........B... w 7 7", "men+1/1") == ["g7xa4", "g7xf2"]
    # Black threatens to close a mill at d2: only the man beside it may be taken.
    assert reaching("morris", "WW.......B.........BB..W w 6 6", "men+1/2") == ["g7xd2", "g7xf2"]


def test_blocking_a_side_in_one_move_wins() -> None:
    assert reaching("morris", "BBB.W....BW..........W.W w 0 0", "win/1") == ["g1-g4"]


def test_a_man_that_the_opponent_recaptures_is_no_gain() -> None:
    # The man on c4 is captured, and recaptured along the column.
    position = "8/8/2w5/8/bw6/8/2w5/2b4w b 0"
    assert "a4-b4" not in reaching("mingmang", position, "men+1/2")


@pytest.mark.parametrize(
    ("game", "goal", "plies"),
    [("morris", "men+1/2", 24), ("morris", "win/3", 60), ("mingmang", "men+1/2", 12), ("battlesheep", "sheep+1/2", 10)],
)
def test_the_search_agrees_with_trying_every_line(game: str, goal: str, plies: int) -> None:
    chance, asked = random.Random(goal), Goal.parse(goal)
    prover = Prover(find_game(game))
    for _ in range(3):
        state = State.of(find_game(game))
        while state.ply < plies and state.outcome is None:
            state = state.play(chance.choice(state.legal_moves))
        if state.outcome is not None:
            continue
        fresh = State.of(state.game, state.game.texts.format_position(state.start, state.settled_words, state.seat, 0))
        least_lead = prover.least_lead(fresh, asked)
        expected = {
            move
            for move in fresh.legal_moves
            if forces(prover, fresh.after(move), asked, least_lead, fresh.seat, asked.plies - 1)
        }
        assert set(prover.moves_to(fresh, asked, least_lead) or ()) == expected


def test_a_proof_that_takes_too_long_is_abandoned() -> None:
    state = State.of(find_game("mingmang"))
    assert Prover(state.game, most_nodes=10).moves_to(state, Goal("men", 1, 4), 1) is None


def test_a_win_is_searched_for_with_an_impossible_lead() -> None:
    state = State.of(find_game("morris"))
    assert Prover(state.game).least_lead(state, Goal("win", 0, 3)) == NEVER
    assert isinstance(state.words, np.ndarray)
