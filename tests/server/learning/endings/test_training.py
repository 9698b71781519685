"""The decisions on endings: which one fits, and what a move changes."""

import pytest

from millrace.protocol import EndingGoal
from millrace.server.bots.requests import DrawnEnding, EndingJudgement
from millrace.server.learning.endings.training import (
    HELD_MOVES,
    NEAREST,
    Ending,
    Trainee,
    ending_of,
    fitting,
    rated,
    rating_of,
    step,
)
from millrace.server.ratings.rating import Rating

KEPT_WIN = EndingJudgement(1, 1, ("a1-a4",), "d6-d7", 2)
LAST_WIN = EndingJudgement(1, 1, ("a1-a4",), "", None)
LOST_WIN = EndingJudgement(1, 0, ("a1-a4",), "d6-d7", None)
KEPT_DRAW = EndingJudgement(0, 0, ("a1-a4",), "d6-d7", None)
WIN = Ending("x", EndingGoal.WIN, 3, 0.8)


@pytest.mark.parametrize("goal", list(EndingGoal))
def test_the_endings_nearest_to_a_rating_fit(goal: EndingGoal) -> None:
    drawn = [DrawnEnding(f"w{moves}", 1, moves, 0.5) for moves in range(2, 20)]
    drawn += [DrawnEnding(f"d{tenths}", 0, None, tenths / 10) for tenths in range(1, 10)]
    found = fitting(drawn, goal, 1500, {})
    assert len(found) == NEAREST
    assert goal is EndingGoal.ANY or {each.goal for each in found} == {goal}
    furthest = max(abs(rating_of(each, {}).points - 1500) for each in found)
    others = [each for each in map(ending_of, drawn) if goal in {EndingGoal.ANY, each.goal} and each not in found]
    assert all(abs(rating_of(each, {}).points - 1500) >= furthest for each in others)


def test_stored_ratings_of_grades_come_first() -> None:
    assert rating_of(WIN, {WIN.grade: Rating(40.0)}).points == 1950


def test_a_win_is_counted_at_its_end() -> None:
    first = step(WIN, "a1-a4", KEPT_WIN)
    assert (first.is_kept, first.is_solved, first.left, first.is_success) == (True, False, 2, None)
    assert first.ending.line == ("a1-a4", "d6-d7")
    last = step(first.ending, "a4-a7", LAST_WIN)
    assert (last.is_solved, last.left, last.is_success) == (True, 0, True)
    assert last.ending.is_over


def test_the_first_mistake_is_counted_and_can_be_tried_again() -> None:
    failed = step(WIN, "a1-d1", LOST_WIN)
    assert (failed.is_kept, failed.is_success, failed.ending.line) == (False, False, ())
    again = step(failed.ending, "a1-d1", LOST_WIN)
    assert again.is_success is None
    solved = step(failed.ending, "a1-a4", LAST_WIN)
    assert (solved.is_solved, solved.is_success) == (True, None)


def test_a_draw_is_held_for_a_number_of_moves() -> None:
    ending = Ending("x", EndingGoal.DRAW, HELD_MOVES, 0.5)
    for left in range(HELD_MOVES - 1, -1, -1):
        done = step(ending, "a1-a4", KEPT_DRAW)
        assert (done.left, done.is_solved) == (left, left == 0)
        ending = done.ending
    assert ending.is_over


def test_a_solved_ending_raises_the_player_and_lowers_its_grade() -> None:
    before, grade = Trainee(), WIN.first_rating
    won, lower = rated(before, grade, is_success=True)
    lost, higher = rated(before, grade, is_success=False)
    assert won.rating.mu > before.rating.mu > lost.rating.mu
    assert lower.mu < grade.mu < higher.mu
    assert (won.attempts, won.solved, lost.attempts, lost.solved) == (1, 1, 1, 0)
