"""What `millrace tablebase build`, `verify` and `probe` print."""

import os
import random
from collections.abc import Callable, Iterable
from math import comb
from pathlib import Path
from time import perf_counter, time
from typing import NoReturn

import typer

from millrace.engine.analysis import Limits, analyse
from millrace.engine.game.techniques import EXACT_TECHNIQUES
from millrace.engine.games import find_game
from millrace.engine.games.morris.tablebase_index import make_numbering, men_of
from millrace.engine.state import State
from millrace.engine.tablebase.codes import DRAWN, is_won, plies_of
from millrace.engine.tablebase.pairs import Pair, pairs_up_to, parse_pair, tables_after, tables_of
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.verification import count_results, find_wrong_entry, position_of
from millrace.engine.transposition_table import WIN

from ..child_process import end_with_parent
from ..tablebases.build import build
from ..tablebases.table_files import (
    GAME,
    StoredTable,
    TablebaseError,
    TablebaseFolder,
    clear_unfinished,
    open_table,
    path_of,
    tables_in,
)
from .console import progress_after_a_while, refusals_as_lines

POINTS = 24
STEP_PLACEMENTS = 1_000_000
"""What the progress bar counts, since tables are of very different size."""

CHECKED_ENTRIES = 200_000
"""So many entries of each table are held against their moves."""

SEARCHED_ENTRIES = 6
"""For so many entries of each table the distance is searched without tables."""

SEARCHED_PLIES = 3
BACKGROUND_NICENESS = 19

NOT_ALL_CHECKED = 3
"""The exit code of a verifying that has found nothing wrong, but could not check all."""


def print_build(folder: Path, last: str, processes: int | None, is_background: bool) -> None:
    """Build the tables up to a pair and print each as it is done; exit with 1 if that fails."""
    with refusals_as_lines():
        pairs = pairs_up_to(parse_pair(last))
    if is_background:
        end_with_parent()
    clear_unfinished(folder, time())
    began = perf_counter()
    with progress_after_a_while("solving endings", sum(_steps_of(pair) for pair in pairs)) as advance:

        def say_solved(pair: Pair) -> None:
            megabytes = sum(path_of(folder, table).stat().st_size for table in tables_of(pair)) / 1e6
            typer.echo(f"{' and '.join(tables_of(pair))}: {megabytes:.1f} MB, {perf_counter() - began:.1f} s")
            for _ in range(_steps_of(pair)):
                advance()

        try:
            build(folder, pairs, processes or os.cpu_count() or 1, BACKGROUND_NICENESS * is_background, say_solved)
        except (OSError, TablebaseError) as error:
            _fail(str(error))
    typer.echo(f"The endings up to {last} are in {folder}.")


def print_verify(folder: Path) -> None:
    """Check every table and print what was counted; exit with 1 if any is not what it should be, or else with 3 if any
    could not be held against its moves, since a table that these lead to is missing."""
    names = tables_in(folder)
    if not names:
        _fail(f"There are no solved endings in {folder}.")
    typer.echo(
        f"{'table':>5} {'placements':>14} {'won':>13} {'drawn':>13} {'lost':>13} {'win':>4} {'loss':>4}  checked"
    )
    with progress_after_a_while("verifying", 2 * len(names)) as advance:
        stored, faults = _open_sound(folder, names, advance)
        tablebase = Tablebase(find_game(GAME), {name: sound.table for name, sound in stored.items()})
        is_all_checked = True
        for name, sound in stored.items():
            lacking = [after for after in tables_after(name) if after not in stored]
            checked = f"not by its moves, which need {' and '.join(lacking)}"
            is_all_checked &= not lacking
            try:
                if not lacking:
                    checked = _hold_against_moves(tablebase, name, sound)
                typer.echo(_line_of(name, sound, checked))
            except TablebaseError as error:
                faults[name] = str(error)
            advance()
    for name, fault in faults.items():
        typer.echo(f"{name:>5} {fault}")
    if faults or not is_all_checked:
        raise typer.Exit(1 if faults else NOT_ALL_CHECKED)


