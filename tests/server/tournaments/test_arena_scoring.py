"""The points of an arena, by worked examples and by their invariants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.tournaments.arena_scoring import (
    DRAW,
    LOSS,
    WIN,
    MatchResult,
    is_on_fire,
    performance_of,
    points_of,
)

OUTCOMES = {"W": WIN, "D": DRAW, "L": LOSS}

results_lists = st.lists(
    st.builds(
        MatchResult,
        st.sampled_from([WIN, DRAW, LOSS]),
        st.integers(0, 200),
        st.integers(400, 3000),
        is_berserk=st.booleans(),
    )
)


def results(outcomes: str, plies: int = 40, *, berserk: bool = False) -> list[MatchResult]:
    return [MatchResult(OUTCOMES[outcome], plies, 1500, berserk) for outcome in outcomes]


@pytest.mark.parametrize(
    ("outcomes", "points"),
    [
        ("WDL", (2, 1, 0)),
        ("WWD", (2, 2, 2)),  # the published example: two wins and a draw have 6 points
        ("WWW", (2, 2, 4)),
        ("WWWWLW", (2, 2, 4, 4, 0, 2)),
        ("WWDW", (2, 2, 2, 2)),
        ("WDWW", (2, 1, 2, 2)),
    ],
)
def test_two_wins_in_a_row_double_the_results_up_to_the_first_that_is_no_win(
    outcomes: str, points: tuple[int, ...]
) -> None:
    assert points_of(results(outcomes)) == points


def test_a_draw_before_ply_20_has_no_points() -> None:
    assert points_of(results("D", plies=19)) == (0,)
    assert points_of(results("D", plies=20)) == (1,)


def test_a_win_of_14_plies_has_a_point_more_for_half_the_time_even_when_results_count_double() -> None:
    assert points_of(results("W", plies=13, berserk=True)) == (2,)
    assert points_of(results("WWW", plies=14, berserk=True)) == (3, 3, 5)
    assert points_of(results("DL", plies=40, berserk=True)) == (1, 0)


def test_the_performance_is_the_mean_of_ratings_500_above_or_below() -> None:
    assert (
        performance_of([MatchResult(WIN, 40, 1600), MatchResult(DRAW, 40, 1600), MatchResult(LOSS, 40, 1900)]) == 1700
    )
    assert performance_of([]) is None


@given(results_lists)
def test_each_result_has_the_points_that_its_outcome_and_the_two_before_allow(played: list[MatchResult]) -> None:
    points = points_of(played)
    assert len(points) == len(played)
    for number, (result, each) in enumerate(zip(played, points, strict=True)):
        most = 2 * WIN + 1 if is_on_fire(played[:number]) else WIN + 1
        assert 0 <= each <= most
        assert (each >= WIN) >= (result.outcome == WIN)
        assert result.outcome != LOSS or each == 0


@given(results_lists, results_lists)
def test_later_results_change_no_points(played: list[MatchResult], later: list[MatchResult]) -> None:
    assert points_of([*played, *later])[: len(played)] == points_of(played)
