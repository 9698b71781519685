"""The puzzles that come with the games: enough of each theme, and each proved again to have one solution."""

from collections import Counter

import pytest

from millrace.engine.game import Game
from millrace.engine.games import SHIPPED
from millrace.engine.puzzles import Prover, check_puzzle
from millrace.engine.puzzles.mining import solution_moves
from millrace.engine.state import State
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles

every_game = pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.name)


@every_game
def test_there_are_at_least_300_puzzles_in_different_positions(game: Game) -> None:
    puzzles = shipped_puzzles(game)
    assert len(puzzles) >= 300
    assert len({puzzle.position for puzzle in puzzles}) == len({puzzle.id for puzzle in puzzles}) == len(puzzles)


@every_game
def test_every_theme_has_puzzles_and_every_puzzle_has_its_themes(game: Game) -> None:
    assert game.puzzles is not None
    puzzles = shipped_puzzles(game)
    counts = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    assert set(counts) == set(game.puzzles.themes)
    for puzzle in puzzles:
        state = State.of(game, puzzle.position)
        moves = tuple(solution_moves(game, puzzle))
        assert puzzle.themes == game.puzzles.classify(state.start.board, puzzle.goal.measure, moves)


@pytest.mark.parametrize("one_in", [10, pytest.param(1, marks=pytest.mark.slow)])
@every_game
def test_every_puzzle_has_one_solution(game: Game, one_in: int) -> None:
    prover = Prover(game)
    for puzzle in shipped_puzzles(game)[::one_in]:
        check_puzzle(game, puzzle, prover)