def print_probe(folder: Path, position: str) -> None:
    """Print how a position ends and what each of its moves leads to; exit with 1 if no table has it.

    Where the limit of quiet plies may come before the end, what the tables tell without it is printed.
    """
    with refusals_as_lines():
        state = State.of(find_game(GAME), position)
    tablebase = TablebaseFolder(folder).tablebase(GAME)
    unlimited = tablebase.unlimited_code_of(state) if tablebase is not None else None
    if tablebase is None or unlimited is None:
        _fail("No solved ending has this position. It needs: no men in hand, flying, and a table that has been built.")
    solution = tablebase.solve(state)
    code = tablebase.code_of(state) if solution is None else solution.code
    words = _describe(code)
    if code is None:
        left = (state.game.rules.quiet_limit or 0) - state.quiet_plies
        words = f"{_describe(unlimited)}, unless {left} more quiet plies draw the match before"
    typer.echo(words)
    for move, answer in tablebase.answers(state).items() if state.outcome is None else ():
        mark = "*" if solution is not None and move in solution.moves else " "
        typer.echo(f"{mark} {state.format_move(move):<9} {_describe(answer, is_opponents=True)}")


def _open_sound(
    folder: Path, names: Iterable[str], advance: Callable[[], None]
) -> tuple[dict[str, StoredTable], dict[str, str]]:
    """Return the tables that are what was written, and hold what was counted then, and what is wrong with the others,
    each by name; `advance` is called after each."""
    stored, faults = dict[str, StoredTable](), dict[str, str]()
    for name in names:
        try:
            stored[name] = _open_counted(folder, name)
        except (OSError, TablebaseError) as error:
            faults[name] = str(error)
        advance()
    return stored, faults


def _open_counted(folder: Path, name: str) -> StoredTable:
    """Open a table and count what it holds. Raises: OSError; TablebaseError if that is not what was counted before."""
    stored, men = open_table(folder, name), men_of(name)
    census = count_results(make_numbering(), men, stored.codes)
    if census != stored.header.census or census.positions != _placements_of(men):
        raise TablebaseError(f"The table {name} does not hold what was counted when it was built.")
    return stored


def _hold_against_moves(tablebase: Tablebase, name: str, stored: StoredTable) -> str:
    """Return how many entries of a table were checked. Raises: TablebaseError if one is wrong."""
    codes = stored.codes
    step = max(len(codes) // CHECKED_ENTRIES, 1)
    wrong = find_wrong_entry(tablebase.index, men_of(name), codes, random.randrange(step), step)
    if wrong is not None:
        raise TablebaseError(f"Entry {wrong} of the table {name} does not follow from its moves.")
    return f"{len(codes) // step:,} by moves, {_search_some(tablebase, name, len(codes))} by search"


def _line_of(name: str, stored: StoredTable, checked: str) -> str:
    census = stored.header.census
    return (
        f"{name:>5} {census.positions:>14,} {census.won:>13,} {census.drawn:>13,} {census.lost:>13,}"
        f" {census.longest_win:>4} {census.longest_loss:>4}  {checked}"
    )


def _search_some(tablebase: Tablebase, name: str, entries: int) -> int:
    """Hold some entries against searches without tables, and return how many. Raises: TablebaseError."""
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
            raise TablebaseError(f"Entry {entry} of the table {name} is not what a search finds.")
    return SEARCHED_ENTRIES


def _describe(code: int | None, is_opponents: bool = False) -> str:
    """Return in words how a position ends for the side to move, or for the side that has moved to it."""
    if code is None:
        return "unknown"
    if code == DRAWN:
        return "drawn"
    plies = plies_of(code)
    if is_won(code) != is_opponents:
        return f"won in {plies + is_opponents} {'ply' if plies + is_opponents == 1 else 'plies'}"
    return f"lost in {plies + is_opponents} plies"


def _placements_of(men: tuple[int, int]) -> int:
    """Return in how many ways so many men of the two sides can stand."""
    return comb(POINTS, men[0]) * comb(POINTS - men[0], men[1])


def _steps_of(pair: Pair) -> int:
    return 1 + len(tables_of(pair)) * _placements_of(pair) // STEP_PLACEMENTS


def _fail(words: str) -> NoReturn:
    typer.echo(f"millrace: {words}", err=True)
    raise typer.Exit(1) from None
