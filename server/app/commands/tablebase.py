"""The commands `millrace tablebase build`, `verify` and `probe`."""

import os
import random
from collections.abc import Callable, Collection
from math import comb
from pathlib import Path
from time import perf_counter, time

import typer

from millrace.engine.game.techniques import EXACT_TECHNIQUES
from millrace.engine.games import find_game
from millrace.engine.games.morris.tablebase_index import make_numbering, men_of
from millrace.engine.search import Limits, analyse
from millrace.engine.state import State
from millrace.engine.tablebase.codes import DRAWN, is_won, plies_of
from millrace.engine.tablebase.pairs import Pair, pairs_up_to, parse_pair, tables_after, tables_of, usual_seconds
from millrace.engine.tablebase.placing_proof import position_in, tables_needed
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.retrograde_analysis import Step
from millrace.engine.tablebase.state_counts import STATES_OF_GASSER, all_states, flying_states, states_in
from millrace.engine.tablebase.verdicts import verdicts_on
from millrace.engine.tablebase.verification import count_results, find_wrong_entry, position_of
from millrace.engine.transposition_table import WIN

from ...bots.tablebases.build import (
    be_nice,
    bytes_of,
    missing_pairs,
    needs_of,
    refuse_unless_there_is_room,
    solve_and_write,
)
from ...bots.tablebases.folder import TablebaseFolder
from ...bots.tablebases.table_files import (
    GAME,
    StoredTable,
    TablebaseError,
    clear_unfinished,
    open_table,
    path_of,
    tables_in,
)
from ...runtime.child_process import end_with_parent
from .output import INTERRUPTED, exit_on, exit_on_engine_error, fail, progress_after_a_while, status_after_a_while
from .tablebase_recount import differing_recounts

POINTS = 24
CHECKED_ENTRIES = 200_000
"""Number of entries of each table to check against their moves."""

SEARCHED_ENTRIES = 6
"""Number of entries of each table to check by a search without tables."""

SEARCHED_PLIES = 3
BACKGROUND_NICENESS = 19

RESULTS = {1: "won", 0: "drawn", -1: "lost"}
"""Names of results, from a side's point of view."""

NOT_ALL_CHECKED = 3
"""Exit code if nothing is wrong but some tables could not be checked."""


def print_build(folder: Path, last: str, threads: int | None, is_background: bool) -> None:
    """Build the tables up to a pair, and print each when it is done."""
    with exit_on_engine_error():
        pairs = pairs_up_to(parse_pair(last))
    if is_background:
        end_with_parent()
        be_nice(BACKGROUND_NICENESS)
    clear_unfinished(folder, time())
    with progress_after_a_while("checking the existing tables", len(pairs)) as advance:
        missing = missing_pairs(folder, pairs, lambda _pair: advance())
    if len(missing) < len(pairs):
        typer.echo(f"{len(pairs) - len(missing)} of {len(pairs)} pairs of tables exist.")
    if missing:
        needs = needs_of(missing)
        with exit_on(TablebaseError):
            refuse_unless_there_is_room(folder, needs)
        typer.echo(
            f"{len(missing)} pairs to build: {needs.disk / 1e6:,.0f} MB on disk; up to {needs.memory / 1e6:,.0f} MB of "
            f"memory, and {needs.mapped / 1e6:,.0f} MB of tables to read."
        )
        with exit_on(OSError, TablebaseError):
            try:
                _build_missing(folder, missing, threads or os.cpu_count() or 1)
            except KeyboardInterrupt:
                typer.echo("Interrupted. Run the same command again to continue; finished pairs are kept.")
                raise typer.Exit(INTERRUPTED) from None
    typer.echo(f"The tablebases up to {last} are in {folder}.")


def _build_missing(folder: Path, missing: tuple[Pair, ...], threads: int) -> None:
    """Build pairs and print each with its time. Raises: OSError; TablebaseError."""
    began = first_done = perf_counter()
    with status_after_a_while() as show:
        for number, pair in enumerate(missing, 1):
            pair_began, title = perf_counter(), f"pair {number} of {len(missing)}, {' and '.join(tables_of(pair))}"
            show(f"{title}: reading the results of captures")

            def show_step(step: Step, title: str = title) -> None:
                if step.code:
                    show(f"{title}: {plies_of(step.code)} plies from the end")

            solve_and_write(folder, pair, threads, show_step)
            now = perf_counter()
            if number == 1:
                first_done = now
            # The first pair says little: its time includes loading the kernels.
            rest = _minutes_left(now - first_done, usual_seconds(missing[1:number]), usual_seconds(missing[1:]))
            typer.echo(
                f"{' and '.join(tables_of(pair))}: {bytes_of(pair) / 1e6:.1f} MB, "
                f"{now - pair_began:.1f} s, {now - began:.1f} s in all{rest}"
            )


