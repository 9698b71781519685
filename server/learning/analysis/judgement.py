"""Judges the moves of a match by the chance to win that they gave away. Pure.

A move is compared with the best one by the chance to win, not by material: losing half a man in an even position is a
mistake, losing a man in a won one is not. The thresholds are from lichess.org, where they are 0.1, 0.2 and 0.3 on a
scale from -1 to 1.

In an even opening, the error of a short search exceeds the lowest threshold. Moves that the opening book has searched
for long are therefore judged by the book. On a nearly empty board even long searches differ: the reply a7 to d6 costs
0.12 by the book and 0.08 by a search of 4,000,000 nodes, though Nine Men's Morris is a draw either way. In games with
many draws, a seat's first move is judged only if it is a blunder.
"""

from millrace.engine.book.book import Book
from millrace.engine.search.expected_score import expected_score
from millrace.engine.state import State
from millrace.protocol import JudgedPly, Judgement

from ...bots.requests import AnalysisResult, EvaluatedMove
from .replies import score_of, variation_of

THRESHOLDS = ((0.15, Judgement.BLUNDER), (0.10, Judgement.MISTAKE), (0.05, Judgement.INACCURACY))


def judgement_of(loss: float) -> Judgement:
    """Return the judgement of a loss in the chance to win, 0 to 1.

    >>> [judgement_of(loss).value for loss in (0.0, 0.049, 0.05, 0.1, 0.15)]
    ['good', 'good', 'inaccuracy', 'mistake', 'blunder']
    """
    return next((judgement for least, judgement in THRESHOLDS if loss >= least), Judgement.GOOD)


def judge(before: State, move: str, findings: AnalysisResult, book: Book | None = None) -> JudgedPly:
    """Return the judgement of a move from a search of the position before it, which also scored that move."""
    is_forced = len(before.legal_moves) < 2
    best = findings.best[0]
    played = findings.also or EvaluatedMove(best.value, (move,))
    in_book = None if is_forced or book is None else book_loss(book, before, move)
    loss = 0.0 if is_forced else loss_between(before, best.value, played.value) if in_book is None else in_book
    return JudgedPly(
        before.seat,
        move,
        is_forced,
        variation_of(before, best),
        score_of(before, played.value),
        round(loss, 4),
        _judgement_at(before, loss),
        findings.depth,
    )


def _judgement_at(before: State, loss: float) -> Judgement:
    judgement = judgement_of(loss)
    is_first = before.ply < before.start.seats and before.game.strength.draw_share > 0
    return Judgement.GOOD if is_first and judgement is not Judgement.BLUNDER else judgement


def book_loss(book: Book, before: State, move: str) -> float | None:
    """Return how much lower the chance to win is after a move than after the book's best one, 0 to 1.

    None if the book has not searched the move.
    """
    if not book.covers(before):
        return None
    form = book.canonicalizer.canonical_form(before)
    clicks = book.canonicalizer.canonical_clicks(before, form, before.parse_move(move))
    node = book.nodes.get(form.key, {})
    played = node[clicks].expected_score if clicks in node else None
    if played is None:
        return None
    return max(each.expected_score for each in node.values() if each.expected_score is not None) - played


def loss_between(before: State, best: int, played: int) -> float:
    """Return how much lower the chance to win is after one move than after another, for the seat that moves."""
    return max(0.0, expected_score(before.game, best) - expected_score(before.game, played))
