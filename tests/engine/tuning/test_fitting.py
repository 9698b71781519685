"""Tuning: the same random numbers give the same matches, and fitted weights explain them better."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from millrace.engine.game import EvaluationTerms, Patterns, Strength
from millrace.engine.games import find_game
from millrace.engine.tuning.fitting import fit_weights, newton, targets_of
from millrace.engine.tuning.self_play import (
    DECIDED,
    DECIDED_PLIES,
    SETTLED_PLIES,
    SETTLED_SPREAD,
    SelfPlaySettings,
    TrainingMatch,
    count_positions,
    is_settled,
    leader_of,
    play_match,
)
from millrace.engine.weights import PUBLISHED, Weights, WeightsError, evaluation_terms_of, shipped_weights

GAME = find_game("battlesheep")
PLAYING = SelfPlaySettings(nodes=150, random_plies=6)


def two_terms(*_arguments: object) -> Any:
    raise AssertionError("fitting weighs nothing")


EVALUATION = EvaluationTerms("nowhere", ("tall", "wide"), ("all",), np.ones((1, 1)), two_terms)


NO_PATTERNS = np.zeros(1, np.int8), np.zeros((1, 0), np.int32)


def made_up_match(chance: random.Random, weights: tuple[float, float]) -> TrainingMatch:
    """Return a match of one position, won with the chance that some weights give."""
    counts = [chance.uniform(-3, 3), chance.uniform(-3, 3)]
    won = chance.random() < 1 / (1 + np.exp(-np.dot(counts, weights)))
    return TrainingMatch(
        np.array([counts], dtype=np.float32), np.array([0]), np.array([0]), np.array([0.0]), float(won), *NO_PATTERNS
    )


def test_the_same_seed_plays_the_same_match_and_another_seed_another() -> None:
    first, again, other = (play_match(GAME, PLAYING, random.Random(seed).randrange) for seed in ("a", "a", "b"))
    assert first.counts.tolist() == again.counts.tolist()
    assert first.leads.tolist() == again.leads.tolist()
    assert first.leads.tolist() != other.leads.tolist()


def test_a_match_records_each_positions_counts_and_ply() -> None:
    assert GAME.strength.evaluation is not None
    played = play_match(GAME, PLAYING, random.Random(1).randrange)
    positions = len(played.movers)
    assert 0 < positions <= len(played.leads)
    assert played.counts.shape == (
        positions,
        len(GAME.strength.evaluation.phases) * len(GAME.strength.evaluation.terms),
    )
    assert sorted(set(played.searches.tolist())) == played.searches.tolist()
    assert played.result in (0.0, 0.5, 1.0)
    moves = [
        GAME.strength.evaluation.terms.index("move") + phase * len(GAME.strength.evaluation.terms)
        for phase in range(len(GAME.strength.evaluation.phases))
    ]
    np.testing.assert_allclose(played.counts[:, moves].sum(axis=1), 1, atol=1e-3)


def test_fitting_explains_matches_better_than_the_weights_it_starts_from() -> None:
    assert GAME.strength.evaluation is not None
    start = shipped_weights(GAME.strength.evaluation, PUBLISHED)
    matches = [play_match(GAME, PLAYING, random.Random(seed).randrange) for seed in range(20)]
    fit = fit_weights(GAME.strength.evaluation, start, matches, decay=1.0)
    assert fit.loss < fit.loss_before
    assert fit == fit_weights(GAME.strength.evaluation, start, matches, decay=1.0)


def test_fitting_finds_the_true_proportions_of_weights() -> None:
    chance = random.Random(5)
    matches = [made_up_match(chance, (1.0, -0.5)) for _ in range(4_000)]
    ((tall, wide),) = fit_weights(EVALUATION, Weights(((100, 100),)), matches, decay=1.0).weights.terms
    assert tall > 0 > wide
    assert wide / tall == pytest.approx(-0.5, abs=0.1)


@pytest.mark.parametrize("start", [0.0, 3.0, 10.0, -40.0])
def test_fitting_finds_the_best_weight_from_wherever_it_starts(start: float) -> None:
    results = np.array([1.0] * 6 + [0.0] * 4)
    found = newton(np.ones((10, 1)), results, np.array([start]), np.zeros(1))
    assert found == pytest.approx(np.log(6 / 4), abs=1e-6), "which full steps of Newton's method miss by thousands"


def test_a_term_in_no_position_keeps_its_weight() -> None:
    chance = random.Random(6)
    matches = [made_up_match(chance, (1.0, 0.0)) for _ in range(500)]
    flat = [replace_counts(match, [1.0, 0.0]) for match in matches]
    ((_tall, wide),) = fit_weights(EVALUATION, Weights(((100, 40),)), flat, decay=1.0).weights.terms
    assert wide > 0


def replace_counts(match: TrainingMatch, factors: list[float]) -> TrainingMatch:
    return match._replace(counts=match.counts * np.array(factors, dtype=np.float32))


def test_targets_move_from_later_searches_to_the_result() -> None:
    leads = np.array([0.0, 100.0, 0.0])
    played = TrainingMatch(np.zeros((3, 2), np.float32), np.array([0, 1, 0]), np.arange(3), leads, 1.0, *NO_PATTERNS)
    assert targets_of(played, 1.0, 1.0).tolist() == [1.0, 0.0, 1.0]
    first, second, last = targets_of(played, 1.0, 0.5).tolist()
    assert last == 1.0, "the last search is held against the result"
    assert second == pytest.approx(1 - (0.5 * 1.0 + 0.5 * 0.5)), "for the other seat"
    assert first == pytest.approx(0.5 * (1 - second) + 0.5 * 1.0)


def test_patterns_learn_what_the_terms_leave_unexplained() -> None:
    # The side with the first pattern wins nine of ten, whoever that is; the second tells nothing.
    chance = random.Random(7)
    patterns = Patterns(("all",), np.array([0, 1, 0], np.int32), np.array([1, 1, -1], np.int8), two_terms, two_terms)
    matches = [
        made_up_match(chance, (0.0, 0.0))._replace(
            columns=np.array([[column]], np.int32), result=float(chance.random() < chance_of_column)
        )
        for column, chance_of_column in enumerate((0.9, 0.5, 0.1))
        for _ in range(2_000)
    ]
    fit = fit_weights(replace(EVALUATION, patterns=patterns), Weights(((100, 100),)), matches, decay=1.0)
    ((first, second),) = fit.weights.patterns
    assert first > 10 * abs(second)
    assert fit.loss < fit.loss_before
    again = fit_weights(replace(EVALUATION, patterns=patterns), fit.weights, matches, decay=1.0)
    assert again.loss_before == pytest.approx(fit.loss, abs=0.01), "what was found is what it begins with"


def test_a_match_records_the_patterns_of_each_position() -> None:
    game = find_game("morris")
    patterns = evaluation_terms_of(game).patterns
    assert patterns is not None
    played = play_match(game, PLAYING, random.Random(2).randrange)
    assert played.columns.shape == (len(played.movers), 11)
    assert set(played.phases.tolist()) <= set(range(len(patterns.phases)))
    assert played.columns.max() < len(patterns.kinds)


def test_a_match_is_decided_only_when_searches_agree_long_enough() -> None:
    decided = [DECIDED] * DECIDED_PLIES
    assert leader_of(decided) == 0
    assert leader_of([-lead for lead in decided]) == 1
    assert leader_of(decided[1:]) is None
    assert leader_of([*decided[1:], DECIDED - 1]) is None
    assert leader_of([-DECIDED, *decided[1:]]) is None


def test_a_match_is_settled_when_searches_have_agreed_for_long() -> None:
    still = [100, 100 + SETTLED_SPREAD] * (SETTLED_PLIES // 2)
    assert is_settled([-500, *still])
    assert not is_settled(still[1:])
    assert not is_settled([*still[1:], 99])


def test_a_game_without_weights_cannot_be_tuned() -> None:
    with pytest.raises(WeightsError, match=r"has no weights\."):
        count_positions(replace(GAME, strength=Strength()), [])
