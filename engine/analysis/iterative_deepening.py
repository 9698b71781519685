"""`analyse`: iterative deepening until a limit is reached, or what solved endings say in its place.

See chessprogramming.org/Iterative_Deepening. Imported through the package.
"""

from collections.abc import Callable, Sequence

from ..game.techniques import Techniques
from ..search import DEEPEST, Opposition, borrow_experience, make_search, renew_experience, value_of_code
from ..state import State
from ..tablebase.codes import DRAWN, plies_of
from ..tablebase.probing import Solution, Tablebase, no_endings
from ..transposition_table import Table, new_table
from .aspiration_window import Run, keep_moves, tree_at
from .helper_threads import Crew, FollowingPace
from .records import PERFECT_TEMPER, TABLE_MEGABYTES, Analysis, Clock, Limits, Temper
from .shared_progress import Front
from .time_checks import Pace, Pacing


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
    techniques: Techniques | None = None,
    opposition: Opposition = Opposition.BEST_REPLY,
    tablebase: Tablebase | None = None,
    candidates: Sequence[int] = (),
    threads: int = 1,
) -> Analysis:
    """Search a state until a limit is reached, and return the best that was found.

    `on_iteration` hears of each completed iteration, `should_stop` is asked every few milliseconds. So is
    `is_pondering`, as long as it returns True: until then the opponent is still to move, and limits of time count from
    the moment when it no longer is. A table may be handed in that earlier searches of the same match have filled;
    entries of another match's board would mislead. `techniques` replace the game's own. `opposition` matters where more
    than two seats play. With `candidates`, only these of the legal moves are searched. With one thread the same state,
    limits of depth or nodes and table bring the same analysis; several (`engine.analysis.helper_threads`) find it sooner, but not
    always the same.

    A `tablebase` answers for the endings that it has without a search: the shortest win, the longest loss. In a drawn
    one the moves that keep the draw are searched as if nothing were known, for the one that is hardest to answer. What
    leads to solved endings is valued by them.
    """
    pace = Pace(limits, clock, should_stop, is_pondering)
    solution = tablebase.solve(state) if tablebase is not None and not candidates else None
    if tablebase is not None and solution is not None and solution.moves and solution.code != DRAWN:
        return _analysis_of(state, tablebase, solution, pace, on_iteration)
    table = table or new_table(TABLE_MEGABYTES)
    known = table.experience, state.game, state.seat, state.start.seats
    if candidates:
        experience = borrow_experience(*known)
    else:
        table.begin_search()
        table.experience = experience = renew_experience(*known)
    endings, kept = no_endings(state.game), tuple(candidates)
    if solution is not None and solution.moves:
        kept = solution.moves
    elif tablebase is not None and tablebase.game.solved is state.game.solved:
        endings = tablebase.endings
    front = Front(limits.nodes, threads)
    used = techniques or state.game.techniques
    advance = make_search(state.game, used)

    def new_run(pace: Pacing) -> Run:
        tree = tree_at(state, temper, opposition, experience)
        if kept:
            keep_moves(tree, kept)
        return Run(state, pace, front, advance, table, tree, endings, used)

    run = new_run(pace)
    deepest = 2 * DEEPEST // state.start.seats
    deepest = min(limits.depth or deepest, deepest)
    with Crew(threads - 1, lambda: new_run(FollowingPace(pace, front)), front, deepest) as crew:
        while run.depth < deepest and not run.is_settled:
            if not run.iterate(run.depth + 1) and not run.catch_up():
                break
            if on_iteration is not None:
                on_iteration(_analysis_at(run, pace))
            if not pace.leaves_time_for_more():
                break
            crew.start()
    run.catch_up()
    return _analysis_at(run, pace)


def _analysis_at(run: Run, pace: Pace) -> Analysis:
    """Return what a run has found so far."""
    texts = tuple(run.state.format_move(move) for move in run.variation)
    return Analysis(run.depth, run.value, run.front.nodes, pace.elapsed_ms, texts)


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
