"""Building tablebases: pair by pair in separate processes, skipping the tables that exist.

Each pair is saved as soon as it is solved, so a build that was killed continues with the next one. The solver is
`engine.tablebase.retrograde_analysis`.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path

from millrace.engine.games.morris.tablebase_index import LEAST_MEN, make_numbering, men_of, table_name
from millrace.engine.tablebase.codes import NO_CODES, Codes
from millrace.engine.tablebase.pairs import Pair, pairs_below, tables_of
from millrace.engine.tablebase.retrograde_analysis import solve_pair
from millrace.engine.tablebase.verification import count_results

from ..child_process import end_with_parent
from .table_files import has_table, open_table, write_table

Solved = Callable[[Pair], None]
"""Called with each pair once its tables are saved."""


def build(folder: Path, pairs: tuple[Pair, ...], processes: int, niceness: int, solved: Solved) -> None:
    """Build the pairs that are missing or damaged, in parallel processes.

    For each pair, `pairs` must also contain the pairs that it depends on. Raises: OSError.
    """
    missing = []
    for pair in pairs:
        if all(has_table(folder, table) for table in tables_of(pair)):
            solved(pair)
        else:
            missing.append(pair)
    if not missing:
        return
    with ProcessPoolExecutor(
        min(processes, len(missing)), get_context("spawn"), initializer=_begin_process, initargs=(niceness,)
    ) as pool:
        for pair in _in_order(pool, folder, missing):
            solved(pair)


def solve_and_write(folder: Path, pair: Pair) -> None:
    """Solve a pair and write its tables. Raises: OSError; TablebaseError if tables that it depends on are missing."""
    numbering = make_numbering(max(pair))
    smaller = (_table_below(folder, pair), _table_below(folder, pair[::-1]))
    _settled, codes, mirror = deque(solve_pair(numbering, pair, smaller), maxlen=1).pop()
    for table, solved in zip(tables_of(pair), (codes, mirror), strict=False):
        write_table(folder, table, solved, count_results(numbering, men_of(table), solved))


def _in_order(pool: ProcessPoolExecutor, folder: Path, missing: list[Pair]) -> Iterator[Pair]:
    """Solve pairs, each as soon as the pairs that it depends on are done, and yield them as they finish."""
    waiting, running = list(missing), dict[Future[None], Pair]()
    while waiting or running:
        under_way = {*waiting, *running.values()}
        for pair in [pair for pair in waiting if not under_way & set(pairs_below(pair))]:
            waiting.remove(pair)
            running[pool.submit(solve_and_write, folder, pair)] = pair
        for done in wait(running, return_when=FIRST_COMPLETED).done:
            pair = running.pop(done)
            done.result()
            yield pair


def _table_below(folder: Path, men: tuple[int, int]) -> Codes:
    """Return the table that captures lead to from positions with `men`; an empty one if a capture wins at once."""
    mover_men, opponent_men = men
    if opponent_men == LEAST_MEN:
        return NO_CODES
    return open_table(folder, table_name(opponent_men - 1, mover_men)).codes


def _begin_process(niceness: int) -> None:
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(niceness)
