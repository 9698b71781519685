"""The rating formula: Plackett and Luce for two to four seats, and the scale for display.

Pure. A rating is a belief about a player's strength, a normal distribution of mean `mu` and deviation `sigma`; the
library openskill updates it by the method of Weng and Lin (2011, "A Bayesian approximation method for online ranking").

Players see points, 1500 + 30 (mu - 25), and a deviation, 30 sigma. Between two certain ratings, 400 points mean odds
of about ten to one, as on Elo's scale.
"""

from collections.abc import Sequence
from itertools import permutations

from openskill.models import PlackettLuce

from .rating import MU, POINTS_OF_START, POINTS_PER_MU, SIGMA, Rating

BOT_POINTS = (800, 1000, 1200, 1400, 1600, 1800, 2000, 2200)
"""The initial rating of bots, by level."""
BOT_SIGMA = 4.0
"""The sigma of that rating: a deviation of 120."""

_MODEL = PlackettLuce(mu=MU, sigma=SIGMA)


def rating_of_bot(level: int) -> Rating:
    """Return the rating of a bot that has not played a rated match yet."""
    return Rating(MU + (BOT_POINTS[level - 1] - POINTS_OF_START) / POINTS_PER_MU, BOT_SIGMA)


def rate(ratings: Sequence[Rating], ranks: Sequence[int]) -> tuple[Rating, ...]:
    """Return the ratings after a match; `ranks` are by seat, 1 is best, equal ranks share a place.

    Seats with equal ranks get the mean over every order among them. For two seats that equals openskill's own way with
    draws; with more, openskill would give the third of four as much as two shared winners.
    """
    outcomes = [_rated(ratings, order) for order in _orders(ranks)]
    return tuple(
        Rating(
            sum(outcome[seat].mu for outcome in outcomes) / len(outcomes),
            min(SIGMA, sum(outcome[seat].sigma for outcome in outcomes) / len(outcomes)),
            rating.matches + 1,
        )
        for seat, rating in enumerate(ratings)
    )


def rating_without(current: Rating, before: Rating, after: Rating) -> Rating:
    """Return a rating without a match that no longer counts, which had changed it from `before` to `after`.

    The match's contributions to `mu` and to the certainty, one over the square of `sigma`, are subtracted. Without
    later matches, that gives exactly the rating before the match. Later matches are not rated again: ratings of players
    who never met the cheat would change, and the matches would contradict the changes that they showed when they ended.

    >>> rating_without(Rating(27.0, 6.0, 4), before=Rating(25.0, 7.0), after=Rating(26.0, 6.5))
    Rating(mu=26.0, sigma=6.386510959269043, matches=3)
    """
    matches = max(0, current.matches - 1)
    if current[:2] == after[:2]:
        return Rating(before.mu, before.sigma, matches)
    gained = after.sigma**-2 - before.sigma**-2
    certainty = max(current.sigma**-2 - gained, SIGMA**-2)
    return Rating(current.mu - (after.mu - before.mu), certainty**-0.5, matches)


def _orders(ranks: Sequence[int]) -> list[tuple[int, ...]]:
    """Return each strict order that agrees with the ranks, as the place of each seat.

    >>> _orders((1, 2, 2))
    [(1, 2, 3), (1, 3, 2)]
    """
    seats = range(len(ranks))
    places = permutations(range(1, len(ranks) + 1))
    return [
        order
        for order in places
        if all(order[one] < order[other] for one in seats for other in seats if ranks[one] < ranks[other])
    ]


def _rated(ratings: Sequence[Rating], order: Sequence[int]) -> list[Rating]:
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in order])
    return [Rating(team[0].mu, team[0].sigma) for team in rated]
