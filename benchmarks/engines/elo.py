"""From scores to Elo with confidence intervals, and sequential tests.

It is arithmetic on the numbers of *pairs* of matches by result. The two matches of a pair begin alike with seats
swapped, so that they depend on each other, and the error is that of the pairs: the pentanomial model of
chessprogramming.org/Match_Statistics and chessprogramming.org/Sequential_Probability_Ratio_Test.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The mean score of each kind of pair: both lost, one lost and one drawn, ..., both won."""

PairCounts: TypeAlias = Sequence[int]
"""The number of pairs of each of the five kinds."""

CONFIDENCE = 0.95
ERROR_RATE = 0.05
"""The probability that the test accepts the wrong hypothesis."""

LEAST_PAIRS = 25
"""Pairs before which the test decides nothing: a few that end alike would seem to have almost no variance."""

LEAST_COUNT = 1e-3
"""The count of an empty kind in the test, so that there always is a variance."""


class Estimate(NamedTuple):
    """The Elo difference with its 95% bounds; infinite where all matches were won or lost."""

    elo: float
    low: float
    high: float
    likelihood_of_superiority: float
    """The probability that this side is better."""


class SequentialTest(NamedTuple):
    """A sequential test: is one side better by `elo1` rather than by `elo0`?"""

    elo0: float
    elo1: float

    @property
    def bound(self) -> float:
        """The log likelihood ratio at which `elo1` is accepted; at its negative, `elo0` is."""
        return math.log((1 - ERROR_RATE) / ERROR_RATE)

    def is_decided(self, counts: PairCounts) -> bool:
        """Return whether the pairs suffice to accept one of the two."""
        return sum(counts) >= LEAST_PAIRS and abs(log_likelihood_ratio(counts, self)) >= self.bound


def elo_of_score(score: float) -> float:
    """Return the Elo difference for an average score of 0..1.

    >>> round(elo_of_score(0.5)), round(elo_of_score(10 / 11)), elo_of_score(1)
    (0, 400, inf)
    """
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """Return the average score for an Elo difference.

    >>> score_of_elo(0), round(score_of_elo(400), 3)
    (0.5, 0.909)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def kind_of_pair(first: float, second: float) -> int:
    """Return the index in `PAIR_SCORES` of a pair with these scores of its two matches, each 0, 1/2 or 1."""
    return round(2 * (first + second))


def estimate(counts: PairCounts) -> Estimate:
    """Return the Elo difference of the side whose scores are counted. Raises: ValueError if there are no pairs."""
    pairs = sum(counts)
    if pairs == 0:
        raise ValueError("without a pair of matches there is nothing to tell")
    score, variance = _moments(counts)
    elo = elo_of_score(score)
    if pairs in counts:
        return _estimate_of_pairs_alike(score, pairs)
    error = math.sqrt(variance / (pairs - 1))
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
    likelihood = NormalDist().cdf((score - 0.5) / error)
    return Estimate(elo, elo_of_score(score - reach), elo_of_score(score + reach), likelihood)


def _estimate_of_pairs_alike(score: float, pairs: int) -> Estimate:
    """Return the Elo difference if all pairs have the same score, which says nothing about the variance.

    The bounds are those for the largest share of other pairs that would not be surprising (Clopper-Pearson), all of
    them lost or all won.
    """
    unsurprising = ((1 - CONFIDENCE) / 2) ** (1 / pairs)
    low, high = elo_of_score(score * unsurprising), elo_of_score(1 - (1 - score) * unsurprising)
    by_chance = 0.5 if score == 0.5 else 0.5**pairs
    return Estimate(elo_of_score(score), low, high, 1 - by_chance if score > 0.5 else by_chance)


def log_likelihood_ratio(counts: PairCounts, test: SequentialTest) -> float:
    """Return the log likelihood ratio of `elo1` over `elo0`: the generalised test in normal approximation."""
    weights = [max(count, LEAST_COUNT) for count in counts]
    score, variance = _moments(weights)
    score0, score1 = score_of_elo(test.elo0), score_of_elo(test.elo1)
    return sum(weights) * (score1 - score0) * (2 * score - score0 - score1) / (2 * variance)


def _moments(weights: Sequence[float]) -> tuple[float, float]:
    """Return mean and variance of the mean scores of the pairs."""
    total = sum(weights)
    mean = sum(score * weight for score, weight in zip(PAIR_SCORES, weights, strict=True)) / total
    squares = sum((score - mean) ** 2 * weight for score, weight in zip(PAIR_SCORES, weights, strict=True))
    return mean, squares / total