def print_verify(folder: Path, recounted: str) -> None:
    """Check every table and print its counts, also by a second solver for pairs up to `recounted`.

    Exit with 1 if a table is wrong; otherwise with 3 if a table could not be checked because another one is missing.
    """
    with exit_on_engine_error():
        last_recounted = parse_pair(recounted) if recounted else None
    names = require_tables(folder)
    typer.echo(
        f"{'table':>5} {'placements':>14} {'won':>13} {'drawn':>13} {'lost':>13} {'win':>4} {'loss':>4}  checked"
    )
    with status_after_a_while() as show:
        stored, faults = _open_sound(folder, names, show)
        tablebase = Tablebase(find_game(GAME), {name: sound.table for name, sound in stored.items()})
        is_all_checked = True
        for number, (name, sound) in enumerate(stored.items(), 1):
            show(f"table {number} of {len(stored)}, {name}: checking entries by their moves and by search")
            lacking = [after for after in tables_after(name) if after not in stored]
            checked = f"not by its moves, which need {' and '.join(lacking)}"
            is_all_checked &= not lacking
            try:
                if not lacking:
                    checked = _check_by_moves(tablebase, name, sound)
                typer.echo(_line_of(name, sound, checked))
            except TablebaseError as error:
                faults[name] = str(error)
    if last_recounted is not None:
        censuses = {name: sound.header.census for name, sound in stored.items()}
        for name in differing_recounts(censuses, last_recounted):
            faults.setdefault(name, "differs from the result of a plain solver. Build the table again.")
    for name, fault in faults.items():
        typer.echo(f"{name:>5} {fault}")
    typer.echo(
        f"{sum(map(states_in, stored)):,} states, symmetric ones once, of {all_states():,} without men in hand. Gasser "
        f"(1996) counted {STATES_OF_GASSER:,}: without those that cannot arise, and with 48 symmetries for 3-3"
        f" ({flying_states():,} states)."
    )
    if faults or not is_all_checked:
        raise typer.Exit(1 if faults else NOT_ALL_CHECKED)


def require_tables(folder: Path) -> tuple[str, ...]:
    """Return the names of the tables in a folder; exit with 1 if there are none."""
    names = tables_in(folder)
    if not names:
        fail(f"There are no tablebases in {folder}. Build them with: millrace tablebase build --up-to 4-3")
    return names


def print_probe(folder: Path, position: str) -> None:
    """Print the result of a position and of each of its moves; exit with 1 if it is unknown.

    Distances are missing if only the small edition or a short proof knows the result. If the limit of quiet plies may
    end the match earlier, print the result without that limit.
    """
    with exit_on_engine_error():
        state = State.of(find_game(GAME), position)
    needed = tables_needed(position_in(state.words))
    only = {*needed, *(after for name in needed for after in tables_after(name))}
    tablebase = TablebaseFolder(folder, only=only).tablebase(GAME)
    unlimited = tablebase.unlimited_code_of(state) if tablebase is not None else None
    if tablebase is None or (unlimited is None and not _print_results(tablebase, state)):
        fail("No table contains this position. It must have no men in hand, allow flying, and its table must be built.")
    if unlimited is None:
        return
    solution = tablebase.solve(state)
    code = tablebase.code_of(state) if solution is None else solution.code
    words = _describe(code)
    if code is None:
        left = (state.game.rules.quiet_limit or 0) - state.quiet_plies
        words = f"{_describe(unlimited)}, unless {left} more quiet plies draw the match first"
    typer.echo(words)
    for move, answer in tablebase.answers(state).items() if state.outcome is None else ():
        mark = "*" if solution is not None and move in solution.moves else " "
        typer.echo(f"{mark} {state.format_move(move):<9} {_describe(answer, is_opponents=True)}")


