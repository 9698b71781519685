"""Ratings of several players from the results of pairs among them (Bradley and Terry, 1952), with errors.

A draw counts as half a win. Each pairing gets one additional half-won match, so that a player who won everything still
has a rating.
"""

import random
from collections.abc import Mapping, Sequence
from statistics import stdev
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

POINTS_PER_NAT = 400 / float(np.log(10))
RESAMPLES = 100
NEWTON_STEPS = 25

Pairing: TypeAlias = tuple[str, str]
Results: TypeAlias = Mapping[Pairing, Sequence[float]]
"""For each two players, the first one's score in each pair of matches, 0..2."""


class Standing(NamedTuple):
    """A player's rating."""

    name: str
    elo: float
    """Relative to the mean of all."""
    error: float
    """Half of the 95% interval, from resampled pairs."""


def standings(names: Sequence[str], results: Results, seed: int) -> list[Standing]:
    """Return the ratings in the order of `names`; `seed` determines the resampling."""
    chance = random.Random(seed)
    ratings = fit(names, results)
    resampled = [
        fit(names, {pairing: chance.choices(scores, k=len(scores)) for pairing, scores in results.items()})
        for _ in range(RESAMPLES)
    ]
    return [
        Standing(name, float(ratings[index]), 1.96 * stdev(float(sample[index]) for sample in resampled))
        for index, name in enumerate(names)
    ]


def fit(names: Sequence[str], results: Results) -> NDArray[np.float64]:
    """Return the most likely ratings in Elo, with mean 0."""
    number = {name: index for index, name in enumerate(names)}
    first = np.array([number[one] for one, _ in results])
    second = np.array([number[other] for _, other in results])
    matches = np.array([2.0 * len(scores) + 1 for scores in results.values()])
    points = np.array([sum(scores) + 0.5 for scores in results.values()])
    strengths = np.zeros(len(names))
    for _ in range(NEWTON_STEPS):
        expected = 1 / (1 + np.exp(strengths[second] - strengths[first]))
        gradient, curvature = np.zeros(len(names)), np.eye(len(names)) * 1e-9
        surprise, weight = points - matches * expected, matches * expected * (1 - expected)
        np.add.at(gradient, first, surprise)
        np.add.at(gradient, second, -surprise)
        np.add.at(curvature, (first, first), weight)
        np.add.at(curvature, (second, second), weight)
        np.add.at(curvature, (first, second), -weight)
        np.add.at(curvature, (second, first), -weight)
        strengths += np.linalg.lstsq(curvature, gradient, rcond=None)[0]
        strengths -= strengths.mean()
    return strengths * POINTS_PER_NAT
