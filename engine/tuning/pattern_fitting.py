"""Fitting the weights of patterns (`engine.game.Patterns`), of which there are thousands, a few in each position.

They are fitted after the terms (`engine.tuning.fitting`), by stochastic gradient descent on the cross-entropy.
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
"""How often each sample is used."""

PATTERN_STEP = 0.05
"""The first step of a weight, in logits; steps shrink as the weight moves (AdaGrad; Duchi, Hazan and Singer, 2011)."""

PATTERN_PENALTY = 0.03
"""Penalty for each weight and each sample with it: half of this times its square, in logits."""

ORDER_SEED = 1
"""The seed of the order of samples."""


class PatternFeatures(NamedTuple):
    """The patterns in positions."""

    phases: NDArray[np.int8]
    kinds: NDArray[np.int32]
    """The kind at each site: shape `(positions, sites)`."""
    signs: NDArray[np.int8]


def find_pattern_features(patterns: Patterns | None, matches: Sequence[TrainingMatch]) -> PatternFeatures:
    """Return the patterns in the positions of all matches."""
    phases = np.concatenate([match.phases for match in matches])
    columns = np.concatenate([match.columns for match in matches])
    if patterns is None:
        return PatternFeatures(phases, columns, columns.astype(np.int8))
    return PatternFeatures(phases, patterns.kinds[columns], patterns.signs[columns])


def initial_pattern_weights(patterns: Patterns | None, start: Weights) -> NDArray[np.float64]:
    """Return the initial weights, 0 where `start` has none: shape `(phases, kinds)`."""
    if patterns is None:
        return np.zeros((0, 0))
    if start.patterns:
        return np.array(start.patterns, dtype=np.float64)
    return np.zeros((len(patterns.phases), count_kinds(patterns)))


def pattern_evaluations(features: PatternFeatures, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the evaluation of each position's patterns, in the unit of the weights."""
    evaluations: NDArray[np.float64] = np.zeros(len(features.phases))
    for site in range(features.kinds.shape[1]):
        evaluations += features.signs[:, site] * weights[features.phases, features.kinds[:, site]]
    return evaluations


def fit_patterns(
    features: PatternFeatures, start: NDArray[np.float64], offsets: NDArray[np.float64], targets: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return weights that explain the targets better, in logits, with `offsets` added to the logits."""
    weights, moved = start.copy(), np.ones(start.shape)
    order = np.random.default_rng(ORDER_SEED)
    if weights.size > 0:
        for _ in range(PASSES):
            learn_in_order(order.permutation(len(targets)), features, offsets, targets, weights, moved)
    return weights


@kernel
def learn_in_order(
    order: NDArray[np.int64],
    features: PatternFeatures,
    offsets: NDArray[np.float64],
    targets: NDArray[np.float64],
    weights: NDArray[np.float64],
    moved: NDArray[np.float64],
) -> None:
    """Use each sample once. `moved` accumulates the squares of each weight's gradients."""
    for sample in order:
        phase, logit = features.phases[sample], offsets[sample]
        for site in range(features.kinds.shape[1]):
            logit += features.signs[sample, site] * weights[phase, features.kinds[sample, site]]
        error = 1 / (1 + np.exp(-logit)) - targets[sample]
        for site in range(features.kinds.shape[1]):
            sign, kind = features.signs[sample, site], features.kinds[sample, site]
            if sign != 0:
                slope = sign * error + PATTERN_PENALTY * weights[phase, kind]
                moved[phase, kind] += slope * slope
                weights[phase, kind] -= PATTERN_STEP * slope / np.sqrt(moved[phase, kind])
