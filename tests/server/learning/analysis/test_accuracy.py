"""Accuracy and turning point: examples of matches, and general properties."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import JudgedPly, Score, Variation
from millrace.server.learning.analysis.accuracy import accuracies, move_accuracy, turning_point
from millrace.server.learning.analysis.judgement import judgement_of

WON, LOST = (1, 2), (2, 1)


def plies_of(chances: list[float], seats: int = 2) -> list[JudgedPly]:
    """Return the plies between positions with these chances of the first seat; each loses what it gives away."""
    plies = []
    for ply, (before, after) in enumerate(pairwise(chances)):
        seat = ply % seats
        loss = max(0.0, before - after if seat == 0 else after - before)
        best = Variation(Score(0, 0, None, before), ("a1",))
        plies.append(JudgedPly(seat, "a7", False, best, Score(0, 0, None, after), loss, judgement_of(loss), 9))
    return plies


def test_perfect_play_has_full_accuracy() -> None:
    assert accuracies(plies_of([0.5] * 9), 2) == (100.0, 100.0)


def test_one_blunder_lowers_the_accuracy_of_its_seat_alone() -> None:
    first, second = accuracies(plies_of([0.5, 0.5, 0.5, 0.5, 0.9, 0.9]), 2)
    assert first == 100.0
    assert second is not None
    assert 30 < second < 70


def test_a_seat_without_a_choice_has_no_accuracy() -> None:
    (only,) = plies_of([0.5, 0.5])
    forced = JudgedPly(1, "pass", True, only.best, only.score, 0.0, only.judgement, 9)
    assert accuracies([only, forced], 2) == (100.0, None)


@pytest.mark.parametrize(
    ("chances", "ranks", "expected"),
    [
        ([0.5, 0.5, 0.9, 0.9, 1.0], WON, 2),
        ([0.5, 0.9, 0.4, 0.4, 0.8, 1.0], WON, 4),
        ([0.5, 0.9, 0.4, 0.1, 0.0], LOST, 3),
        ([0.5, 0.5, 0.58, 0.62, 0.64, 0.64, 0.9], WON, 6),
        ([0.7, 0.7, 0.8], WON, 2),
        ([0.6, 0.6, 0.62, 0.62, 0.64], WON, None),
        ([0.5, 0.5, 0.5], WON, None),
        ([0.5, 0.9, 0.5], (1, 1), None),
        ([0.5, 0.9, 0.5], None, None),
        ([], WON, None),
    ],
)
def test_the_turning_point_is_the_worst_mistake_since_the_winner_stayed_ahead(
    chances: list[float], ranks: tuple[int, ...] | None, expected: int | None
) -> None:
    assert turning_point(plies_of(chances), ranks, 2) == expected


def test_with_more_seats_it_is_the_worst_mistake_of_a_seat_that_did_not_win() -> None:
    plies = plies_of([0.5, 0.5, 0.7, 0.5, 0.5], seats=3)
    assert [round(ply.loss, 1) for ply in plies] == [0.0, 0.2, 0.0, 0.0]
    assert turning_point(plies, (1, 2, 3), 3) == 2
    assert turning_point(plies, (2, 1, 3), 3) is None, "the winner's own mistake decided nothing"


@given(st.lists(st.floats(0, 1), max_size=30), st.sampled_from([WON, LOST, (1, 1)]))
def test_accuracies_are_percentages_and_the_turning_point_a_ply(chances: list[float], ranks: tuple[int, ...]) -> None:
    plies = plies_of(chances)
    assert all(each is None or 0 <= each <= 100 for each in accuracies(plies, 2))
    point = turning_point(plies, ranks, 2)
    assert point is None or 1 <= point <= len(plies)


@given(st.floats(0, 1), st.floats(0, 1))
def test_larger_losses_mean_lower_accuracy(one: float, other: float) -> None:
    assert move_accuracy(min(one, other)) >= move_accuracy(max(one, other))
