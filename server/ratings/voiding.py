"""Voiding: corrects a rating when a match no longer counts.

Pure. The match's contributions to `mu` and to the certainty, one over the square of `sigma`, are subtracted. Without
later matches, that gives exactly the rating before the match.

Later matches are not rated again: ratings of players who never met the cheat would change, and the matches would
contradict the changes that they showed when they ended.
"""

from .rating import SIGMA, Rating


def rating_without(current: Rating, before: Rating, after: Rating) -> Rating:
    """Return a rating without a match that had changed it from `before` to `after`.

    >>> rating_without(Rating(27.0, 6.0, 4), before=Rating(25.0, 7.0), after=Rating(26.0, 6.5))
    Rating(mu=26.0, sigma=6.386510959269043, matches=3)
    """
    matches = max(0, current.matches - 1)
    if current[:2] == after[:2]:
        return Rating(before.mu, before.sigma, matches)
    gained = after.sigma**-2 - before.sigma**-2
    certainty = max(current.sigma**-2 - gained, SIGMA**-2)
    return Rating(current.mu - (after.mu - before.mu), certainty**-0.5, matches)
