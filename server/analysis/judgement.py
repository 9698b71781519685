"""Which plies of a match were mistakes: by how much they fell short of the best, in the chance to win.

Pure.

A ply is held against the best one by expectations, not by values: what costs half a man in a level position is a
mistake, what costs a man in a won one is not. The steps are those by which lichess.org tells inaccuracies, mistakes and
blunders, there 0.1, 0.2 and 0.3 on a scale from -1 to 1.
"""

from millrace.engine.analysis.expected_score import expected_score
from millrace.engine.state import State

from ..bots.requests import AnalysisResult, EvaluatedMove
from ..protocol import JudgedPly, Judgement
from .replies import variation_of, worth_of

STEPS = ((0.15, Judgement.BLUNDER), (0.10, Judgement.MISTAKE), (0.05, Judgement.INACCURACY))


def judgement_of(loss: float) -> Judgement:
    """Return what a loss of expectation, 0 to 1, is called.

    >>> [judgement_of(loss).value for loss in (0.0, 0.049, 0.05, 0.1, 0.15)]
    ['good', 'good', 'inaccuracy', 'mistake', 'blunder']
    """
    return next((judgement for least, judgement in STEPS if loss >= least), Judgement.GOOD)


def judge(before: State, move: str, findings: AnalysisResult) -> JudgedPly:
    """Return the judgement of a ply, by what was found in the position before it, the move played among it."""
    is_forced = len(before.legal_moves) < 2
    best = findings.best[0]
    played = findings.also or EvaluatedMove(best.value, (move,))
    loss = 0.0 if is_forced else loss_between(before, best.value, played.value)
    return JudgedPly(
        before.seat,
        move,
        is_forced,
        variation_of(before, best),
        worth_of(before, played.value),
        round(loss, 4),
        judgement_of(loss),
        findings.depth,
    )


def loss_between(before: State, best: int, played: int) -> float:
    """Return by how much the expectation of a move falls short of that of another, for the seat that plays it."""
    return max(0.0, expected_score(before.game, best) - expected_score(before.game, played))
