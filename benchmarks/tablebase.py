"""The speed of solving the tablebase of Nine Men's Morris, and an estimate for all of it.

    python -m benchmarks.tablebase [--up-to 5-5] [--threads 2]

Pairs are solved without files; compilation is not counted. Times are those of processors, since other programs may
share them. The estimate takes the costs of the last pair: of the initialisation for each entry, and of everything else
for each entry that is settled.
"""

from collections.abc import Iterator
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np
import typer

from millrace.engine.game import TableBytes
from millrace.engine.games.morris.tablebase_index import Numbering, entries_of, make_numbering, men_of, table_name
from millrace.engine.tablebase.pairs import PAIRS, Pair, pairs_up_to, parse_pair, tables_of
from millrace.engine.tablebase.retrograde_analysis import PairSolver, memory_of
from millrace.engine.tablebase.tables import NO_CODES, Codes, codes_of

SETTLED_SHARES = (0.3, 0.6, 0.9)
"""Shares of entries that are won or lost, for the estimate: how many there are is only known when all is solved."""


class Cost(NamedTuple):
    """What solving a pair took."""

    entries: int
    settled: int
    seconds: float
    initialisation: float
    """Processor seconds."""
    settling: float
    longest: int
    """Plies."""


def main(
    up_to: str = typer.Option("5-5", help="Last pair to solve."), threads: int = typer.Option(2, help="Threads.")
) -> None:
    """Solve pairs and print what each took."""
    *_, _compiled = solve(make_numbering(3), (3, 3), {}, threads)
    numbering = make_numbering()
    tables: dict[str, Codes] = {}
    print(
        f"{'pair':>5} {'entries':>14} {'settled':>8} {'longest':>8} {'seconds':>8} "
        f"{'ns an entry':>12} {'ns a settled':>13}"
    )
    for pair in pairs_up_to(parse_pair(up_to)):
        cost = solve(numbering, pair, tables, threads)
        print(
            f"{table_name(*pair):>5} {cost.entries:>14,} {cost.settled / cost.entries:>8.1%} {cost.longest:>8} "
            f"{cost.seconds:>8.1f} {cost.initialisation / cost.entries * 1e9:>12.0f} "
            f"{cost.settling / cost.settled * 1e9:>13.0f}",
            flush=True,
        )
    print_estimate(numbering, cost, threads)


def solve(numbering: Numbering, pair: Pair, tables: dict[str, Codes], threads: int) -> Cost:
    """Solve a pair from smaller tables, add its own, and return what it took."""
    below = [tables.get(table_name(second - 1, first), NO_CODES) for first, second in (pair, pair[::-1])]
    began, processor_began = perf_counter(), process_time()
    solver = PairSolver(numbering, pair, (below[0], below[1]), threads)
    longest, initialised = 0, processor_began
    for step in solver.steps():
        if step.code == 0:
            initialised = process_time()
        elif step.settled:
            longest = step.code - 1
    seconds, settling = perf_counter() - began, process_time() - initialised
    entries = settled = 0
    for name, table in with_names(pair, solver):
        codes = codes_of(table, entries_of(numbering, *men_of(name)))
        tables[name] = codes
        entries += len(codes.table)
        settled += int(np.count_nonzero(codes.table))
    return Cost(entries, settled, seconds, initialised - processor_began, settling, longest)


def with_names(pair: Pair, solver: PairSolver) -> Iterator[tuple[str, TableBytes]]:
    return zip(tables_of(pair), solver.tables(), strict=True)


def print_estimate(numbering: Numbering, cost: Cost, threads: int) -> None:
    """Print what solving all pairs would take."""
    entries = sum(entries_of(numbering, *men_of(table)) for pair in PAIRS for table in tables_of(pair))
    memory = max(memory_of(numbering, pair) for pair in PAIRS)
    print(f"All pairs: {entries:,} entries, {memory / 1e6:,.0f} MB of memory for the largest pair")
    for share in SETTLED_SHARES:
        seconds = entries * (cost.initialisation / cost.entries + share * cost.settling / cost.settled)
        print(f"if {share:.0%} are settled: about {seconds / threads / 60:.0f} minutes on {threads} idle cores")


if __name__ == "__main__":
    typer.run(main)
