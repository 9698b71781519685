"""The rules of a storm: time, combo, score and rising difficulty."""

import random

import pytest

from millrace.engine.games import find_game
from millrace.server.learning.puzzles.library import GamePuzzles, first_rating
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from millrace.server.learning.puzzles.solving import Verdict
from millrace.server.learning.storms.storm import (
    BONUSES_MS,
    DURATION_MS,
    PENALTY_MS,
    TOLERANCE_MS,
    Storm,
    bonus_level,
    is_over,
    played,
    started,
)

MORRIS = GamePuzzles(find_game("morris"), {each.id: each for each in shipped_puzzles(find_game("morris"))})
SOLVED, RIGHT, WRONG = Verdict(True, True), Verdict(True, False, "d6"), Verdict(False)
NOW_MS, DAY = 1_000_000, 20_000
BELOW = random.Random(1).randrange


@pytest.fixture
def storm() -> Storm:
    return started(Storm(best=3), MORRIS, NOW_MS, BELOW)


def after(storm: Storm, *verdicts: Verdict, day: int = DAY) -> Storm:
    for verdict in verdicts:
        storm = played(storm, verdict, MORRIS, day, BELOW)
    return storm


def test_a_storm_lasts_three_minutes_and_knows_the_next_puzzle(storm: Storm) -> None:
    assert storm.ends_ms - NOW_MS == DURATION_MS == 180_000
    assert (storm.number, len(storm.ids), storm.best) == (1, 2, 3)
    assert not is_over(storm, storm.ends_ms + TOLERANCE_MS)
    assert is_over(storm, storm.ends_ms + TOLERANCE_MS + 1)
    assert is_over(Storm(), NOW_MS)


def test_puzzles_become_harder_and_do_not_repeat(storm: Storm) -> None:
    end = after(storm, *[SOLVED] * 40)
    assert len(set(end.ids)) == len(end.ids) == 42
    points = [first_rating(MORRIS.by_id[each]).points for each in end.ids]
    assert sum(points[:10]) < sum(points[15:25]) < sum(points[32:])


def test_right_moves_in_a_row_win_time() -> None:
    won = {combo: BONUSES_MS[bonus_level(combo)] for combo in range(1, 51) if bonus_level(combo)}
    assert won == {5: 3_000, 12: 5_000, 20: 7_000, 30: 10_000, 40: 10_000, 50: 10_000}


def test_a_right_move_goes_on_in_the_puzzle(storm: Storm) -> None:
    on = after(storm, RIGHT)
    assert (on.number, on.plies, on.combo, on.score) == (1, 2, 1, 0)
    done = after(on, SOLVED)
    assert (done.number, done.plies, done.combo, done.score) == (2, 0, 2, 1)


def test_five_moves_win_three_seconds(storm: Storm) -> None:
    assert after(storm, *[SOLVED] * 4).ends_ms == storm.ends_ms
    assert after(storm, *[SOLVED] * 5).ends_ms == storm.ends_ms + 3_000


def test_a_wrong_move_costs_time_the_combo_and_the_puzzle(storm: Storm) -> None:
    end = after(storm, SOLVED, RIGHT, WRONG)
    assert end.ends_ms == storm.ends_ms - PENALTY_MS == storm.ends_ms - 10_000
    assert (end.number, end.plies, end.combo, end.score) == (3, 0, 0, 1)
    assert end.present == storm.ids[1] or end.present == end.ids[2]


def test_best_scores_are_those_of_the_day_and_of_all_time(storm: Storm) -> None:
    end = after(storm, *[SOLVED] * 5)
    assert (end.best, end.best_today(DAY), end.best_today(DAY + 1)) == (5, 5, 0)
    again = after(started(end, MORRIS, NOW_MS, BELOW), SOLVED, day=DAY)
    assert (again.score, again.best, again.best_today(DAY)) == (1, 5, 5)
    tomorrow = after(started(end, MORRIS, NOW_MS, BELOW), SOLVED, day=DAY + 1)
    assert (tomorrow.best, tomorrow.best_today(DAY + 1)) == (5, 1)
