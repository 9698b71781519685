"""The result of a move in a puzzle, and the changes by a first attempt. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from millrace.engine.game import Game
from millrace.engine.puzzles import Puzzle, Reason, explain_miss
from millrace.engine.state import State
from millrace.protocol import Code, IdentityId, PuzzleMode
from millrace.protocol.refusal import Refusal

from ...matches.referee import play_text
from ...ratings.formula import rate
from ...ratings.rating import Rating
from .puzzle_store import FirstAttempt, Solver


class Verdict(NamedTuple):
    """The result of a move."""

    is_right: bool
    is_solved: bool = False
    reply: str = ""
    why: Reason | None = None
    """Why the move is wrong, unless the solver gave up."""


def judge(game: Game, puzzle: Puzzle, moves: Sequence[str]) -> Verdict:
    """Return the verdict on the last of some moves from the puzzle's position.

    Raises: Refusal for moves that are illegal, that leave the solution before the last move, or that end with a reply.
    """
    state = State.of(game, puzzle.position)
    if len(moves) % 2 == 0 or len(moves) > len(puzzle.solution):
        raise Refusal(Code.ILLEGAL_MOVE, "The moves must end with yours and be no longer than the solution.")
    for ply, text in enumerate(moves):
        after = play_text(state, text)
        is_right = state.format_move(after.move) in puzzle.accepted_at(ply)
        if not is_right and ply < len(moves) - 1:
            raise Refusal(Code.ILLEGAL_MOVE, "All moves before the last must match the solution.")
        state = after
    if not is_right:
        why = explain_miss(game, puzzle, moves)
        return Verdict(False, reply=str(why.values["reply"]), why=why)
    is_solved = len(moves) == len(puzzle.solution)
    return Verdict(True, is_solved, "" if is_solved else puzzle.solution[len(moves)])


def first_attempt(
    identity: IdentityId,
    game: str,
    puzzle: str,
    mode: PuzzleMode,
    solver: Solver,
    stored: Rating | None,
    puzzle_rating: Rating,
    now_ms: int,
    *,
    is_solved: bool,
) -> FirstAttempt:
    """Return the changes by a first attempt. Without a `stored` rating of the puzzle, `puzzle_rating` is its first."""
    rating, puzzle_after = solver.rating, None
    streak = solver.streak
    if mode is PuzzleMode.STREAK:
        streak = streak + 1 if is_solved else 0
    else:
        rating, puzzle_after = rate((solver.rating, puzzle_rating), (1, 2) if is_solved else (2, 1))
    after = Solver(rating, solver.attempts + 1, solver.solved + is_solved, streak, max(solver.best_streak, streak))
    return FirstAttempt(identity, game, puzzle, mode, is_solved, now_ms, solver, after, stored, puzzle_after)
