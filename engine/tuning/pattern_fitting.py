"""Fitting the weights of patterns (`engine.game.Patterns`), of which there are thousands and a position shows a few.

They are found after the terms' (`fitting`, which imports this), by steps along the slope of the cross-entropy, one
sample after the other.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from ..game import Patterns
from ..weights import Weights, count_kinds
from .self_play import TrainingMatch

PASSES = 8
"""How often each sample is shown to the weights of patterns."""

PATTERN_STEP = 0.05
"""The first step of a weight, in logits; the more it has moved, the smaller they become (AdaGrad; Duchi, Hazan and
Singer, 2011)."""

PATTERN_PENALTY = 0.03
"""For each weight of a pattern and each sample that shows it: half this times its square, in logits."""

ORDER_SEED = 1
"""What the order follows from in which samples are shown."""


class PatternFeatures(NamedTuple):
    """Which patterns positions show."""

    phases: NDArray[np.int8]
    kinds: NDArray[np.int32]
    """Of each site: shape `(positions, sites)`."""
    signs: NDArray[np.int8]


def find_pattern_features(patterns: Patterns | None, matches: Sequence[TrainingMatch]) -> PatternFeatures:
    """Return what the positions of all matches show."""
    phases = np.concatenate([match.phases for match in matches])
    columns = np.concatenate([match.columns for match in matches])
    if patterns is None:
        return PatternFeatures(phases, columns, columns.astype(np.int8))
    return PatternFeatures(phases, patterns.kinds[columns], patterns.signs[columns])


def initial_pattern_weights(patterns: Patterns | None, start: Weights) -> NDArray[np.float64]:
    """Return the weights to begin with, those that `start` lacks being 0: shape `(phases, kinds)`."""
    if patterns is None:
        return np.zeros((0, 0))
    if start.patterns:
        return np.array(start.patterns, dtype=np.float64)
    return np.zeros((len(patterns.phases), count_kinds(patterns)))


def pattern_evaluations(sightings: PatternFeatures, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the patterns of each position are worth by some weights, in the unit of these."""
    worths: NDArray[np.float64] = np.zeros(len(sightings.phases))
    for site in range(sightings.kinds.shape[1]):
        worths += sightings.signs[:, site] * weights[sightings.phases, sightings.kinds[:, site]]
    return worths


def fit_patterns(
    sightings: PatternFeatures, start: NDArray[np.float64], offsets: NDArray[np.float64], targets: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return weights that explain targets better, in logits, `offsets` being in the logits besides."""
    weights, moved = start.copy(), np.ones(start.shape)
    order = np.random.default_rng(ORDER_SEED)
    if weights.size > 0:
        for _ in range(PASSES):
            learn_in_order(order.permutation(len(targets)), sightings, offsets, targets, weights, moved)
    return weights


@kernel
def learn_in_order(
    order: NDArray[np.int64],
    sightings: PatternFeatures,
    offsets: NDArray[np.float64],
    targets: NDArray[np.float64],
    weights: NDArray[np.float64],
    moved: NDArray[np.float64],
) -> None:
    """Show each sample once; `moved` is the sum of the squares of each weight's slopes so far."""
    for sample in order:
        phase, logit = sightings.phases[sample], offsets[sample]
        for site in range(sightings.kinds.shape[1]):
            logit += sightings.signs[sample, site] * weights[phase, sightings.kinds[sample, site]]
        error = 1 / (1 + np.exp(-logit)) - targets[sample]
        for site in range(sightings.kinds.shape[1]):
            sign, kind = sightings.signs[sample, site], sightings.kinds[sample, site]
            if sign != 0:
                slope = sign * error + PATTERN_PENALTY * weights[phase, kind]
                moved[phase, kind] += slope * slope
                weights[phase, kind] -= PATTERN_STEP * slope / np.sqrt(moved[phase, kind])
