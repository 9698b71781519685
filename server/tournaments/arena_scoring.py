"""The score of a player in an arena.

Pure. A win has 2 points, a draw 1, a loss 0. After two wins in a row, results count double, up to and including the
first that is no win. A draw before ply 20 has no points. A win of 14 plies or more has one point more for a player who
had halved the time.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

WIN, DRAW, LOSS = 2, 1, 0
FIRE_AFTER = 2
"""Wins in a row after which results count double."""
MIN_DRAW_PLIES = 20
"""A draw before has no points."""
MIN_BERSERK_PLIES = 14
"""A win before has no point more for halving the time."""
PERFORMANCE_STEP = 500
"""Rating points added to the opponent's rating for a win, and subtracted for a loss."""


class MatchResult(NamedTuple):
    """The result of one match for one player."""

    outcome: int
    """`WIN`, `DRAW` or `LOSS`."""
    plies: int
    opponent_rating: int
    is_berserk: bool = False


def is_on_fire(results: Sequence[MatchResult]) -> bool:
    """Return whether the next result counts double."""
    return len(results) >= FIRE_AFTER and all(each.outcome == WIN for each in results[-FIRE_AFTER:])


def points_of(results: Iterable[MatchResult]) -> tuple[int, ...]:
    """Return the points of each match.

    >>> win, draw, loss = (MatchResult(outcome, 40, 1500) for outcome in (WIN, DRAW, LOSS))
    >>> points_of([win, win, draw]), points_of([win, win, win, loss, win])
    ((2, 2, 2), (2, 2, 4, 0, 2))
    >>> points_of([MatchResult(DRAW, 19, 1500), MatchResult(WIN, 14, 1500, is_berserk=True)])
    (0, 3)
    """
    points: list[int] = []
    wins = 0
    for result in results:
        factor = 2 if wins >= FIRE_AFTER else 1
        points.append(factor * _base_points(result) + _berserk_points(result))
        wins = wins + 1 if result.outcome == WIN else 0
    return tuple(points)


def performance_of(results: Sequence[MatchResult]) -> int | None:
    """Return the performance, which breaks ties: the mean of the opponents' ratings, each 500 more after a win
    and 500 less after a loss. None without a match.

    >>> performance_of([MatchResult(WIN, 40, 1500), MatchResult(LOSS, 40, 1700)])
    1600
    """
    if not results:
        return None
    total = sum(each.opponent_rating + PERFORMANCE_STEP * (each.outcome - DRAW) for each in results)
    return round(total / len(results))


def _base_points(result: MatchResult) -> int:
    if result.outcome == DRAW and result.plies < MIN_DRAW_PLIES:
        return 0
    return result.outcome


def _berserk_points(result: MatchResult) -> int:
    return int(result.is_berserk and result.outcome == WIN and result.plies >= MIN_BERSERK_PLIES)
