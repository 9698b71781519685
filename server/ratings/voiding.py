"""What a rating becomes when a match that had changed it does not count any more.

Pure. The change is subtracted: from `mu` what the match had added, and from the certainty, which is one over the square
of `sigma`, what the match had told. Where nothing came after the match, that gives exactly the rating from before. To
rate all later matches anew would be no truer, since those who lost to a cheat were met by others in turn: ratings of
people who never had to do with it would change, and the matches would contradict what they told when they ended.
"""

from ..journal.ratings import SIGMA, Rating


def rating_without(current: Rating, before: Rating, after: Rating) -> Rating:
    """Return a rating without a match that had moved it from `before` to `after`.

    >>> rating_without(Rating(27.0, 6.0, 4), before=Rating(25.0, 7.0), after=Rating(26.0, 6.5))
    Rating(mu=26.0, sigma=6.386510959269043, matches=3)
    """
    matches = max(0, current.matches - 1)
    if current[:2] == after[:2]:
        return Rating(before.mu, before.sigma, matches)
    told = after.sigma**-2 - before.sigma**-2
    certainty = max(current.sigma**-2 - told, SIGMA**-2)
    return Rating(current.mu - (after.mu - before.mu), certainty**-0.5, matches)
