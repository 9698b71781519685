"""Builds tablebases pair by pair, with all threads on each, skipping existing tables.

Each pair is saved when it is solved, so a killed build continues with the next one.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from millrace.engine.games.morris.tablebase_index import LEAST_MEN, entries_of, make_numbering, men_of, table_name
from millrace.engine.tablebase.pairs import Pair, pairs_below, tables_of
from millrace.engine.tablebase.retrograde_analysis import PairSolver, Step, memory_of
from millrace.engine.tablebase.tables import NO_CODES, Codes, codes_of
from millrace.engine.tablebase.verification import count_results

from .table_files import HEADER_BYTES, TablebaseError, has_table, open_table, write_table

BASE_BYTES = 400_000_000
"""Memory of the process without tables: the interpreter, compiled kernels and the numbering of positions."""

MEMORY_FILE = Path("/proc/meminfo")
AVAILABLE = "MemAvailable:"
KIBIBYTE = 1024


class Needs(NamedTuple):
    """A build's needs, in bytes."""

    memory: int
    """The process's own memory while it solves the largest pair."""
    mapped: int
    """The tables below the largest pair, which are read at random while its tables are initialised."""
    disk: int


def missing_pairs(folder: Path, pairs: tuple[Pair, ...], checked: Callable[[Pair], None]) -> tuple[Pair, ...]:
    """Return the pairs that are missing, damaged or outdated, calling `checked` after each pair."""
    missing = []
    for pair in pairs:
        if not all(has_table(folder, table) for table in tables_of(pair)):
            missing.append(pair)
        checked(pair)
    return tuple(missing)


def needs_of(pairs: tuple[Pair, ...]) -> Needs:
    """Return the needs of building these pairs."""
    if not pairs:
        return Needs(0, 0, 0)
    numbering = make_numbering()
    largest = max(pairs, key=lambda pair: memory_of(numbering, pair))
    return Needs(
        BASE_BYTES + memory_of(numbering, largest),
        sum(bytes_of(pair) for pair in pairs_below(largest)),
        sum(bytes_of(pair) for pair in pairs),
    )


def refuse_unless_there_is_room(folder: Path, needs: Needs) -> None:
    """Raise a TablebaseError if the machine has too little memory available, or the disk too little space."""
    available = available_memory()
    if available is not None and available < needs.memory + needs.mapped:
        raise TablebaseError(
            f"Building takes {_in_gigabytes(needs.memory + needs.mapped)} of memory, and {_in_gigabytes(available)} "
            "are available. End other programs, or build fewer tables."
        )
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(existing).free
    if free < needs.disk:
        raise TablebaseError(
            f"The tables take {_in_gigabytes(needs.disk)}, and the disk of {folder} has {_in_gigabytes(free)} free. "
            "Free some space, or build fewer tables."
        )


def available_memory() -> int | None:
    """Return the bytes of memory that a new program can use, or None where the system does not say."""
    try:
        lines = MEMORY_FILE.read_text().splitlines()
    except OSError:
        return None
    sizes = [line.split()[1] for line in lines if line.startswith(AVAILABLE)]
    return int(sizes[0]) * KIBIBYTE if sizes else None


def solve_and_write(
    folder: Path, pair: Pair, threads: int, on_step: Callable[[Step], None] = lambda _step: None
) -> None:
    """Solve a pair and write its tables, calling `on_step` after each distance.

    Raises: OSError; TablebaseError if tables that it depends on are missing.
    """
    numbering = make_numbering(max(pair))
    smaller = (_table_below(folder, pair), _table_below(folder, pair[::-1]))
    solver = PairSolver(numbering, pair, smaller, threads)
    for step in solver.steps():
        on_step(step)
    for table, content in zip(tables_of(pair), solver.tables(), strict=True):
        men = men_of(table)
        codes = codes_of(content, entries_of(numbering, *men))
        write_table(folder, table, content, count_results(numbering, men, codes, threads))


def bytes_of(pair: Pair) -> int:
    """Return the size of a pair's files, apart from exceptions."""
    numbering = make_numbering()
    return sum(HEADER_BYTES + entries_of(numbering, *men_of(table)) for table in tables_of(pair))


def be_nice(niceness: int) -> None:
    """Yield the processors to other programs, where possible."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def _table_below(folder: Path, men: Pair) -> Codes:
    """Return the table that captures lead to from positions with `men`; an empty one if a capture wins at once."""
    mover_men, opponent_men = men
    if opponent_men == LEAST_MEN:
        return NO_CODES
    return open_table(folder, table_name(opponent_men - 1, mover_men)).codes


def _in_gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
