"""Ratings without a match that no longer counts."""

import pytest

from millrace.server.ratings.formula import rate, rating_without
from millrace.server.ratings.rating import SIGMA, Rating

START = Rating()


def test_without_later_matches_the_rating_is_as_before() -> None:
    before = (Rating(27.0, 5.0, 8), Rating(24.0, 6.0, 3))
    after = rate(before, (1, 2))
    assert tuple(rating_without(now, old, now) for old, now in zip(before, after, strict=True)) == before


def test_only_the_change_of_the_match_is_reverted() -> None:
    voided = rate((START, START), (2, 1))[0]
    later = rate((voided, START), (1, 2))[0]
    found = rating_without(later, START, voided)
    assert found.mu == pytest.approx(later.mu + START.mu - voided.mu)
    assert (found.matches, START.mu < found.mu) == (1, True)
    assert later.sigma < found.sigma < SIGMA


def test_a_rating_never_becomes_less_certain_than_a_new_one() -> None:
    assert rating_without(Rating(25.0, SIGMA, 2), Rating(25.0, SIGMA), Rating(26.0, 4.0)).sigma == pytest.approx(SIGMA)
