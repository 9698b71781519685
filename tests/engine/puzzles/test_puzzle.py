"""Puzzles as text, and the check that refuses unsound ones."""

import pytest

from millrace.engine.games import find_game
from millrace.engine.puzzles import (
    Goal,
    Prover,
    Puzzle,
    PuzzleError,
    Refutations,
    check_puzzle,
    format_puzzles,
    parse_puzzles,
)

MORRIS = find_game("morris")
BLOCKED = Puzzle(
    "BBB.W....BW..........W.W w 0 0", Goal("win", 0, 1), ("g1-g4",), ("trap",), 900, (Refutations("", {}),)
)


def test_puzzles_round_trip_through_text() -> None:
    several = Puzzle("r6,0,0,0,b6 r 2", Goal("sheep", 3, 2), ("a1-d1:2|a1-d1:3",), ("cut_off", "escape"), 1500)
    several = several._replace(refutations=(Refutations("e1-d1:5", {"a1-d1:1": "e1-b1:2", "a1-d1:5": "e1-b1:2"}),))
    assert tuple(parse_puzzles(format_puzzles([BLOCKED, several]))) == (BLOCKED, several)
    assert several.answer_to(0, "a1-d1:5") == "e1-b1:2"
    assert several.answer_to(0, "a1-d1:4") == "e1-d1:5"
    assert several.accepted_at(0) == ("a1-d1:2", "a1-d1:3")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "position only",
        "p; win/1; ; trap; 900; ",
        "p; win/1; d6; trap; many; ",
        "p; often; d6; trap; 900; ",
        "p; win/1; d6; trap; 900; d7|a1",
    ],
)
def test_a_line_that_is_not_a_puzzle_is_refused(line: str) -> None:
    with pytest.raises(PuzzleError):
        tuple(parse_puzzles(f"{line}\n"))


def test_the_id_depends_on_position_and_goal_alone() -> None:
    assert BLOCKED.id == BLOCKED._replace(rating=1200, themes=()).id
    assert BLOCKED.id != BLOCKED._replace(goal=Goal("win", 0, 3)).id


def test_a_goal_is_put_into_words() -> None:
    assert Goal("win", 0, 1).task(MORRIS) == "Win in one move."
    assert Goal("win", 0, 3).task(MORRIS) == "Win in 2 moves or sooner, whatever your opponent plays."
    assert (
        Goal("men", 2, 4).task(MORRIS)
        == "Take at least 2 men more than you lose, in 2 moves and whatever your opponent answers."
    )
    assert Goal("men", 0, 2).task(MORRIS) == "Lose no more men than you take, whatever your opponent answers."


def test_a_sound_puzzle_passes_the_check() -> None:
    check_puzzle(MORRIS, BLOCKED, Prover(MORRIS))


@pytest.mark.parametrize(
    "puzzle",
    [
        BLOCKED._replace(solution=("g1-d1",)),
        BLOCKED._replace(solution=("g1-g4|g1-d1",)),
        BLOCKED._replace(goal=Goal("men", 0, 1)),
        BLOCKED._replace(position="BBB.W....BW..........W.W w 0 0 0"),
        BLOCKED._replace(position="WW.......B..........B... w 7 7", goal=Goal("men", 1, 1), solution=("g7xb4",)),
    ],
)
def test_a_puzzle_without_its_only_solution_is_refused(puzzle: Puzzle) -> None:
    with pytest.raises(PuzzleError):
        check_puzzle(MORRIS, puzzle, Prover(MORRIS))