def _print_results(tablebase: Tablebase, state: State) -> bool:
    """Print who wins, now and after each move, where no distance is known; return whether that is known."""
    verdicts = verdicts_on(tablebase, state)
    if verdicts.state is None:
        return False
    typer.echo(RESULTS[verdicts.state.result])
    for move, verdict in verdicts.moves.items():
        mark = "*" if verdict.result == verdicts.state.result else " "
        typer.echo(f"{mark} {state.format_move(move):<9} {RESULTS[verdict.result]}")
    return True


def _open_sound(
    folder: Path, names: Collection[str], show: Callable[[str], None]
) -> tuple[dict[str, StoredTable], dict[str, str]]:
    """Return the intact tables, and the faults of the others, by name. Before each table, `show` the progress."""
    stored, faults = dict[str, StoredTable](), dict[str, str]()
    began, done, sizes = perf_counter(), 0, {name: path_of(folder, name).stat().st_size for name in names}
    everything = sum(sizes.values())
    for number, (name, size) in enumerate(sizes.items(), 1):
        rest = _minutes_left(perf_counter() - began, done, everything)
        show(f"table {number} of {len(sizes)}, {name}: counting its results{rest}")
        try:
            stored[name] = _open_counted(folder, name)
        except (OSError, TablebaseError) as error:
            faults[name] = str(error)
        done += size
    return stored, faults


def _minutes_left(elapsed: float, done: float, everything: float) -> str:
    """Return the estimated remaining time, after a comma; empty if unknown."""
    if done in (0, everything):
        return ""
    return f", about {elapsed * (everything - done) / done / 60:.0f} minutes left"


def _open_counted(folder: Path, name: str) -> StoredTable:
    """Open a table and compare its counts with its header. Raises: OSError; TablebaseError if they differ."""
    stored, men = open_table(folder, name), men_of(name)
    census = count_results(make_numbering(), men, stored.codes, os.cpu_count() or 1)
    placements = comb(POINTS, men[0]) * comb(POINTS - men[0], men[1])
    if census != stored.header.census or census.positions != placements:
        raise TablebaseError(f"The counts of table {name} differ from its header. Build the table again.")
    return stored


def _check_by_moves(tablebase: Tablebase, name: str, stored: StoredTable) -> str:
    """Check entries of a table and return how many. Raises: TablebaseError if one is wrong."""
    codes, entries = stored.codes, stored.header.entries
    step = max(entries // CHECKED_ENTRIES, 1)
    wrong = find_wrong_entry(tablebase.index, men_of(name), codes, random.randrange(step), step)
    if wrong is not None:
        raise TablebaseError(f"Entry {wrong} of table {name} contradicts its moves. Build the table again.")
    return f"{entries // step:,} by moves, {_check_by_search(tablebase, name, entries)} by search"


def _line_of(name: str, stored: StoredTable, checked: str) -> str:
    census = stored.header.census
    return (
        f"{name:>5} {census.positions:>14,} {census.won:>13,} {census.drawn:>13,} {census.lost:>13,}"
        f" {census.longest_win:>4} {census.longest_loss:>4}  {checked}"
    )


def _check_by_search(tablebase: Tablebase, name: str, entries: int) -> int:
    """Check some entries by searches without tables, and return how many. Raises: TablebaseError."""
    men, game = men_of(name), find_game(GAME)
    for _ in range(SEARCHED_ENTRIES):
        entry = random.randrange(entries)
        words = position_of(tablebase.index.numbering, men, entry)
        state = State.of(game, game.texts.format_position(game.texts.parse_setup(""), words, 0, 0))
        if state.outcome is not None:
            continue
        limits = Limits(depth=SEARCHED_PLIES)
        found = analyse(state, limits, perf_counter, techniques=EXACT_TECHNIQUES)
        plies = WIN - abs(found.value)
        code = tablebase.code_of(state)
        is_near = code not in (None, DRAWN) and plies_of(code or 0) <= SEARCHED_PLIES
        if (plies <= SEARCHED_PLIES or is_near) and plies != plies_of(code or 0):
            raise TablebaseError(f"Entry {entry} of table {name} contradicts a search. Build the table again.")
    return SEARCHED_ENTRIES


def _describe(code: int | None, is_opponents: bool = False) -> str:
    """Describe the result of a position for the side to move, or for the opponent."""
    if code is None:
        return "unknown"
    if code == DRAWN:
        return "drawn"
    plies = plies_of(code)
    if is_won(code) != is_opponents:
        return f"won in {plies + is_opponents} {'ply' if plies + is_opponents == 1 else 'plies'}"
    return f"lost in {plies + is_opponents} plies"
