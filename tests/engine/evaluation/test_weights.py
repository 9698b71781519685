"""Weights as data: files that name every term, games that use them, and evaluations linear in them."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from millrace.engine.bindings import bindings_of
from millrace.engine.game import Game
from millrace.engine.games import GAMES
from millrace.engine.games.morris.patterns import PATTERNS
from millrace.engine.state import State
from millrace.engine.tuning.self_play import begin_match, count_positions, find_patterns
from millrace.engine.weights import (
    PUBLISHED,
    TUNED,
    Weights,
    WeightsError,
    evaluation_terms_of,
    file_of,
    read_weights,
    shipped_weights,
    weights_of,
    with_weights,
    write_weights,
)
from millrace.server.bots.tuning.weight_files import chosen_weights

TUNABLE = [game for game in GAMES.values() if game.strength.evaluation is not None]
SHIPPED = (TUNED, PUBLISHED)
every_tunable_game = pytest.mark.parametrize("game", TUNABLE, ids=lambda game: game.name)
chances = st.randoms(use_true_random=False)


def shipped_file(game: Game, name: str) -> bytes:
    return (Path(__file__).parents[3] / "engine" / "games" / game.name / f"{name}.json").read_bytes()


def worth_by(game: Game, state: State) -> int:
    return int(bindings_of(game).evaluate(state.start.board, state.words))


def random_state(game: Game, chance: random.Random) -> State:
    state = begin_match(game, 60, chance.randrange)
    return state if state.outcome is None or state.previous is None else state.previous


@every_tunable_game
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_names_every_term_and_its_origin(game: Game, name: str) -> None:
    stored = read_weights(shipped_file(game, name))
    assert stored.game == game.name
    assert stored.source
    again = file_of(game, weights_of(evaluation_terms_of(game), stored), stored.source)
    assert (again.weights, again.patterns) == (stored.weights, stored.patterns)
    assert write_weights(stored) == shipped_file(game, name), "it is written as tuning writes it"


@every_tunable_game
def test_every_term_has_a_weight_in_some_phase(game: Game) -> None:
    by_phase = file_of(game, shipped_weights(evaluation_terms_of(game)), "").weights
    assert [
        term for term in evaluation_terms_of(game).terms if not any(weights[term] for weights in by_phase.values())
    ] == []


@every_tunable_game
def test_every_row_of_a_table_is_divided_among_the_phases(game: Game) -> None:
    shares = evaluation_terms_of(game).shares
    assert shares.shape[1] == len(evaluation_terms_of(game).phases)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)


@every_tunable_game
@settings(max_examples=30, deadline=None)
@given(chance=chances)
def test_evaluation_is_the_counts_times_the_weights(game: Game, chance: random.Random) -> None:
    state = random_state(game, chance)
    counts = count_positions(game, [state])[0]
    for name in SHIPPED:
        weights = shipped_weights(evaluation_terms_of(game), name)
        evaluation = worth_by(with_weights(game, weights), state)
        counted = float(counts @ np.array(weights.terms, dtype=np.float64).ravel())
        assert evaluation == pytest.approx(counted + pattern_worth(game, weights, state), abs=100)


def pattern_worth(game: Game, weights: Weights, state: State) -> int:
    """Return the sum of a position's pattern weights, looked up one by one."""
    patterns = evaluation_terms_of(game).patterns
    if patterns is None or not weights.patterns:
        return 0
    (phase,), (columns,) = find_patterns(game, [state])
    return sum(weights.patterns[phase][patterns.kinds[column]] * int(patterns.signs[column]) for column in columns)


@every_tunable_game
def test_the_same_weights_give_the_same_game_and_others_another_evaluation(game: Game) -> None:
    tuned, published = shipped_weights(evaluation_terms_of(game)), shipped_weights(evaluation_terms_of(game), PUBLISHED)
    assert with_weights(game, tuned) is game
    other = with_weights(game, published)
    assert other is with_weights(game, published)
    chance = random.Random(3)
    states = [random_state(game, chance) for _ in range(20)]
    assert any(worth_by(game, state) != worth_by(other, state) for state in states)
    assert [state.legal_moves for state in states] == [
        State.of(other, state.position_text).legal_moves for state in states
    ]


@every_tunable_game
def test_weights_are_chosen_by_the_name_of_a_set_or_of_a_file(game: Game, tmp_path: Path) -> None:
    stored = read_weights(shipped_file(game, PUBLISHED))
    (tmp_path / "mine.json").write_bytes(write_weights(stored))
    published = shipped_weights(evaluation_terms_of(game), PUBLISHED)
    assert chosen_weights(game, PUBLISHED) == published
    assert chosen_weights(game, str(tmp_path / "mine.json")) == published


def test_unusable_weights_are_refused_with_the_reason(tmp_path: Path) -> None:
    morris, mingmang = GAMES["morris"], GAMES["mingmang"]
    with pytest.raises(WeightsError, match="neither a file"):
        chosen_weights(morris, str(tmp_path / "none.json"))
    (tmp_path / "other.json").write_bytes(shipped_file(mingmang, TUNED))
    with pytest.raises(WeightsError, match="of mingmang, not of morris"):
        chosen_weights(morris, str(tmp_path / "other.json"))
    with pytest.raises(WeightsError, match="not a file of weights"):
        read_weights(b'{"game": "morris"}')
    stored = read_weights(shipped_file(morris, TUNED))
    lacking = {**stored.weights, "moving": {"men": 100}}
    with pytest.raises(WeightsError, match=r"phase moving.*blocked"):
        weights_of(evaluation_terms_of(morris), read_weights(write_weights(type(stored)("morris", "", "", lacking))))
    without_a_phase = {"moving": stored.weights["moving"]}
    with pytest.raises(WeightsError, match="phases must be opening"):
        weights_of(evaluation_terms_of(morris), type(stored)("morris", "", "", without_a_phase))
    with pytest.raises(WeightsError, match="phases of patterns must be none, not all"):
        weights_of(
            evaluation_terms_of(mingmang), replace(read_weights(shipped_file(mingmang, TUNED)), patterns={"all": b""})
        )
    phases = dict.fromkeys(PATTERNS.phases, b"\0\0")
    with pytest.raises(WeightsError, match=r"phase moving must be \d+ bytes, not 2"):
        weights_of(evaluation_terms_of(morris), replace(stored, patterns=phases))
