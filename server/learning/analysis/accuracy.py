"""A review's summary of a match: each seat's accuracy, and the turning point. Pure."""

from collections.abc import Sequence
from math import exp
from statistics import fmean, harmonic_mean

from millrace.protocol import JudgedPly, Judgement

AHEAD = 0.6
"""The chance to win at which a seat counts as ahead."""


def accuracies(plies: Sequence[JudgedPly], seats: int) -> tuple[float | None, ...]:
    """Return the accuracy of each seat in percent; None for one that never had a choice.

    It lies between the mean and the harmonic mean of its moves' accuracies; a single blunder lowers the latter most
    (lichess.org/page/accuracy).
    """
    return tuple(_accuracy(plies, seat) for seat in range(seats))


def move_accuracy(loss: float) -> float:
    """Return the accuracy of a move in percent from its loss in the chance to win, as fitted by lichess.org.

    >>> [round(move_accuracy(loss)) for loss in (0.0, 0.05, 0.1, 0.2, 0.5)]
    [100, 80, 64, 40, 9]
    """
    return min(100.0, max(0.0, 103.1668 * exp(-4.354415 * loss) - 3.1669))


def turning_point(plies: Sequence[JudgedPly], ranks: tuple[int, ...] | None, seats: int) -> int | None:
    """Return the number of the ply, from 1, that decided the match; None if no ply did.

    It is the worst mistake of a seat that did not win; with two seats, after the winner was last not ahead. With more
    seats, chances have no common scale.
    """
    if ranks is None or ranks.count(1) != 1:
        return None
    winner = ranks.index(1)
    begin = _ahead_since(plies, winner) if seats == 2 else 0
    own = [ply for ply in range(begin, len(plies)) if plies[ply].seat != winner]
    worst = max(own, key=lambda ply: plies[ply].loss, default=None)
    return None if worst is None or plies[worst].judgement is Judgement.GOOD else worst + 1


def _accuracy(plies: Sequence[JudgedPly], seat: int) -> float | None:
    own = [move_accuracy(ply.loss) for ply in plies if ply.seat == seat and not ply.is_forced]
    if not own:
        return None
    return round((fmean(own) + harmonic_mean([max(each, 1.0) for each in own])) / 2, 1)


def _ahead_since(plies: Sequence[JudgedPly], winner: int) -> int:
    """Return the number of plies after which the winner was last not ahead."""
    scores = [ply.score for ply in plies]
    chances = [each.expectation if each.seat == winner else 1 - each.expectation for each in scores]
    return max((ply for ply, chance in enumerate(chances, 1) if chance < AHEAD), default=0)
