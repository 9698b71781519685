"""The result of a move in a puzzle, the choice of the next one, and the changes by a first attempt."""

import pytest

from millrace.engine.games import find_game
from millrace.engine.puzzles import Goal, Puzzle, Refutations
from millrace.protocol import Code, IdentityId, PuzzleMode
from millrace.protocol.refusal import Refusal
from millrace.server.learning.puzzles.library import PuzzleLibrary, first_rating
from millrace.server.learning.puzzles.puzzle_store import Solver
from millrace.server.learning.puzzles.solving import Verdict, first_attempt, judge
from millrace.server.ratings.rating import Rating

MORRIS, SHEEP = find_game("morris"), find_game("battlesheep")
ANSWERS = (Refutations("b4-b2", {}), Refutations("", {}))
TWO_MOVES = Puzzle(
    ".........BBW.....W..B..W w 0 0", Goal("win", 0, 5), ("g1-c3", "b4-b2", "c4-a1"), ("fly",), 1500, ANSWERS
)
NUMBERS = Puzzle("r6,0,0,0,b6/.,0,0,0,0/.,.,0,0,0 r 2", Goal("sheep", 1, 2), ("a1-d1:2|a1-d1:3",), ("cut_off",), 1500)
ANN = IdentityId("ann")


def easy(rating: int, position: str = "") -> Puzzle:
    return Puzzle(f"{position}{rating}", Goal("win", 0, 1), ("d6",), ("trap" if rating % 200 else "fly",), rating)


def test_a_right_move_is_answered_until_the_last() -> None:
    assert judge(MORRIS, TWO_MOVES, ["g1-c3"]) == Verdict(True, False, "b4-b2")
    assert judge(MORRIS, TWO_MOVES, ["g1-c3", "b4-b2", "c4-a1"]) == Verdict(True, True)


def test_a_wrong_move_is_distinguished_from_an_illegal_one() -> None:
    wrong = judge(MORRIS, TWO_MOVES, ["g1-a1"])
    assert (wrong.is_right, wrong.reply) == (False, "b4-b2")
    assert wrong.why is not None
    assert wrong.why.text == "After b4-b2, you can no longer do it in time."
    with pytest.raises(Refusal) as refused:
        judge(MORRIS, TWO_MOVES, ["g1-b4"])
    assert refused.value.code is Code.ILLEGAL_MOVE


@pytest.mark.parametrize("moves", [["g1-c3", "b4-b2"], ["g1-a1", "b4-b2", "c4-c3"], ["g1-c3"] * 5])
def test_moves_that_do_not_follow_the_solution_are_refused(moves: list[str]) -> None:
    with pytest.raises(Refusal) as refused:
        judge(MORRIS, TWO_MOVES, moves)
    assert refused.value.code is Code.ILLEGAL_MOVE


@pytest.mark.parametrize(("move", "is_right"), [("a1 d1 2", True), ("a1-d1:3", True), ("a1-d1:4", False)])
def test_moves_may_be_clicks_and_all_alternatives_are_right(move: str, is_right: bool) -> None:
    assert judge(SHEEP, NUMBERS, [move]).is_right is is_right


def test_the_next_puzzle_is_near_the_rating_and_new() -> None:
    puzzles = PuzzleLibrary({MORRIS: [easy(rating) for rating in range(800, 2200, 10)]}).by_game["morris"]
    chosen = puzzles.by_id[puzzles.choose(1500, {}, (), "", lambda below: below - 1) or ""]
    assert abs(chosen.rating - 1500) <= 60
    tried = {each for each, puzzle in puzzles.by_id.items() if puzzle.rating < 2000}
    assert puzzles.by_id[puzzles.choose(800, {}, tried, "", lambda _: 0) or ""].rating == 2000
    fly = puzzles.by_id[puzzles.choose(1510, {}, (), "fly", lambda _: 0) or ""]
    assert fly.themes == ("fly",)
    assert puzzles.choose(1500, {}, (), "no_such_theme", lambda _: 0) is None


def test_a_player_who_has_tried_every_puzzle_gets_one_again() -> None:
    puzzles = PuzzleLibrary({MORRIS: [easy(1000)]}).by_game["morris"]
    (only,) = puzzles.by_id
    assert puzzles.choose(1500, {}, {only}, "", lambda _: 0) == only


def test_the_puzzle_of_the_day_alternates_between_games_and_rarely_repeats() -> None:
    library = PuzzleLibrary({MORRIS: [easy(each) for each in range(5)], SHEEP: [easy(each, "s") for each in range(5)]})
    days = [library.daily(day) for day in range(10)]
    assert len(set(days)) == 10
    assert {day and day[0] for day in days[0::2]} != {day and day[0] for day in days[1::2]}
    assert library.daily(10) == library.daily(0)
    assert PuzzleLibrary({}).daily(3) is None


def test_a_first_attempt_moves_both_ratings_in_opposite_directions() -> None:
    puzzle = first_rating(easy(1500))
    for is_solved in (True, False):
        made = first_attempt(ANN, "morris", "p", PuzzleMode.RATED, Solver(), None, puzzle, 5, is_solved=is_solved)
        assert made.puzzle_after is not None
        assert (made.solver_after.rating.mu > Rating().mu) is is_solved
        assert (made.puzzle_after.mu < puzzle.mu) is is_solved
        assert (made.solver_after.attempts, made.solver_after.solved) == (1, int(is_solved))


def test_a_streak_grows_without_rating_and_ends_with_a_mistake() -> None:
    solver = Solver(attempts=4, solved=3, streak=2, best_streak=2)
    puzzle = first_rating(easy(900))
    made = first_attempt(ANN, "morris", "p", PuzzleMode.STREAK, solver, None, puzzle, 5, is_solved=True)
    assert made.puzzle_after is None
    assert made.solver_after == Solver(attempts=5, solved=4, streak=3, best_streak=3)
    ended = first_attempt(ANN, "morris", "q", PuzzleMode.STREAK, made.solver_after, None, puzzle, 6, is_solved=False)
    assert ended.solver_after == Solver(attempts=6, solved=4, streak=0, best_streak=3)
