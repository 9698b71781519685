"""Every shipped puzzle does what its sentence says, and nothing else does: counted by the plain rules, line by line."""

import pytest

from millrace.engine.game import Game
from millrace.engine.games import SHIPPED
from millrace.engine.puzzles import Puzzle, explain_miss
from millrace.engine.state import State
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.engine.puzzles.plain_check import fitting_moves

EVERY = 6
"""The first ring tries one of so many puzzles."""
QUICK_PLIES = 2
"""The longest task that is tried in the first ring."""

every_game = pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.name)


def check_sentence(game: Game, puzzle: Puzzle) -> None:
    """Follow the solution, and compare the right moves with those that fit the sentence."""
    start = state = State.of(game, puzzle.position)
    measure, gain, plies = puzzle.goal
    for ply in range(len(puzzle.solution)):
        if ply in puzzle.solver_plies:
            assert fitting_moves(state, measure, gain, plies - ply, start) == set(puzzle.accepted_at(ply)), puzzle
        state = state.play_text(puzzle.accepted_at(ply)[0])


@every_game
def test_a_sample_of_puzzles_accepts_every_move_that_fits_its_sentence_and_no_other(game: Game) -> None:
    quick = [puzzle for puzzle in shipped_puzzles(game) if puzzle.goal.plies <= QUICK_PLIES]
    for puzzle in quick[::EVERY]:
        check_sentence(game, puzzle)


@pytest.mark.slow
@every_game
def test_every_puzzle_accepts_every_move_that_fits_its_sentence_and_no_other(game: Game) -> None:
    for puzzle in shipped_puzzles(game):
        check_sentence(game, puzzle)


@every_game
def test_a_task_in_so_many_moves_is_played_to_its_end(game: Game) -> None:
    for puzzle in shipped_puzzles(game):
        if puzzle.goal.measure != "win":
            assert len(puzzle.solver_plies) == puzzle.goal.moves, puzzle


@every_game
def test_each_wrong_first_move_is_refuted_in_a_sentence_of_the_game(game: Game) -> None:
    assert game.puzzles is not None
    said = set[str]()
    for puzzle in shipped_puzzles(game)[::EVERY]:
        state = State.of(game, puzzle.position)
        for move in state.legal_move_texts:
            if move in puzzle.accepted_at(0):
                continue
            reason = explain_miss(game, puzzle, [move])
            said.add(reason.message)
            assert "{" not in reason.text
            if reason.values["reply"]:
                state.play_text(move).play_text(str(reason.values["reply"]))
    assert said & set(game.puzzles.misses.values())
