"""The speed of solving the tablebase of Nine Men's Morris, and an estimate for all of it.

    python -m benchmarks.tablebase [--up-to 4-4]

Each pair is solved on one core, without files; compilation is not counted. The estimate for unsolved pairs uses the
time per entry of the largest solved pair of the same kind, with or without a flying side; it prints its other
assumptions.
"""

from collections import deque
from time import perf_counter

import typer

from millrace.engine.games.morris.tablebase_index import Numbering, entries_of, make_numbering, men_of, table_name
from millrace.engine.tablebase.codes import NO_CODES, Codes
from millrace.engine.tablebase.pairs import PAIRS, Pair, pairs_up_to, parse_pair, tables_of
from millrace.engine.tablebase.retrograde_analysis import FLYING_MEN, solve_pair

WORKING_BYTES = 4
"""Bytes of memory for each entry while it is solved: its code, the result of its captures, and its moves left."""

WIDE_WORKING_BYTES = 6
"""The same with codes of two bytes."""

ASSUMPTIONS = f"""The estimates take it that
- an entry of a larger pair takes as long as one of the largest solved here. It takes longer where more of them are
  decided, and each distance is a look at all entries: solve larger pairs to be nearer to the truth;
- no distance is longer than a byte holds (253 plies). A pair in which one is has been solved in vain until then, and is
  begun anew with two bytes for an entry on disk, and {WIDE_WORKING_BYTES} instead of {WORKING_BYTES} in memory;
- one pair is solved at a time, and the tables below it, which are read all the time, find room in memory besides."""

GOAL: Pair = (5, 5)


def main(up_to: str = typer.Option("4-4", help="Last pair to solve.")) -> None:
    solve_pair_to_end(make_numbering(3), (3, 3), {})
    numbering = make_numbering()
    tables: dict[str, Codes] = {}
    seconds_an_entry: dict[bool, float] = {}
    print(f"{'pair':>5} {'entries':>14} {'seconds':>9} {'M entries/s':>12} {'longest':>8}")
    for pair in pairs_up_to(parse_pair(up_to)):
        entries, seconds = entries_in(numbering, pair), solve_pair_to_end(numbering, pair, tables)
        seconds_an_entry[is_flying(pair)] = seconds / entries
        longest = max(int(tables[table].max()) for table in tables_of(pair)) - 1
        print(f"{table_name(*pair):>5} {entries:>14,} {seconds:>9.2f} {entries / seconds / 1e6:>12.2f} {longest:>8}")
    for last in (GOAL, PAIRS[-1]):
        print(estimate(numbering, last, seconds_an_entry))
    print(ASSUMPTIONS)


def solve_pair_to_end(numbering: Numbering, pair: Pair, tables: dict[str, Codes]) -> float:
    """Solve a pair from smaller tables, add its own, and return the seconds that it took."""
    below = [tables.get(table_name(second - 1, first), NO_CODES) for first, second in (pair, pair[::-1])]
    started = perf_counter()
    _settled, codes, mirror = deque(solve_pair(numbering, pair, (below[0], below[1])), maxlen=1).pop()
    seconds = perf_counter() - started
    tables |= {table_name(*pair): codes, table_name(*pair[::-1]): mirror}
    return seconds


def estimate(numbering: Numbering, last: Pair, seconds_an_entry: dict[bool, float]) -> str:
    """Return a row with the cost of solving all pairs up to one."""
    usual = max(seconds_an_entry.values())
    pairs = pairs_up_to(last)
    entries = [entries_in(numbering, pair) for pair in pairs]
    seconds = sum(
        seconds_an_entry.get(is_flying(pair), usual) * count for pair, count in zip(pairs, entries, strict=True)
    )
    return (
        f"up to {table_name(*last)}: {sum(entries):,} entries, about {seconds / 60:.1f} minutes of one core,"
        f" {sum(entries) / 1e6:,.0f} MB on disk, {max(entries) * WORKING_BYTES / 1e6:,.0f} MB of memory for the largest"
    )


def entries_in(numbering: Numbering, pair: Pair) -> int:
    return sum(entries_of(numbering, *men_of(table)) for table in tables_of(pair))


def is_flying(pair: Pair) -> bool:
    return FLYING_MEN in pair


if __name__ == "__main__":
    typer.run(main)
