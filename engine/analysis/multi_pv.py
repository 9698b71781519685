"""Several moves of a state compared: the best few, and one that is asked about, all searched as deeply.

Not one search, which is `analyse`, but several of it in turn, which share table, time and nodes. Imported through the
package.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..state import State
from ..tablebase.probing import Tablebase
from ..transposition_table import TranspositionTable, new_table
from .iterative_deepening import analyse
from .records import TABLE_MEGABYTES, Analysis, Clock, Limits, is_seen_to_its_end


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several searches of a state found."""

    best: tuple[Analysis, ...]
    """The best moves, the best first; at least one."""
    also: Analysis | None
    """The move that was asked about."""
    is_settled: bool
    """Whether searching for longer would find nothing else about the best move."""


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
    """Search for the best moves of a state, one after another, and for what one more is worth.

    What is searched after the best move gets no deeper than that was, so that values can be compared; it takes the same
    part of the time, but all of the nodes. Raises: MoveSyntaxError, IllegalMoveError for a move that cannot be played.
    """
    table = table or new_table(TABLE_MEGABYTES)
    asked = state.parse_move(also) if also else None
    searches = min(variations, max(1, len(state.legal_moves))) + (asked is not None)
    share = limits if limits.movetime_ms is None else replace(limits, movetime_ms=limits.movetime_ms / searches)

    def search(limits: Limits, candidates: tuple[int, ...]) -> Analysis:
        return analyse(
            state, limits, clock, should_stop=should_stop, table=table, tablebase=tablebase, candidates=candidates
        )

    first = search(share, ())
    found = {first.best_move: first}
    as_deep = replace(share, depth=max(first.depth, 1))
    for _ in range(1, variations):
        left = tuple(move for move in state.legal_moves if state.format_move(move) not in found)
        if not left or state.outcome is not None:
            break
        another = search(as_deep, left)
        found[another.best_move] = another
    extra = None
    if asked is not None and state.outcome is None:
        text = state.format_move(asked)
        extra = found.get(text) or search(as_deep, (asked,))
        # What a search has overlooked above it is worth as much as what was found below.
        if extra.value > first.value and text not in found:
            found[text] = extra
    best = sorted(found.values(), key=lambda each: -each.value)[:variations]
    is_settled = state.outcome is not None or is_seen_to_its_end(best[0].value, best[0].depth)
    return Comparison(tuple(best), extra, is_settled)
