"""`analyse`: iterative deepening until a limit is reached, or what solved endings say in its place.

See chessprogramming.org/Iterative_Deepening. Imported through the package.
"""

from collections.abc import Callable, Sequence

from engine.analysis.pace import Pace
from engine.analysis.records import PERFECT_TEMPER, TABLE_MEGABYTES, Analysis, Clock, Limits, Temper
from engine.analysis.run import Run, keep_moves, tree_at
from engine.search import ALL_TECHNIQUES, DEEPEST, Opposition, Techniques, make_search, value_of_code
from engine.state import State
from engine.table import Table, new_table
from engine.tablebase.codes import DRAWN, plies_of
from engine.tablebase.probing import Solution, Tablebase, no_endings


def analyse(
    state: State,
    limits: Limits,
    clock: Clock,
    *,
    on_iteration: Callable[[Analysis], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    is_pondering: Callable[[], bool] | None = None,
    table: Table | None = None,
    temper: Temper = PERFECT_TEMPER,
    techniques: Techniques = ALL_TECHNIQUES,
    opposition: Opposition = Opposition.BEST_REPLY,
    tablebase: Tablebase | None = None,
    candidates: Sequence[int] = (),
) -> Analysis:
    """Search a state until a limit is reached, and return the best that was found.

    `on_iteration` hears of each completed iteration, `should_stop` is asked every few milliseconds. So is
    `is_pondering`, as long as it returns True: until then the opponent is still to move, and limits of time count from
    the moment when it no longer is. A table may be handed in that earlier searches of the same match have filled;
    entries of another match's board would mislead. `opposition` matters where more than two seats play. With
    `candidates`, only these of the legal moves are searched.

    A `tablebase` answers for the endings that it has without a search: the shortest win, the longest loss. In a drawn
    one the moves that keep the draw are searched as if nothing were known, for the one that is hardest to answer. What
    leads to solved endings is valued by them.
    """
    pace = Pace(limits, clock, should_stop, is_pondering)
    solution = tablebase.solve(state) if tablebase is not None and not candidates else None
    if tablebase is not None and solution is not None and solution.moves and solution.code != DRAWN:
        return _analysis_of(state, tablebase, solution, pace, on_iteration)
    table = table or new_table(TABLE_MEGABYTES)
    table.begin_search()
    endings = no_endings(state.game)
    tree = tree_at(state, temper, opposition)
    if solution is not None and solution.moves:
        keep_moves(tree, solution.moves)
    elif tablebase is not None and tablebase.game is state.game:
        endings = tablebase.endings
    if candidates:
        keep_moves(tree, tuple(candidates))
    run = Run(state, pace, make_search(state.game, techniques), table, tree, endings)
    deepest = 2 * DEEPEST // state.start.seats
    for depth in range(1, min(limits.depth or deepest, deepest) + 1):
        if run.is_settled or not run.iterate(depth):
            break
        if on_iteration is not None:
            on_iteration(run.analysis())
        if not pace.leaves_time_for_more():
            break
    return run.analysis()


def _analysis_of(
    state: State,
    tablebase: Tablebase,
    solution: Solution,
    pace: Pace,
    on_iteration: Callable[[Analysis], None] | None,
) -> Analysis:
    """Return what tables say of a won or lost state."""
    line = tablebase.line(state, solution)
    texts = tuple(state.format_move(move) for move in line)
    value = int(value_of_code(solution.code, 0))
    found = Analysis(plies_of(solution.code), value, 0, pace.elapsed_ms, texts)
    if on_iteration is not None:
        on_iteration(found)
    return found
