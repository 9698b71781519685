"""The small edition of a tablebase: who wins, without distances, from compressed tables (`result_coding`)."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import count_cells, kernel
from ..game import TableBytes
from ..games.morris.position import MEN, MorrisBoard, MorrisPosition
from ..games.morris.tablebase_index import (
    COUNTS,
    LEAST_MEN,
    MorrisTablebaseIndex,
    Numbering,
    entries_of,
    entry_of,
    make_numbering,
    men_of,
    open_tables,
    probe,
)
from .codes import DRAWN, is_won
from .result_coding import BLOCK_ENTRIES, CONTEXTS, DRAW, LOSS, MODELS, WIN, blocks_of, bounds_in, decode_result
from .result_coding import find_difference as search_difference
from .tables import Codes

NOT_FOUND = -1
"""The result of a position in no table."""


class SmallIndex(NamedTuple):
    """The opened compressed tables, for kernels."""

    numbering: Numbering
    addresses: NDArray[np.uint64]
    """The memory address of each table, by the mover's and the opponent's men; 0 where there is no table."""
    blocks: NDArray[np.int64]
    """The number of blocks of each table."""
    numbers: NDArray[np.int64]
    """Where the bounds of each table are in `bounds`."""
    bounds: NDArray[np.int64]
    """Of all tables: shape `(tables, models, contexts, 2)`."""
    nothing: NDArray[np.uint8]
    """An empty array."""


class Endings(NamedTuple):
    """Both editions: positions are looked up in the full one first."""

    full: MorrisTablebaseIndex
    small: SmallIndex


def open_endings(full: Mapping[str, TableBytes], small: Mapping[str, TableBytes]) -> Endings:
    """Return the index of tables, by name. The caller keeps the arrays alive while it uses the index."""
    index = open_tables(full)
    assert isinstance(index, MorrisTablebaseIndex)
    return Endings(index, open_small(small))


def open_small(tables: Mapping[str, TableBytes]) -> SmallIndex:
    """Return the index of compressed tables, by name. The caller keeps the arrays alive while it uses the index."""
    addresses = np.zeros((COUNTS, COUNTS), dtype=np.uint64)
    blocks, numbers = np.zeros((2, COUNTS, COUNTS), dtype=np.int64)
    men = [men_of(name) for name in tables]
    numbering = make_numbering(max((max(pair) for pair in men), default=LEAST_MEN))
    for number, (pair, table) in enumerate(zip(men, tables.values(), strict=True)):
        addresses[pair] = table.ctypes.data
        blocks[pair], numbers[pair] = blocks_of(entries_of(numbering, *pair)), number
    bounds = [bounds_in(table) for table in tables.values()] or [np.zeros((MODELS, CONTEXTS, 2), dtype=np.int64)]
    return SmallIndex(numbering, addresses, blocks, numbers, np.stack(bounds), np.zeros(0, dtype=np.uint8))


def find_difference(table: TableBytes, codes: Codes) -> int | None:
    """Return an entry whose compressed result differs from the table, or None."""
    blocks = blocks_of(len(codes.table))
    decoded = np.zeros(BLOCK_ENTRIES, dtype=np.uint8)
    entry = search_difference(codes, bounds_in(table), np.uint64(table.ctypes.data), blocks, decoded)
    return None if entry < 0 else int(entry)


@kernel
def probe_result(endings: Endings, board: MorrisBoard, position: MorrisPosition) -> int:
    """Return the result of a position without men in hand for the mover, or `NOT_FOUND`; without flying, nothing is."""
    mover_men, opponent_men = count_cells(position.mover), count_cells(position.opponent)
    if mover_men > MEN or opponent_men > MEN or board.options[0] != np.uint64(1):
        return NOT_FOUND
    if endings.full.addresses[mover_men, opponent_men] != np.uint64(0):
        code = probe(endings.full, board, position)
        if code == DRAWN:
            return DRAW
        return WIN if is_won(code) else LOSS
    small = endings.small
    address = small.addresses[mover_men, opponent_men]
    if address == np.uint64(0):
        return NOT_FOUND
    entry = entry_of(small.numbering, position.mover, position.opponent)
    bounds = small.bounds[small.numbers[mover_men, opponent_men]]
    return decode_result(bounds, address, small.blocks[mover_men, opponent_men], entry, small.nothing)
