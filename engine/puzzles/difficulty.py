"""The first rating of a puzzle, from the levels that find its first move.

Solvers and puzzles then rate each other.
"""

from ..game import Game
from ..levels.play import analyse_at_level
from ..search import no_clock
from ..state import State
from .puzzle import Puzzle

RATED_LEVELS = (1, 2, 3, 4, 5, 6)
SEEDS = (1, 2, 3)
POINTS_OF_LEVEL_1 = 800
POINTS_PER_LEVEL = 200
POINTS_PER_FURTHER_MOVE = 80
"""Points added for each move of the solver after the first."""


def first_rating(game: Game, puzzle: Puzzle) -> int:
    """Return the rating of the weakest level that usually finds the first move, in points; more for long solutions."""
    state = State.of(game, puzzle.position)
    accepted = puzzle.accepted_at(0)
    level = next((level for level in RATED_LEVELS if _usually_finds(state, level, accepted)), RATED_LEVELS[-1] + 1)
    further = len(puzzle.solver_plies) - 1
    return POINTS_OF_LEVEL_1 + (level - 1) * POINTS_PER_LEVEL + further * POINTS_PER_FURTHER_MOVE


def _usually_finds(state: State, level: int, accepted: tuple[str, ...]) -> bool:
    """Return whether a level finds an accepted move with most of the seeds."""
    found = sum(analyse_at_level(state, level, seed, no_clock).best_move in accepted for seed in SEEDS)
    return found > len(SEEDS) // 2
