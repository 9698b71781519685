"""Puzzles: positions in which one move, or one that keeps the value, reaches a goal by force.

    goal.py            what a puzzle asks for
    puzzle.py          a puzzle, and its line of text
    proof.py           whether a goal can be forced, by searching every line
    solution.py        the only solution of a position, the refutations of wrong moves, and the check of a puzzle
    missing.py         why a wrong move fails
    difficulty.py      the first rating of a puzzle, by the levels that solve it
    mining.py          puzzles from the positions of matches that the engine plays against itself

A game says what its puzzles ask for (`engine.game.puzzle_terms`).
"""

from .errors import PuzzleError
from .goal import Goal
from .missing import Reason, explain_miss
from .proof import Prover
from .puzzle import Puzzle, Refutations, format_puzzles, parse_puzzles
from .solution import check_puzzle

__all__ = [
    "Goal",
    "Prover",
    "Puzzle",
    "PuzzleError",
    "Reason",
    "Refutations",
    "check_puzzle",
    "explain_miss",
    "format_puzzles",
    "parse_puzzles",
]
