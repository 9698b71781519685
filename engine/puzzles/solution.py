"""The only solution of a position, and the check that a puzzle has one."""

from ..game import Game
from ..state import State
from .errors import PuzzleError
from .goal import Goal
from .proof import Prover
from .puzzle import ALTERNATIVES_SEPARATOR, Puzzle

MOST_ALTERNATIVES = 12


def find_solution(prover: Prover, state: State, goal: Goal) -> tuple[str, ...] | None:
    """Return the solution of a goal from a state, or None if there is none, or more than one.

    It ends where more than one move reaches the goal, or where the goal can no longer be prevented. Moves that differ
    only in the number of pieces are one solution: they are alternatives, which end it.
    """
    least_lead = prover.least_lead(state, goal)
    reaching = prover.moves_to(state, goal, least_lead)
    if not reaching or len(state.legal_moves) == len(reaching):
        return None
    if len(reaching) > 1:
        return _alternatives(state, reaching)
    line = [state.format_move(reaching[0])]
    state, plies = state.after(reaching[0]), goal.plies - 1
    while plies >= 2 and state.outcome is None:
        reply = _longest_defence(prover, state, goal, plies, least_lead)
        if reply is None:
            break
        after = state.after(reply)
        left = goal._replace(plies=plies - 1)
        reaching = prover.moves_to(after, left, least_lead) or ()
        if len(reaching) != 1 or len(after.legal_moves) == 1:
            break
        line += [state.format_move(reply), after.format_move(reaching[0])]
        state, plies = after.after(reaching[0]), plies - 2
    return tuple(line)


def check_puzzle(game: Game, puzzle: Puzzle, prover: Prover) -> None:
    """Check that a puzzle's solution is right and the only one. Raises: PuzzleError."""
    state = State.of(game, puzzle.position)
    if state.position_text != puzzle.position:
        raise PuzzleError(f"{puzzle.position!r} is not in its standard form.")
    goal, least_lead = puzzle.goal, prover.least_lead(state, puzzle.goal)
    for ply, moves in enumerate(puzzle.solution):
        if ply % 2 == 1:
            state = state.play_text(moves)
            continue
        accepted = puzzle.accepted_at(ply)
        left = goal._replace(plies=goal.plies - ply)
        reaching = prover.moves_to(state, left, least_lead)
        if reaching is None:
            raise PuzzleError(f"{puzzle.position!r}: the proof takes too long.")
        if sorted(map(state.format_move, reaching)) != sorted(accepted):
            raise PuzzleError(f"{puzzle.position!r}: {moves} is not the only way to reach {left}.")
        if len(state.legal_moves) == len(reaching):
            raise PuzzleError(f"{puzzle.position!r}: every move reaches {left}.")
        if len(accepted) > 1 and (ply < len(puzzle.solution) - 1 or _alternatives(state, reaching) is None):
            raise PuzzleError(f"{puzzle.position!r}: {moves} are several solutions.")
        state = state.play_text(accepted[0])


def _alternatives(state: State, reaching: tuple[int, ...]) -> tuple[str] | None:
    """Return moves as alternatives if they differ only in their last click, a number; else None."""
    clicks = [state.clicks_of(move) for move in reaching]
    is_same_move = len({each[:-1] for each in clicks}) == 1 and all(each[-1].isdecimal() for each in clicks)
    if not is_same_move or len(reaching) > MOST_ALTERNATIVES:
        return None
    return (ALTERNATIVES_SEPARATOR.join(state.format_move(move) for move in reaching),)


def _longest_defence(prover: Prover, state: State, goal: Goal, plies: int, least_lead: int) -> int | None:
    """Return the reply after which the solver has the fewest moves that still reach the goal, or None if there is none
    to answer."""
    fewest: tuple[int, int] | None = None
    for reply in state.legal_moves:
        after = state.after(reply)
        if after.outcome is not None:
            continue
        reaching = prover.moves_to(after, goal._replace(plies=plies - 1), least_lead)
        if reaching and (fewest is None or len(reaching) < fewest[0]):
            fewest = (len(reaching), reply)
    return None if fewest is None else fewest[1]
