"""The part of `millrace tablebase verify` that counts the smallest tables a second time."""

from collections.abc import Mapping

import typer

from millrace.engine.games.morris.tablebase_index import table_name
from millrace.engine.tablebase.independent_solver import Recount, recount
from millrace.engine.tablebase.pairs import Pair, pairs_up_to, tables_of
from millrace.engine.tablebase.verification import ResultCounts

from .output import status_after_a_while


def differing_recounts(censuses: Mapping[str, ResultCounts], last: Pair) -> list[str]:
    """Count the complete pairs up to `last` with the independent solver and print both counts side by side.

    Return the tables whose counts differ.
    """
    complete = [pair for pair in pairs_up_to(last) if all(table in censuses for table in tables_of(pair))]
    if not complete:
        return []
    typer.echo(f"{'table':>5} {'states won':>14} {'drawn':>13} {'lost':>13} {'win':>4} {'loss':>4}  counted by")
    differing = []
    solved = pairs_up_to(complete[-1])
    with status_after_a_while() as show:

        def show_pair(pair: Pair) -> None:
            title = f"pair {solved.index(pair) + 1} of {len(solved)}, {' and '.join(tables_of(pair))}"
            show(f"{title}: solving it by a plain solver")

        recounts = recount(complete[-1], show_pair)
    for men, second in recounts.items():
        name = table_name(*men)
        if name not in censuses:
            continue
        first = recount_of(censuses[name])
        typer.echo(_line_of(name, first, "the tables' solver"))
        typer.echo(_line_of(name, second, "a plain solver" if first == second else "a plain solver: DIFFERENT"))
        if first != second:
            differing.append(name)
    return differing


def recount_of(census: ResultCounts) -> Recount:
    """Return the counts of a table in the format of the independent solver."""
    return Recount(census.orbits_won, census.orbits_drawn, census.orbits_lost, census.longest_win, census.longest_loss)


def _line_of(name: str, counts: Recount, solver: str) -> str:
    return (
        f"{name:>5} {counts.won:>14,} {counts.drawn:>13,} {counts.lost:>13,} {counts.longest_win:>4} "
        f"{counts.longest_loss:>4}  {solver}"
    )
