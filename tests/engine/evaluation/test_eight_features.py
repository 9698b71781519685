"""The published evaluation of Nine Men's Morris with eight features: what each of them counts, and its weights."""

import pytest

from millrace.engine.games.morris import GAME
from millrace.engine.state import State
from millrace.engine.uci.evaluation_text import term_shares
from millrace.engine.weights import evaluated_by, evaluation_terms_of, find_weights, weight_sets
from millrace.server.tuning.weight_files import chosen_evaluation

NAME = "eight-features"


def shares(position: str) -> dict[str, int]:
    game, weights = evaluated_by(GAME, NAME)
    counted = term_shares(State.of(game, position), evaluation_terms_of(game), weights)
    return {name: share for name, share in counted.items() if share}


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        # White can close a7-d7-g7, and has two men more.
        ("WW...................B.. w 7 6", {"closed_mill": 180, "men": 180, "two_configurations": 100}),
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
def test_a_feature_counts_for_one_side_less_the_other(position: str, expected: dict[str, int]) -> None:
    assert shares(position) == expected


def test_a_side_that_could_not_move_has_lost_and_that_outweighs_everything() -> None:
    assert shares("BBB.W....BW..WB......W.W w 0 0")["won"] == 10860
    assert shares("BBB.W....BW..WB......W.W w 0 0 flying=off")["won"] == 10860


def test_the_whole_evaluation_is_used_by_name() -> None:
    assert NAME in weight_sets(GAME)
    game, weights = chosen_evaluation(GAME, NAME)
    assert weights == find_weights(GAME, NAME)
    assert evaluation_terms_of(game).terms != evaluation_terms_of(GAME).terms
