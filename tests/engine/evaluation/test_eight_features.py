"""The published evaluation of Nine Men's Morris with eight features: each feature, and the weights."""

import pytest

from millrace.engine.games.morris import GAME
from millrace.engine.search import Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN
from millrace.engine.uci.evaluation_text import term_shares
from millrace.engine.weights import evaluated_by, evaluation_terms_of, find_weights, weight_sets
from millrace.server.bots.tuning.weight_files import chosen_evaluation

NAME = "eight-features"


def shares(position: str, *moves: str) -> dict[str, int]:
    game, weights = evaluated_by(GAME, NAME)
    counted = term_shares(State.from_moves(game, position, moves), evaluation_terms_of(game), weights)
    return {name: share for name, share in counted.items() if share}


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        # White can close a7-d7-g7, which does not count yet, and has two men more.
        ("WW...................B.. w 7 6", {"men": 180, "two_configurations": 100}),
        # The same with Black to move.
        ("WW...................B.. b 7 6", {"men": -180, "two_configurations": -100}),
        # Flying, only lines of two men count.
        ("WW.W.................BBB b 0 0", {"two_configurations": -100}),
        # White holds a7-d7-g7 and d7-d6-d5, which share d7, and has two blocked men.
        (
            "WWW.W..W...W..BB....BB.. w 0 0",
            {"mills": 860, "blocked_opponents": -200, "men": 220, "double_mills": 80},
        ),
    ],
)
def test_a_feature_is_the_difference_between_the_sides(position: str, expected: dict[str, int]) -> None:
    assert shares(position) == expected


@pytest.mark.parametrize(
    ("position", "moves", "closed_mill"),
    [
        # White places a mill and takes: it counts against Black, to move; a ply later no longer.
        ("", ("a7", "b6", "d7", "f4"), 0),
        ("", ("a7", "b6", "d7", "f4", "g7xf4"), -180),
        ("", ("a7", "b6", "d7", "f4", "g7xf4", "d2"), 0),
        # The same for Black, against White.
        ("", ("a7", "b6", "d7", "d6", "a1", "f6xa7"), -180),
        # Two mills by one man count once.
        ("WW.B.B........W........W w 5 7", ("g7xb6",), -180),
        # Moving, and flying: the phase of the side to move gives the weight.
        ("WW.....W.B...BW..B.BB... w 0 0", ("g4-g7xa4",), -140),
        ("WW.....W.B...BW..B.B.... w 0 0", ("g4-g7xa4",), -160),
        ("WW.....W.B...BW..B.BB... w 0 0", ("g4-g1",), 0),
        # Nothing to take: the mill still counts.
        ("WW...................... w 7 9", ("g7",), -180),
    ],
)
def test_a_mill_counts_as_closed_until_the_next_ply(position: str, moves: tuple[str, ...], closed_mill: int) -> None:
    assert shares(position, *moves).get("closed_mill", 0) == closed_mill


def test_a_positions_memory_changes_no_rule() -> None:
    """The position after a mill counts as the first of three occurrences, though only it remembers the mill."""
    game, _ = evaluated_by(GAME, NAME)
    shuffling = ("g4-g7xa4", *(2 * ("e3-e4", "c3-c4", "e4-e3", "c4-c3")))
    setup = "WW.....W.B....WW.B.BBB.. w 0 0"
    for played in (GAME, game):
        state = State.from_moves(played, setup, shuffling)
        assert state.outcome is not None
        assert state.outcome.reason == "repetition"
        assert State.from_moves(played, setup, shuffling[:-1]).outcome is None


def test_the_search_finds_the_same_forced_win_with_positions_memory() -> None:
    game, _ = evaluated_by(GAME, NAME)
    won = State.of(game, "WW............W..B.B.B.. w 0 0")
    assert analyse(won, Limits(depth=3), no_clock).value == WIN - 1


def test_a_blocked_side_has_lost_which_outweighs_everything() -> None:
    assert shares("BBB.W....BW..WB......W.W w 0 0")["won"] == 10860
    assert shares("BBB.W....BW..WB......W.W w 0 0 flying=off")["won"] == 10860


def test_the_whole_evaluation_is_used_by_name() -> None:
    assert NAME in weight_sets(GAME)
    game, weights = chosen_evaluation(GAME, NAME)
    assert weights == find_weights(GAME, NAME)
    assert evaluation_terms_of(game).terms != evaluation_terms_of(GAME).terms
