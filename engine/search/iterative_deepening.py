"""`analyse`: iterative deepening until a limit is reached, or the answer of a tablebase.

See chessprogramming.org/Iterative_Deepening.
"""

from collections.abc import Callable, Collection, Sequence

from ..game.techniques import Techniques
from ..state import State
from ..tablebase.codes import DRAWN, plies_of
from ..tablebase.probing import Solution, Tablebase, empty_index
from ..tablebase.results import Kept, Results, kept_by_results, known_only
from ..transposition_table import Histories, TranspositionTable, new_table
from .alpha_beta import make_search
from .helper_threads import HelperThreads, HelperTimeChecks
from .histories import borrow_histories, renew_histories
from .iterations import AspirationSearch, restrict_moves, tree_at_root
from .leaf_values import value_of_code
from .opponent_model import OpponentModel
from .records import NO_HANDICAP, TABLE_MEGABYTES, Analysis, Clock, Handicap, Limits, Parallel, no_clock
from .shared_progress import SharedProgress
from .time_checks import LeaderTimeChecks, TimeChecks
from .tree import DRAW_PENALTY, MAX_DEPTH


def analyse(
    state: State,
    limits: Limits,
    clock: Clock | None = None,
    *,
    on_iteration: Callable[[Analysis], None] | None = None,
    on_root_move: Callable[[int, int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    is_pondering: Callable[[], bool] | None = None,
    table: TranspositionTable | None = None,
    handicap: Handicap = NO_HANDICAP,
    techniques: Techniques | None = None,
    draw_penalty: int = 0,
    opponent_model: OpponentModel = OpponentModel.BEST_REPLY,
    tablebase: Tablebase | None = None,
    candidates: Sequence[int] = (),
    barred: Collection[int] = (),
    threads: int = 1,
    parallel: Parallel = Parallel.SHARED,
) -> Analysis:
    """Search a state until a limit is reached, and return the best result. A time limit needs a clock, such as
    `time.perf_counter`.

    `on_iteration` is called after each completed iteration, `on_root_move` every few milliseconds with the depth, the
    root move that is being searched and its number, `should_stop` every few milliseconds. `is_pondering` is also called
    every few milliseconds as long as it returns True: until then it is the opponent's turn, and time limits count from
    the moment when it no longer is. `table` may hold results of earlier searches of the same match; entries of another
    match's board would mislead. `techniques` replace the game's own. `draw_penalty` is by how much less than 0 a draw
    by repetition or quiet plies is worth to the seat to move, in hundredths of a man: with 1, it plays anything as good
    instead. `opponent_model` matters with more than two seats. With `candidates`, only these legal moves are searched;
    without, all but the `barred` ones. With one thread, the same state, depth or node limits and table give the same
    analysis; several threads (`engine.search.helper_threads`, which divide the work as `parallel` says) are faster,
    but not reproducible.

    A `tablebase` answers for the positions that it has without a search: with the shortest win or the longest loss. In
    a drawn position the moves that keep the draw are searched as if nothing were known, for the one that is hardest to
    answer. Where only the result is known (`Tablebase.results`), the moves that keep it are searched. Positions below
    the root that are in the tablebase are evaluated by it, except in a drawn position.
    Raises: ValueError if a time limit is given without a clock.
    """
    if clock is None and (limits.movetime_ms is not None or limits.soft_ms is not None):
        raise ValueError("A time limit needs a clock, such as time.perf_counter.")
    time_checks = LeaderTimeChecks(limits, clock or no_clock, should_stop, is_pondering)
    solution = tablebase.solve(state) if tablebase is not None and not candidates else None
    if tablebase is not None and solution is not None and solution.moves and solution.code != DRAWN:
        return _analysis_of(state, tablebase, solution, time_checks, on_iteration)
    table = table or new_table(TABLE_MEGABYTES)
    used = techniques or state.game.strength.techniques
    histories = _begin_search(table, state, used, is_aside=bool(candidates))
    index, kept = empty_index(state.game), tuple(candidates)
    if barred and not candidates:
        kept = tuple(move for move in state.legal_moves if move not in barred)
    if solution is not None and solution.moves:
        kept = solution.moves
    elif tablebase is not None and tablebase.game.strength.tablebase is state.game.strength.tablebase:
        by_result = None if candidates else _kept_without_distance(state, tablebase.results)
        if by_result is None or by_result.value != 0:
            index = tablebase.index
        kept = kept if by_result is None else by_result.moves
    progress = SharedProgress(limits.nodes, threads)
    advance = make_search(state.game, used)

    def new_run(
        time_checks: TimeChecks, on_root_move: Callable[[int, int, int], None] | None = None
    ) -> AspirationSearch:
        tree = tree_at_root(state, handicap, opponent_model, histories)
        tree.counters[DRAW_PENALTY] = draw_penalty
        if kept:
            restrict_moves(tree, kept)
        return AspirationSearch(state, time_checks, progress, advance, table, tree, index, used, on_root_move)

    run = new_run(time_checks, on_root_move)
    max_depth = 2 * MAX_DEPTH // state.start.seats
    max_depth = min(limits.depth or max_depth, max_depth)
    with HelperThreads(
        threads - 1,
        lambda: new_run(HelperTimeChecks(time_checks, progress)),
        progress,
        max_depth,
        limits.depth_step,
        parallel,
    ) as helpers:
        while run.depth < max_depth and not run.is_settled:
            if not run.iterate(min(run.depth + limits.depth_step, max_depth)) and not run.catch_up():
                break
            if on_iteration is not None:
                on_iteration(_analysis_at(run, time_checks))
            if not time_checks.leaves_time_for_more():
                break
            if limits.ends_when_settled and run.is_move_settled(time_checks.used_share(progress.nodes)):
                break
            helpers.start()
    run.catch_up()
    return _analysis_at(run, time_checks)


def _begin_search(table: TranspositionTable, state: State, used: Techniques, *, is_aside: bool) -> Histories:
    """Return the histories of a search, and prepare the table: for one aside, of selected moves, it stays as it is."""
    if used.two_level_table and not is_aside:
        table.clear()
    known = table.histories, state.game, state.seat, state.start.seats
    if is_aside:
        return borrow_histories(*known)
    table.begin_search()
    table.histories = renew_histories(*known)
    return table.histories


def _kept_without_distance(state: State, results: Results | None) -> Kept | None:
    """Return the moves that keep a result that is known without a distance; None if play is over, too."""
    return None if results is None or state.outcome is not None else kept_by_results(results, state, known_only())


def _analysis_at(run: AspirationSearch, time_checks: LeaderTimeChecks) -> Analysis:
    """Return the result of a search so far."""
    texts = tuple(run.state.format_move(move) for move in run.variation)
    return Analysis(
        run.depth, run.value, run.progress.nodes, time_checks.elapsed_ms, texts, max(run.selective_depth, len(texts))
    )


def _analysis_of(
    state: State,
    tablebase: Tablebase,
    solution: Solution,
    time_checks: LeaderTimeChecks,
    on_iteration: Callable[[Analysis], None] | None,
) -> Analysis:
    """Return the tablebase's result for a won or lost state."""
    line = tablebase.line(state, solution)
    texts = tuple(state.format_move(move) for move in line)
    value = int(value_of_code(solution.code, 0))
    found = Analysis(plies_of(solution.code), value, 0, time_checks.elapsed_ms, texts, len(texts))
    if on_iteration is not None:
        on_iteration(found)
    return found
