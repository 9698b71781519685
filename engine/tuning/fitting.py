"""Fitting weights to the results of matches by logistic regression (chessprogramming.org/Texel's_Tuning_Method).

The probability that the mover wins is modelled as the logistic function of a multiple of the evaluation. The usual
method tries weights one by one; here the evaluation is linear in its weights, so that Newton's method finds the optimum
in a few steps. A penalty holds the weights near their start, equally for each by its effect in a typical position, so
that weights without samples do not change.

Patterns are fitted after the terms (`engine.tuning.pattern_fitting`), to explain the remaining errors.

The target of a position is not only the result of its match but also the values of later searches, nearer ones more
(temporal differences; Sutton, 1988): a match is won or lost for many reasons, most of them much later.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game import EvaluationTerms
from ..weights import Weights
from .pattern_fitting import find_pattern_features, fit_patterns, initial_pattern_weights, pattern_evaluations
from .self_play import TrainingMatch

PENALTY = 1e-3
"""Penalty for each weight: half of this times the square of the logits by which it moves a typical sample."""

MAX_LOGITS = 30.0
STEPS = 20
SMALLEST_STEP = 1e-6
LEAST_SPREAD = 1.0
"""Minimum spread assumed for a term, so that rare terms keep sane weights."""

TINY = 1e-9


class Fit(NamedTuple):
    """Fitted weights, and how well they explain the samples."""

    weights: Weights
    loss_before: float
    """The mean cross-entropy of the initial weights at the best scale, in nats."""
    loss: float
    """That of the new weights before rounding."""


def fit_weights(terms: EvaluationTerms, start: Weights, matches: Sequence[TrainingMatch], decay: float) -> Fit:
    """Return the weights that explain the matches best, near `start` and scaled to the same spread of evaluations.

    `decay` is Sutton's lambda: the weight of each further ply of later searches; with 1, only the result counts.
    """
    counts = np.concatenate([match.counts for match in matches]).astype(np.float64)
    results = np.concatenate([results_of(match) for match in matches])
    features = find_pattern_features(terms.patterns, matches)
    first, known = np.array(start.terms, dtype=np.float64).ravel(), initial_pattern_weights(terms.patterns, start)
    first_evaluations = counts @ first + pattern_evaluations(features, known)
    scale = newton(first_evaluations[:, None], results, np.zeros(1), np.zeros(1))[0]
    targets = np.concatenate([targets_of(match, scale, decay) for match in matches])
    spreads = np.maximum(np.sqrt((counts**2).mean(axis=0)), LEAST_SPREAD)
    from_patterns = pattern_evaluations(features, known * scale)
    logits = newton(counts, targets, first * scale, PENALTY * spreads**2, from_patterns)
    known = fit_patterns(features, known * scale, counts @ logits, targets)
    evaluations = counts @ logits + pattern_evaluations(features, known)
    unit = np.sqrt((first_evaluations**2).mean() / (evaluations**2).mean())
    weights = Weights(rounded(logits.reshape(len(terms.phases), len(terms.terms)) * unit), rounded(known * unit))
    return Fit(weights, cross_entropy(first_evaluations * scale, targets), cross_entropy(evaluations, targets))


def rounded(weights: NDArray[np.float64]) -> tuple[tuple[int, ...], ...]:
    """Return rows of weights, rounded to hundredths of a man."""
    return tuple(tuple(row) for row in np.rint(weights).astype(np.int64).tolist())


def results_of(match: TrainingMatch) -> NDArray[np.float64]:
    """Return the result of a match for the mover of each of its positions."""
    return np.where(match.movers == 0, match.result, 1 - match.result)


def targets_of(match: TrainingMatch, scale: float, decay: float) -> NDArray[np.float64]:
    """Return the target of each position of a match: the probability of winning for its mover."""
    chances = win_probability(match.leads * scale)
    targets = np.empty(len(chances))
    target = match.result
    for search in range(len(chances) - 1, -1, -1):
        targets[search] = target
        target = decay * target + (1 - decay) * chances[search]
    at_ends = targets[match.searches]
    return np.where(match.movers == 0, at_ends, 1 - at_ends)


def win_probability(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logistic function of the logits."""
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits, -MAX_LOGITS, MAX_LOGITS)))
    return chances


def newton(
    counts: NDArray[np.float64],
    results: NDArray[np.float64],
    start: NDArray[np.float64],
    penalty: NDArray[np.float64],
    offsets: NDArray[np.float64] | float = 0.0,
) -> NDArray[np.float64]:
    """Return the weights that minimise the mean cross-entropy plus the penalty for leaving `start`, with `offsets`
    added to the logits.

    A step that would increase the cost, as it may where nearly all results are certain, is halved until it does not.
    """

    def cost_of(weights: NDArray[np.float64]) -> float:
        return cross_entropy(counts @ weights + offsets, results) + float(penalty @ (weights - start) ** 2) / 2

    weights, cost = start.copy(), cost_of(start)
    floor = np.diag(np.full(len(start), TINY))
    for _ in range(STEPS):
        chances = win_probability(counts @ weights + offsets)
        slope = counts.T @ (chances - results) / len(results) + penalty * (weights - start)
        curvature = (counts.T * (chances * (1 - chances))) @ counts / len(results) + np.diag(penalty) + floor
        step = np.linalg.solve(curvature, slope)
        while (reached := cost_of(weights - step)) > cost and np.abs(counts @ step).max() >= SMALLEST_STEP:
            step /= 2
        if reached <= cost:
            weights, cost = weights - step, reached
        if np.abs(counts @ step).max() < SMALLEST_STEP:
            break
    return weights


def cross_entropy(logits: NDArray[np.float64], results: NDArray[np.float64]) -> float:
    """Return the mean cross-entropy of predictions and results, in nats."""
    return float(np.mean(np.logaddexp(0.0, logits) - results * logits))
