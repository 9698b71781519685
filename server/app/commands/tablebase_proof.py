"""The command `millrace tablebase prove`: the value of a position in the placing phase."""

import os
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from time import perf_counter

import typer

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.engine.tablebase.placing_proof import (
    DRAW,
    FIRST_MOVES,
    MISSING_TABLE,
    MOST_FIRST_MOVES,
    NODES,
    PROBES,
    SHOULD_STOP,
    WIN,
    YES,
    ProofSearch,
    new_search,
    position_in,
    proved_with,
    reaches,
    tables_needed,
    value_of,
)
from millrace.engine.tablebase.small_edition import Endings, open_endings
from millrace.engine.tablebase.verification import FLYING

from ...bots.tablebases.folder import TablebaseFolder
from ...bots.tablebases.opening_file import LEAST_IN_HAND, opening_path, write_opening
from ...bots.tablebases.small_files import small_tables_in
from ...bots.tablebases.table_files import GAME
from .output import exit_on_engine_error, fail, status_after_a_while

QUESTIONS = {DRAW: "at least a draw", WIN: "a win"}
RESULTS = {1: "won", 0: "a draw", -1: "lost"}
SECONDS_BETWEEN_REPORTS = 0.5


def print_proof(folder: Path, position: str, megabytes: int) -> None:
    """Print the value of a position while men are in hand, and the work it took."""
    with exit_on_engine_error():
        state = State.of(find_game(GAME), position)
    needed = tables_needed(position_in(state.words))
    tablebase = TablebaseFolder(folder, only=needed).tablebase(GAME)
    full, small = {} if tablebase is None else tablebase.tables, small_tables_in(folder)
    lacking = [name for name in needed if name not in full and name not in small]
    if state.outcome is not None or not int(state.words[2]):
        fail("There are no men in hand: use `millrace tablebase probe` for this position.")
    if int(state.start.board.options[0]) != 1:
        fail("The tables are for matches with flying.")
    if lacking:
        fail(
            f"The proof needs {len(needed)} tables, and {len(lacking)} are missing: {', '.join(lacking)}. Build them "
            "with `millrace tablebase build`."
        )
    searches = {least: new_search(megabytes // len(QUESTIONS)) for least in QUESTIONS}
    answers = _answer_all(open_endings(full, small), state, searches)
    value = value_of(answers[DRAW], answers[WIN])
    assert value is not None
    nodes, probes = (sum(int(search.counters[which]) for search in searches.values()) for which in (NODES, PROBES))
    side = state.game.seat_names[state.seat]
    if not position:
        _write_opening(folder, searches)
    typer.echo(f"The position is {RESULTS[value]} for {side}: {nodes:,} nodes, {probes:,} of them in the tables.")


def _write_opening(folder: Path, searches: dict[int, ProofSearch]) -> None:
    answers = {least: proved_with(search, LEAST_IN_HAND) for least, search in searches.items()}
    size, number = write_opening(folder, answers), sum(map(len, answers.values()))
    typer.echo(
        f"What this shows of {number:,} positions with {LEAST_IN_HAND} or more men in hand is kept in "
        f"{opening_path(folder)} ({size / 1e6:.1f} MB)."
    )


def _answer_all(endings: Endings, state: State, searches: dict[int, ProofSearch]) -> dict[int, int]:
    """Answer both questions at the same time, print each answer when it is found, and return them."""
    began = perf_counter()
    answers = dict[int, int]()
    with status_after_a_while() as show, ThreadPoolExecutor(min(len(searches), os.cpu_count() or 1)) as pool:
        running: dict[Future[int], int] = {
            pool.submit(reaches, endings, FLYING, search, position_in(state.words), least): least
            for least, search in searches.items()
        }
        try:
            while running:
                for done in wait(running, timeout=SECONDS_BETWEEN_REPORTS, return_when="FIRST_COMPLETED").done:
                    least = running.pop(done)
                    answers[least] = done.result()
                    typer.echo(_line_of(state, least, answers[least], searches[least], perf_counter() - began))
                show(", ".join(_progress_of(searches[least], least) for least in running.values()))
        finally:
            for search in searches.values():
                search.counters[SHOULD_STOP] = 1
    assert all(search.counters[MISSING_TABLE] == 0 for search in searches.values())
    return answers


def _line_of(state: State, least: int, answer: int, search: ProofSearch, seconds: float) -> str:
    side = state.game.seat_names[state.seat]
    verb = "reaches" if answer == YES else "does not reach"
    nodes = int(search.counters[NODES])
    return f"{side} {verb} {QUESTIONS[least]}: {nodes:,} nodes, {seconds:.1f} s"


def _progress_of(search: ProofSearch, least: int) -> str:
    nodes, first, most = (int(search.counters[which]) for which in (NODES, FIRST_MOVES, MOST_FIRST_MOVES))
    return f"{QUESTIONS[least]}: move {first + 1} of {most}, {nodes:,} nodes"
