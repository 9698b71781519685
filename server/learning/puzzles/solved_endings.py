"""Solved endings of Nine Men's Morris as sources of puzzles: random placements that the tablebase says are won soon.

Full tables know how soon. With the small edition, placements are used that only one move wins, as a puzzle requires, if
a short search of that move sees the end. The tablebase only finds them; `engine.puzzles.proof` proves the puzzle again,
so that it holds without tables.
"""

from collections.abc import Callable, Iterator

from millrace.engine.games.morris.tablebase_index import men_of
from millrace.engine.search import Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.tablebase.codes import is_won, plies_of
from millrace.engine.tablebase.endings import random_placement
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.results import kept_by_results, known_only
from millrace.engine.transposition_table import WIN, new_table

LEAST_PLIES, MOST_PLIES = 3, 5
"""The distance of the win: longer than one move, and short enough to prove."""

SHORT_SEARCH = Limits(depth=MOST_PLIES, nodes=100_000)
"""Finds most wins at that distance."""

TABLE_MEGABYTES = 1


def won_endings(tablebase: Tablebase, random_below: Callable[[int], int]) -> Iterator[State]:
    """Yield random positions that the side to move wins in three or five plies, endlessly."""
    pairs = [men_of(name) for name in sorted(tablebase.names)]
    while True:
        state = random_placement(tablebase, pairs[random_below(len(pairs))], random_below)
        if state.outcome is None and _suits(tablebase, state):
            yield state


def _suits(tablebase: Tablebase, state: State) -> bool:
    code = tablebase.unlimited_code_of(state)
    if code is not None:
        return is_won(code) and LEAST_PLIES <= plies_of(code) <= MOST_PLIES
    assert tablebase.results is not None
    kept = kept_by_results(tablebase.results, state, known_only())
    if kept is None or kept.value != 1 or len(kept.moves) != 1:
        return False
    found = analyse(state, SHORT_SEARCH, no_clock, candidates=kept.moves, table=new_table(TABLE_MEGABYTES))
    return LEAST_PLIES <= WIN - found.value <= MOST_PLIES
