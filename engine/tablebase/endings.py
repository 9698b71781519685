"""Endings to practise: solved positions at random, and the most stubborn defence against their player.

Results ignore the limit of quiet plies, like the tables; a match that reaches it, or repeats a position, is drawn.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..games.morris.points import POINTS
from ..games.morris.tablebase_index import men_of
from ..state import State
from .probing import Tablebase
from .results import known_only, value_of_state
from .verdicts import Verdict, verdict_of_code

WIN, DRAW, LOSS = 1, 0, -1

LEAST_WIN_PLIES, MOST_WIN_PLIES = 3, 41
"""The distances of wins to practise: longer than one move, and short enough to be finished within the quiet plies."""

LEAST_DRAW_MISTAKES = 0.1
"""Minimum chance of a mistake in a draw to practise."""

SIDES = ("w", "b")


class Ending(NamedTuple):
    """A solved position to practise."""

    position: str
    """Its text."""
    result: int
    """What the side to move reaches with best play: `WIN` or `DRAW`."""
    moves: int | None
    """Its moves to the win with best play of both sides; None for a draw."""
    mistakes: float
    """The share of its legal moves that throw the result away."""


class Judgement(NamedTuple):
    """What a move did, and the answer of the defence."""

    result: int
    """The mover's best result before the move: `WIN`, `DRAW` or `LOSS`."""
    reached: int
    """The mover's best result after the move and the reply."""
    keeping: tuple[int, ...]
    """The moves that keep the result before, the quickest wins first."""
    reply: int | None
    """The answer of the defence; None if play is over."""
    moves: int | None
    """The mover's moves to the win after the reply, with best play of both sides; None if it is not won."""


def draw_endings(tablebase: Tablebase, random_below: Callable[[int], int]) -> Iterator[Ending | None]:
    """Yield what each of endless random placements is good for: an ending, or None."""
    pairs = [men_of(name) for name in sorted(tablebase.names)]
    while True:
        state = random_placement(tablebase, pairs[random_below(len(pairs))], random_below)
        yield ending_of(tablebase, state) if state.outcome is None else None


def ending_of(tablebase: Tablebase, state: State) -> Ending | None:
    """Return a position as an ending, if it is worth practising. Wins need a table with distances."""
    verdict = verdict_on(tablebase, state)
    if verdict is None or verdict.result == LOSS:
        return None
    if verdict.result == WIN and not LEAST_WIN_PLIES <= (verdict.plies or 0) <= MOST_WIN_PLIES:
        return None
    mistakes = chance_of_mistake(tablebase, state)
    if mistakes is None or (verdict.result == DRAW and mistakes < LEAST_DRAW_MISTAKES):
        return None
    return Ending(state.position_text, verdict.result, _moves_of(verdict), mistakes)


def judge_move(tablebase: Tablebase, after: State) -> Judgement | None:
    """Return the judgement on the move that led to a state; None if the tables do not know it.

    The defence answers with a move of the best result for its side: of lost ones the longest, of won ones the
    shortest, and among equal ones the one after which most moves of its opponent are mistakes.
    """
    before = after.previous
    assert before is not None
    options = _verdicts_of_moves(tablebase, before)
    if options is None:
        return None
    best = max(option.result for option in options.values())
    kept = [move for move, option in options.items() if option.result == best]
    keeping = tuple(sorted(kept, key=lambda move: _length(options[move])))
    if after.outcome is not None:
        return Judgement(best, options[after.move].result, keeping, None, None)
    reply = stubborn_reply(tablebase, after)
    end = None if reply is None else verdict_on(tablebase, after.after(reply))
    return None if end is None else Judgement(best, end.result, keeping, reply, _moves_of(end))


def stubborn_reply(tablebase: Tablebase, state: State) -> int | None:
    """Return the move of the defence; None if the tables do not know the position."""
    options = _verdicts_of_moves(tablebase, state)
    if options is None:
        return None
    best = max(option.result for option in options.values())
    # The longest loss, the shortest win.
    lengths = {move: -best * _length(option) for move, option in options.items() if option.result == best}
    longest = max(lengths.values())
    equal = [move for move, length in lengths.items() if length == longest]
    return max(equal, key=lambda move: _trickiness(tablebase, state.after(move)))


def chance_of_mistake(tablebase: Tablebase, state: State) -> float | None:
    """Return the share of legal moves that throw the best result away; None if the tables do not know it."""
    options = _verdicts_of_moves(tablebase, state)
    if options is None:
        return None
    best = max(option.result for option in options.values())
    return sum(option.result < best for option in options.values()) / len(options)


def verdict_on(tablebase: Tablebase, state: State) -> Verdict | None:
    """Return how a state ends with best play, for the side to move; None if the tables do not know it."""
    code = tablebase.code_after(state) if state.outcome is not None else tablebase.unlimited_code_of(state)
    if code is not None:
        return verdict_of_code(code)
    result = None if tablebase.results is None else value_of_state(tablebase.results, state, known_only())
    return None if result is None else Verdict(result, None)


def random_placement(tablebase: Tablebase, men: tuple[int, int], random_below: Callable[[int], int]) -> State:
    """Return a random placement with these men of the mover and of the opponent, and a random side to move."""
    side = random_below(2)
    letters = "WB" if side == 0 else "BW"
    points = ["."] * POINTS
    for letter, count in zip(letters, men, strict=True):
        for _ in range(count):
            empty = [point for point, content in enumerate(points) if content == "."]
            points[empty[random_below(len(empty))]] = letter
    return State.of(tablebase.game, f"{''.join(points)} {SIDES[side]} 0 0")


def _verdicts_of_moves(tablebase: Tablebase, state: State) -> dict[int, Verdict] | None:
    """Return the verdict on each legal move, for the side that makes it; None if one is unknown."""
    found: dict[int, Verdict] = {}
    for move in state.legal_moves:
        verdict = verdict_on(tablebase, state.after(move))
        if verdict is None:
            return None
        found[move] = verdict._replace(result=-verdict.result)
    return found


def _trickiness(tablebase: Tablebase, state: State) -> tuple[bool, float]:
    """Return how easily the side to move errs: positions that are new before those that have occurred."""
    if state.outcome is not None:
        return False, -1.0
    return not state.repetitions, chance_of_mistake(tablebase, state) or 0.0


def _moves_of(verdict: Verdict) -> int | None:
    """Return the moves of the side to move until it has won; None if it does not win, or nobody knows how soon.

    >>> _moves_of(Verdict(1, 5)), _moves_of(Verdict(0, None))
    (3, None)
    """
    return None if verdict.plies is None or verdict.result != WIN else (verdict.plies + 1) // 2


def _length(verdict: Verdict) -> int:
    return verdict.plies or 0
