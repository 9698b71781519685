"""The effect of results on ratings: a table, and general properties."""

import math
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.server.ratings.formula import BOT_POINTS, rate, rating_of_bot, rating_without
from millrace.server.ratings.rating import LEADER_DEVIATION, LEADER_MATCHES, MU, PROVISIONAL_DEVIATION, SIGMA, Rating

ratings = st.builds(Rating, mu=st.floats(MU - 40, MU + 40), sigma=st.floats(0.5, SIGMA), matches=st.integers(0, 10_000))
pairs = st.tuples(ratings, ratings)


@st.composite
def results(draw: st.DrawFn) -> tuple[tuple[Rating, ...], tuple[int, ...]]:
    """Return the ratings and ranks of a match of two to four."""
    seats = draw(st.integers(2, 4))
    players = draw(st.tuples(*[ratings] * seats))
    ranks = draw(st.tuples(*[st.integers(1, seats)] * seats))
    return players, ranks


def gains(before: Sequence[Rating], ranks: Sequence[int]) -> list[float]:
    return [new.mu - old.mu for old, new in zip(before, rate(before, ranks), strict=True)]


def test_a_new_player_is_rated_1500_and_provisional() -> None:
    assert (Rating().points, Rating().deviation, Rating().is_provisional) == (1500, 250, True)


@pytest.mark.parametrize(
    ("before", "ranks", "points", "deviations"),
    [
        ([Rating(), Rating()], (1, 2), [1579, 1421], [242, 242]),
        ([Rating(), Rating()], (1, 1), [1500, 1500], [242, 242]),
        ([Rating(45.0, 2.0), Rating(25.0, 2.0)], (1, 2), [2101, 1499], [60, 60]),
        ([Rating(45.0, 2.0), Rating(25.0, 2.0)], (2, 1), [2082, 1518], [60, 60]),
        ([Rating(45.0, 2.0), Rating(25.0, 2.0)], (1, 1), [2092, 1508], [60, 60]),
        ([Rating()] * 4, (1, 2, 3, 4), [1584, 1547, 1491, 1379], [248, 245, 243, 243]),
        ([Rating()] * 4, (1, 1, 3, 4), [1565, 1565, 1491, 1379], [247, 247, 243, 243]),
        ([Rating()] * 3, (1, 2, 2), [1586, 1457, 1457], [246, 242, 242]),
        ([Rating(), rating_of_bot(8)], (1, 2), [1670, 2161], [245, 120]),
    ],
)
def test_the_change_by_each_result(
    before: list[Rating], ranks: tuple[int, ...], points: list[int], deviations: list[int]
) -> None:
    after = rate(before, ranks)
    assert [each.points for each in after] == points
    assert [each.deviation for each in after] == deviations


def test_400_points_between_certain_ratings_mean_odds_of_about_ten_to_one() -> None:
    strong, weak = Rating(MU + 400 / 30, 0.5), Rating(MU, 0.5)
    won, lost = gains([strong, weak], (1, 2))[0], gains([strong, weak], (2, 1))[0]
    # In the long run nothing changes: wins add as much as defeats subtract.
    assert 9 < -lost / won < 11


def test_a_rating_becomes_certain_enough_for_the_leaders() -> None:
    rating, others = Rating(), [Rating(MU, 3.0)] * 200
    certain_after, settled_after = 0, 0
    for count, other in enumerate(others, 1):
        rating = rate([rating, other], (1, 2) if count % 2 else (2, 1))[0]
        settled_after = settled_after or (0 if rating.is_provisional else count)
        certain_after = certain_after or (count if rating.is_certain else 0)
    assert 8 <= settled_after <= 16
    assert LEADER_MATCHES <= certain_after <= 40
    assert LEADER_DEVIATION < PROVISIONAL_DEVIATION


def test_a_leader_needs_enough_matches() -> None:
    assert not Rating(MU, 1.0, LEADER_MATCHES - 1).is_certain
    assert Rating(MU, 1.0, LEADER_MATCHES).is_certain


def test_bots_start_with_the_rating_of_their_level() -> None:
    assert tuple(rating_of_bot(level).points for level in range(1, 9)) == BOT_POINTS


@given(pairs)
def test_the_winner_never_falls_and_the_loser_never_rises(pair: tuple[Rating, Rating]) -> None:
    won, lost = gains(pair, (1, 2))
    assert won >= 0 >= lost


@given(pairs)
def test_a_draw_never_moves_ratings_apart(pair: tuple[Rating, Rating]) -> None:
    first, second = gains(pair, (1, 1))
    assert (first <= 1e-9) if pair[0].mu >= pair[1].mu else (first >= -1e-9)
    assert (second >= -1e-9) if pair[0].mu >= pair[1].mu else (second <= 1e-9)


@given(st.integers(1, 40), st.floats(0.5, SIGMA))
def test_equally_certain_ratings_change_by_the_same_amount(apart: int, sigma: float) -> None:
    won, lost = gains([Rating(MU + apart, sigma), Rating(MU, sigma)], (2, 1))
    assert math.isclose(won, -lost, abs_tol=1e-9)


@given(results())
@settings(max_examples=50)
def test_uncertainty_stays_between_zero_and_that_of_a_new_player(
    result: tuple[tuple[Rating, ...], tuple[int, ...]],
) -> None:
    for before, after in zip(result[0], rate(*result), strict=True):
        assert 0 < after.sigma <= SIGMA
        assert after.matches == before.matches + 1


@given(results(), st.data())
@settings(max_examples=50)
def test_the_order_of_the_seats_does_not_matter(
    result: tuple[tuple[Rating, ...], tuple[int, ...]], data: st.DataObject
) -> None:
    players, ranks = result
    order = data.draw(st.sampled_from(list(permutations(range(len(players))))))
    mixed = rate([players[seat] for seat in order], [ranks[seat] for seat in order])
    plain = rate(players, ranks)
    for place, seat in enumerate(order):
        assert math.isclose(mixed[place].mu, plain[seat].mu, abs_tol=1e-6)
        assert math.isclose(mixed[place].sigma, plain[seat].sigma, abs_tol=1e-6)


@given(st.integers(2, 4), st.data())
@settings(max_examples=50)
def test_among_equals_a_better_rank_never_gives_less(seats: int, data: st.DataObject) -> None:
    ranks = data.draw(st.tuples(*[st.integers(1, seats)] * seats))
    won = gains([Rating()] * seats, ranks)
    for one in range(seats):
        for other in range(seats):
            if ranks[one] < ranks[other]:
                assert won[one] > won[other]
            elif ranks[one] == ranks[other]:
                assert math.isclose(won[one], won[other], abs_tol=1e-9)


def test_without_a_voided_match_a_rating_is_never_less_certain_than_a_new_one() -> None:
    assert rating_without(Rating(25.0, SIGMA, 2), Rating(25.0, SIGMA), Rating(26.0, 4.0)).sigma == pytest.approx(SIGMA)
