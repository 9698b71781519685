"""Retrograde analysis: solves endgames of Nine Men's Morris backwards from their ends, two tables at a time.

A quiet move leads from the table u-t to t-u and back, so that these two are solved together. A capture leads to
(t-1)-u, which was solved before and is passed in. No files or clock.

The method is Thompson's (1986), as Gasser used it for this game (1996). Each entry starts with the number of its quiet
moves and the best result of its captures (`initialisation`). Then, distance by distance, each settled entry updates its
predecessors (`settling`). The remaining entries are draws. See chessprogramming.org/Retrograde_Analysis.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel, to_signed
from ..game import TableBytes
from ..games.morris.table_exceptions import TOO_LONG, exceptions_of
from ..games.morris.tablebase_index import Numbering, entries_of, men_of
from .codes import LOST_NOW
from .initialisation import ClassMoves, initialise_classes, new_class_moves
from .pairs import Pair, tables_of
from .settling import settle_classes
from .solving_table import CODE_MASK, WORD_BYTES, Scratch, SolvingTable, new_scratch, new_table
from .tables import Codes

CHUNK_ENTRIES = 1 << 19
"""Approximate number of entries that a thread takes at a time."""

MAX_CHUNKS = 64
"""Maximum number of shares of a table."""

_Scratch = TypeVar("_Scratch")
_Result = TypeVar("_Result")


class Step(NamedTuple):
    """The result of one step of solving a pair."""

    code: int
    """The code whose entries were settled; 0 for the initialisation of a table."""
    settled: int


class PairSolver:
    """Solves the table `men` and its mirror.

    `smaller` are the tables that captures lead to from each of the two: `(men[1] - 1, men[0])` and `(men[0] - 1,
    men[1])`, empty where those captures win.
    """

    def __init__(self, numbering: Numbering, men: Pair, smaller: tuple[Codes, Codes], threads: int = 1) -> None:
        self._numbering = numbering
        self._smaller = smaller
        self._table = new_table(numbering, men)
        self._mirror = self._table if men[0] == men[1] else new_table(numbering, men[::-1])
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads)
        self._scratches = {id(table): _queue_of(new_scratch(table) for _ in range(threads)) for table in self._tables}

    def steps(self) -> Iterator[Step]:
        """Solve the pair, yielding after each distance."""
        with self._pool:
            for table, smaller in zip(self._tables, self._smaller, strict=False):
                self._initialise(table, smaller)
                yield Step(0, 0)
            yield from self._settle()

    def tables(self) -> Iterator[TableBytes]:
        """Yield the solved tables: two, or one where both sides have the same number of men."""
        return (_packed(table.words) for table in self._tables)

    @property
    def _tables(self) -> tuple[SolvingTable, ...]:
        return (self._table,) if self._mirror is self._table else (self._table, self._mirror)

    def _settle(self) -> Iterator[Step]:
        """Settle one distance after the other, until nothing is left to wait for."""
        code, last_settled = LOST_NOW, LOST_NOW
        while code <= last_settled + 1 or self._is_due_from(code):
            # Codes of 2047 plies would not fit a word; the longest win of the game takes a tenth of that.
            assert code < CODE_MASK
            settled = self._settle_in(self._table, self._mirror, code)
            if self._mirror is not self._table:
                settled += self._settle_in(self._mirror, self._table, code)
            if settled:
                last_settled = code
            yield Step(code, settled)
            code += 1

    def _is_due_from(self, code: int) -> bool:
        """Return whether captures may settle an entry with this code or a larger one."""
        return any(bool(np.any((table.next_due >= code) & (table.next_due < CODE_MASK))) for table in self._tables)

    def _initialise(self, table: SolvingTable, smaller: Codes) -> None:
        def initialise(moves: ClassMoves, first: int, end: int) -> None:
            initialise_classes(self._numbering, table, smaller, moves, first, end)

        self._share_out(table, _queue_of(new_class_moves(table) for _ in range(self._threads)), initialise)

    def _settle_in(self, table: SolvingTable, before: SolvingTable, code: int) -> int:
        def settle(scratch: Scratch, first: int, end: int) -> int:
            return int(settle_classes(self._numbering, table, before, scratch, code, first, end))

        return sum(self._share_out(table, self._scratches[id(table)], settle))

    def _share_out(
        self, table: SolvingTable, scratches: "SimpleQueue[_Scratch]", work: Callable[[_Scratch, int, int], _Result]
    ) -> list[_Result]:
        """Let the threads work on all classes of a table, in shares; return the results."""
        classes = len(table.words) // len(table.sets)
        chunks = min(max(len(table.words) // CHUNK_ENTRIES, 1), MAX_CHUNKS, classes)
        bounds = [classes * at // chunks for at in range(chunks + 1)]

        def work_on(first: int, end: int) -> _Result:
            scratch = scratches.get()
            try:
                return work(scratch, first, end)
            finally:
                scratches.put(scratch)

        return list(self._pool.map(work_on, bounds[:-1], bounds[1:]))


def memory_of(numbering: Numbering, pair: Pair) -> int:
    """Return the bytes of memory for solving a pair: the words, and one of the two tables being written."""
    sizes = [entries_of(numbering, *men_of(table)) for table in tables_of(pair)]
    return sum(sizes) * WORD_BYTES + max(sizes)


def _queue_of(items: Iterable[_Scratch]) -> "SimpleQueue[_Scratch]":
    queue: SimpleQueue[_Scratch] = SimpleQueue()
    for item in items:
        queue.put(item)
    return queue


def _packed(words: NDArray[np.uint32]) -> TableBytes:
    """Return the table of solved words."""
    table = np.empty(len(words), dtype=np.uint8)
    if write_codes(words, table) == 0:
        return table
    long = np.flatnonzero(table == TOO_LONG)
    return np.concatenate([table, exceptions_of(long, words[long].astype(np.int64) & CODE_MASK)])


@kernel
def write_codes(words: NDArray[np.uint32], table: TableBytes) -> int:
    """Write the byte of each entry; return the number of exceptions."""
    exceptions = 0
    for entry in range(words.shape[0]):
        code = to_signed(words[entry]) & CODE_MASK
        exceptions += 1 if code >= TOO_LONG else 0
        table[entry] = min(code, TOO_LONG)
    return exceptions
