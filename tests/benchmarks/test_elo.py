"""Elo from scores: known values and general properties."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.engines.elo import (
    LEAST_PAIRS,
    PAIR_SCORES,
    SequentialTest,
    elo_of_score,
    estimate,
    kind_of_pair,
    log_likelihood_ratio,
    score_of_elo,
)

counts = st.lists(st.integers(0, 500), min_size=5, max_size=5).filter(any)


@given(st.floats(-1500, 1500))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


@given(counts)
def test_the_other_side_has_the_opposite_elo(pairs: list[int]) -> None:
    ours, theirs = estimate(pairs), estimate(pairs[::-1])
    assert theirs.elo == pytest.approx(-ours.elo, abs=1e-6)
    assert theirs.low == pytest.approx(-ours.high, abs=1e-6)
    assert theirs.likelihood_of_superiority == pytest.approx(1 - ours.likelihood_of_superiority, abs=1e-9)


@given(counts)
def test_the_estimate_lies_between_its_bounds(pairs: list[int]) -> None:
    found = estimate(pairs)
    assert found.low <= found.elo <= found.high
    assert (found.likelihood_of_superiority > 0.5) == (found.elo > 0)


@given(counts)
def test_a_hundred_times_as_many_pairs_narrow_the_interval(pairs: list[int]) -> None:
    assume(sum(pairs) > 1)
    few, many = estimate(pairs), estimate([count * 100 for count in pairs])
    assert many.elo == few.elo
    assert few.low <= many.low <= many.high <= few.high


def test_the_error_is_computed_from_pairs_not_matches() -> None:
    # All but two pairs 1-1, by a win of either side: as matches, 200 coin tosses; as pairs, hardly any doubt.
    assert estimate([1, 0, 98, 0, 1]).high < 30 < elo_of_score(0.5 + 1.959964 * math.sqrt(0.25 / 200))
    # Pairs won or lost as a whole: as if there were half as many matches.
    assert estimate([50, 0, 0, 0, 50]).high == pytest.approx(elo_of_score(0.5 + 1.959964 * math.sqrt(0.25 / 99)))


def test_a_known_match_has_its_known_elo() -> None:
    # 200 matches at 62.5%: +88.7; the deviation of a pair's mean is 0.25, of a hundred pairs' mean about 0.0251.
    found = estimate([0, 25, 25, 25, 25])
    assert found.elo == pytest.approx(88.74, abs=0.01)
    deviation = math.sqrt(sum((score - 0.625) ** 2 for score in PAIR_SCORES[1:]) / 4 / 99)
    assert found.low == pytest.approx(elo_of_score(0.625 - 1.959964 * deviation))


def test_wins_only_give_a_lower_bound_of_elo() -> None:
    found = estimate([0, 0, 0, 0, 20])
    assert found.elo == math.inf
    assert score_of_elo(found.low) ** 20 == pytest.approx(0.025)


def test_without_a_pair_there_is_no_estimate() -> None:
    with pytest.raises(ValueError, match="without a pair"):
        estimate([0, 0, 0, 0, 0])


def test_a_sequential_test_decides_nothing_by_a_few_pairs_that_end_alike() -> None:
    test = SequentialTest(0, 10)
    assert not test.is_decided([0, 0, 0, 0, 0])
    assert not test.is_decided([0, 0, 0, LEAST_PAIRS - 1, 0])
    assert test.is_decided([0, 0, 0, LEAST_PAIRS, 0])


def test_identical_pairs_leave_the_uncertainty_of_their_number() -> None:
    found = estimate([0, 2, 0, 0, 0])
    assert found.low < found.elo - 300
    assert found.high > found.elo + 300
    assert found.likelihood_of_superiority == 0.25
    few, many = estimate([0, 0, 2, 0, 0]), estimate([0, 0, 100, 0, 0])
    assert -few.low == pytest.approx(few.high)
    assert few.high > 300
    assert 0 < many.high < 15


def test_a_single_pair_with_a_draw_tells_hardly_anything() -> None:
    found = estimate([0, 0, 0, 1, 0])
    assert found.low < -600
    assert found.high > 800
    assert found.likelihood_of_superiority == 0.5


@pytest.mark.parametrize(("scores", "kind"), [((0, 0), 0), ((0.5, 0), 1), ((1, 0), 2), ((0.5, 0.5), 2), ((1, 1), 4)])
def test_a_pair_is_counted_by_its_points(scores: tuple[float, float], kind: int) -> None:
    assert kind_of_pair(*scores) == kind


@given(counts, st.integers(-50, 0), st.integers(1, 50))
def test_the_test_favours_the_nearer_hypothesis(pairs: list[int], elo0: int, elo1: int) -> None:
    score = sum(count * score for count, score in zip(pairs, PAIR_SCORES, strict=True)) / sum(pairs)
    middle = (score_of_elo(elo0) + score_of_elo(elo1)) / 2
    assume(abs(score - middle) > 0.02)
    assert (log_likelihood_ratio(pairs, SequentialTest(elo0, elo1)) > 0) == (score > middle)


def test_the_test_errs_once_in_twenty() -> None:
    assert SequentialTest(0, 10).bound == pytest.approx(math.log(19))
