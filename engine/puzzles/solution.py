"""The only solution of a position, the check that a puzzle has one, and the answers that refute wrong moves."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..game import Game
from ..state import State
from .errors import PuzzleError
from .goal import WIN, Goal
from .proof import Prover
from .puzzle import ALTERNATIVES_SEPARATOR, Puzzle, Refutations

MOST_ALTERNATIVES = 12


def find_solution(prover: Prover, state: State, goal: Goal) -> tuple[str, ...] | None:
    """Return the solution of a goal from a state, or None if there is none, or more than one.

    Its first move is the only one that reaches the goal; moves that differ only in the number of pieces count as one.
    It ends with the match, with the last move that the goal allows, or earlier where several moves win: these are
    alternatives.
    """
    least_lead = prover.least_lead(state, goal)
    reaching = prover.moves_to(state, goal, least_lead)
    if not reaching or len(state.legal_moves) == len(reaching) or not _says_it(prover, state, goal, reaching):
        return None
    if len(reaching) > 1:
        return _alternatives(state, reaching) if goal.moves == 1 or goal.measure == WIN else None
    line = [state.format_move(reaching[0])]
    state, plies = state.after(reaching[0]), goal.plies - 1
    while plies >= 2 and state.outcome is None:
        reply = _longest_defence(prover, state, goal, plies, least_lead)
        if reply is None:
            break
        after = state.after(reply)
        reaching = prover.moves_to(after, goal._replace(plies=plies - 1), least_lead) or ()
        line += [state.format_move(reply), ALTERNATIVES_SEPARATOR.join(map(after.format_move, reaching))]
        if len(reaching) > 1:
            break
        state, plies = after.after(reaching[0]), plies - 2
    return tuple(line)


def check_puzzle(game: Game, puzzle: Puzzle, prover: Prover) -> None:
    """Check that a puzzle's solution is right and complete, and each wrong move refuted. Raises: PuzzleError."""
    state = State.of(game, puzzle.position)
    if state.position_text != puzzle.position:
        raise PuzzleError(f"{puzzle.position!r} is not in its standard form.")
    if len(puzzle.solution) > puzzle.goal.plies:
        raise PuzzleError(f"{puzzle.position!r}: the solution is longer than {puzzle.goal}.")
    least_lead = prover.least_lead(state, puzzle.goal)
    for ply, moves in enumerate(puzzle.solution):
        if ply % 2 == 0:
            _check_ply(prover, puzzle, state, ply, least_lead)
        state = state.play_text(moves.split(ALTERNATIVES_SEPARATOR)[0])
    left = puzzle.goal.plies - len(puzzle.solution)
    if left >= 2 and puzzle.goal.measure != WIN and state.outcome is None:
        raise PuzzleError(f"{puzzle.position!r}: the solution ends before {puzzle.goal}.")


def _check_ply(prover: Prover, puzzle: Puzzle, state: State, ply: int, least_lead: int) -> None:
    """Check the right moves at a ply of the solver, and the answers to the wrong ones. Raises: PuzzleError."""
    accepted, left = puzzle.accepted_at(ply), puzzle.goal._replace(plies=puzzle.goal.plies - ply)
    reaching = prover.moves_to(state, left, least_lead)
    if reaching is None:
        raise PuzzleError(f"{puzzle.position!r}: the proof takes too long.")
    if sorted(map(state.format_move, reaching)) != sorted(accepted):
        raise PuzzleError(f"{puzzle.position!r}: {puzzle.solution[ply]} is not the only way to reach {left}.")
    if len(accepted) > 1 and ply < len(puzzle.solution) - 1:
        raise PuzzleError(f"{puzzle.position!r}: {puzzle.solution[ply]} are several solutions.")
    if ply == 0 and not _is_only_one(prover, state, left, reaching):
        raise PuzzleError(f"{puzzle.position!r}: {puzzle.solution[0]} is not the only move that fits the task.")
    for move in state.legal_moves:
        text = state.format_move(move)
        answer = puzzle.answer_to(ply, text)
        if text not in accepted and not _refutes(prover, state.after(move), answer, left, least_lead):
            raise PuzzleError(f"{puzzle.position!r}: {text} is not refuted.")


def _is_only_one(prover: Prover, state: State, goal: Goal, reaching: tuple[int, ...]) -> bool:
    """Return whether some moves are one solution, of a position that has others."""
    is_one = len(reaching) == 1 or _alternatives(state, reaching) is not None
    return is_one and len(state.legal_moves) > len(reaching) and _says_it(prover, state, goal, reaching)


def _says_it(prover: Prover, state: State, goal: Goal, reaching: tuple[int, ...]) -> bool:
    """Return whether the task, which does not mention that the match may end, asks for these moves as well."""
    if goal.measure == WIN:
        return True
    return prover.moves_to(state, goal, prover.least_lead(state, goal), ends_decide=False) == reaching


def find_refutations(game: Game, puzzle: Puzzle, prover: Prover) -> tuple[Refutations, ...]:
    """Return the opponent's best answer to each wrong move, for each move of the solver."""
    state, found = State.of(game, puzzle.position), []
    least_lead = prover.least_lead(state, puzzle.goal)
    for ply in range(len(puzzle.solution)):
        if ply % 2 == 0:
            left = puzzle.goal._replace(plies=puzzle.goal.plies - ply)
            answers = dict(_answers(prover, state, left, least_lead, puzzle.accepted_at(ply)))
            found.append(_with_default(answers))
        state = state.play_text(puzzle.accepted_at(ply)[0])
    return tuple(found)


def _answers(
    prover: Prover, state: State, goal: Goal, least_lead: int, accepted: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield each wrong move with the opponent's best answer, empty if there is none."""
    for move in state.legal_moves:
        text = state.format_move(move)
        if text in accepted:
            continue
        after = state.after(move)
        refuting = [
            reply
            for reply in (after.legal_moves if after.outcome is None else ())
            if _refutes(prover, after, after.format_move(reply), goal, least_lead)
        ]
        best = min(refuting, key=lambda reply: _harm(prover, after.after(reply), goal), default=None)
        yield text, "" if best is None else after.format_move(best)


def _harm(prover: Prover, state: State, goal: Goal) -> tuple[bool, int]:
    """Return the sort key for answers: the worst for the solver come first. The solver is to move."""
    assert state.game.puzzles is not None
    measure = next(iter(state.game.puzzles.measures)) if goal.measure == WIN else goal.measure
    return state.outcome is None, prover.lead_of(state, measure)


def _refutes(prover: Prover, after: State, answer: str, goal: Goal, least_lead: int) -> bool:
    """Return whether a goal cannot be reached after an answer to the solver's move, or at once if play is over."""
    if after.outcome is not None or goal.plies == 1:
        return True
    if not answer:
        return False
    end = after.play_text(answer)
    if end.outcome is not None:
        return goal.measure != WIN or end.outcome.ranks[end.seat] >= end.outcome.ranks[1 - end.seat]
    if goal.plies == 2:
        return prover.lead_of(end, goal.measure) < least_lead
    return prover.moves_to(end, goal._replace(plies=goal.plies - 2), least_lead) == ()


def _with_default(answers: dict[str, str]) -> Refutations:
    """Return answers with the most frequent one as that to all moves that are not named."""
    if not answers:
        return Refutations("", {})
    usual = Counter(answers.values()).most_common(1)[0][0]
    return Refutations(usual, {move: answer for move, answer in answers.items() if answer != usual})


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
