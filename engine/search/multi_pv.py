"""Multi-PV analysis: the best few moves of a state and a requested one, all searched to the same depth.

It runs `analyse` several times; the searches share table, time and nodes. See chessprogramming.org/Multi-PV.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..state import State
from ..tablebase.probing import Tablebase
from ..tablebase.verdicts import best_known, known_results
from ..transposition_table import TranspositionTable, new_table
from .iterative_deepening import analyse
from .records import TABLE_MEGABYTES, Analysis, Clock, Limits, is_seen_to_its_end


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a multi-PV analysis."""

    best: tuple[Analysis, ...]
    """The best moves, best first; at least one."""
    also: Analysis | None
    """The requested move."""
    is_settled: bool
    """Whether a longer search would find nothing new about the best move."""


def compare_moves(
    state: State,
    limits: Limits,
    clock: Clock,
    *,
    variations: int = 1,
    also: str = "",
    should_stop: Callable[[], bool] | None = None,
    table: TranspositionTable | None = None,
    tablebase: Tablebase | None = None,
) -> Comparison:
    """Search for the best moves of a state, one after another, and for the value of one more.

    Later moves are searched no deeper than the best one, so that values can be compared; each search has the same share
    of the time, but all of the nodes. Moves known to keep a result come before others, regardless of their values.
    Raises: MoveSyntaxError, IllegalMoveError for an `also` that cannot be played.
    """
    table = table or new_table(TABLE_MEGABYTES)
    asked = state.parse_move(also) if also else None
    searches = min(variations, max(1, len(state.legal_moves))) + (asked is not None)
    share = limits if limits.movetime_ms is None else replace(limits, movetime_ms=limits.movetime_ms / searches)

    def search(limits: Limits, candidates: tuple[int, ...]) -> Analysis:
        return analyse(
            state, limits, clock, should_stop=should_stop, table=table, tablebase=tablebase, candidates=candidates
        )

    known = known_results(tablebase, state)
    first = search(share, ())
    found = {first.best_move: first}
    as_deep = replace(share, depth=max(first.depth, 1))
    for _ in range(1, variations):
        left = tuple(move for move in state.legal_moves if state.format_move(move) not in found)
        if not left or state.outcome is not None:
            break
        another = search(as_deep, best_known(left, known))
        found[another.best_move] = another
    extra = None
    if asked is not None and state.outcome is None:
        text = state.format_move(asked)
        extra = found.get(text) or search(as_deep, (asked,))
        # The first search missed a better move: rank it by its value.
        if extra.value > first.value and text not in found:
            found[text] = extra
    ranks = {state.format_move(move): result for move, result in known.items()}
    best = sorted(found.values(), key=lambda each: (-ranks.get(each.best_move or "", 0), -each.value))[:variations]
    is_settled = state.outcome is not None or is_seen_to_its_end(best[0].value, best[0].depth)
    return Comparison(tuple(best), extra, is_settled)
