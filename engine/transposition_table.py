"""The transposition table: what a search already knows of positions, by 64-bit key, in one NumPy array.

Not a search: it only keeps what searches have found. See chessprogramming.org/Transposition_Table.

An entry is two words. The content is `move | value << 16 | depth << 32 | bound << 40 | generation << 48`, value counted
from -32768 and all else from 0; before it stands the key with the content's bits flipped in it. Four neighbouring
entries make a bucket, one cache line.

So several threads may read and write one table without locks (Hyatt and Mann, A lock-less transposition table
implementation, 2002): where two writers have left one word each, the words do not yield the key of either, and the
entry is taken for absent.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .bits import kernel, prefetch_row, to_count

Entries: TypeAlias = NDArray[np.uint64]
"""A table: shape `(entries, 2)`, the number of entries a power of two."""

NO_BOUND = 0
LOWER_BOUND = 1
UPPER_BOUND = 2
EXACT = 3
"""Both bounds at once, as bits."""

WIN = 30000
"""The value of a won position; a win in n plies is value `WIN - n` to the mover, a loss in n plies `n - WIN`."""

MAX_WIN_PLIES = 1000
PROVEN = WIN - MAX_WIN_PLIES
"""Values beyond this, in either direction, are wins and losses that the search has seen to the end."""

ABSENT = np.uint64(0)

ENTRY_BYTES = 16
BUCKET_ENTRIES = 4
WORDS_IN_A_LINE = 8
GENERATIONS = 256
PLIES_PER_GENERATION = 8
"""An entry loses this many plies of depth in the choice of what to replace for each search since it was written."""


class Histories(NamedTuple):
    """What a search leaves to the next one of the same match besides entries: see `engine.search.histories`."""

    history: NDArray[np.int32]
    corrections: NDArray[np.int32]
    seat: int
    """The seat that moved at its root, from which the rows of `history` count the seats."""


@dataclass(slots=True)
class TranspositionTable:
    """A table with the number of the search that is filling it, by which older entries give way."""

    entries: Entries
    generation: int = 0
    histories: Histories | None = None
    """Of the latest search; None before the first."""

    def begin_search(self) -> None:
        """Count another search."""
        self.generation = (self.generation + 1) % GENERATIONS

    def clear(self) -> None:
        """Forget everything. All of a new table's memory is laid out by that, which would else cost searches time."""
        self.entries.fill(0)
        self.generation = 0
        self.histories = None


def new_table(megabytes: int) -> TranspositionTable:
    """Return an empty table of at most so many MiB, a power of two of entries."""
    entries = 1 << ((megabytes << 20) // ENTRY_BYTES).bit_length() - 1
    words = np.zeros(2 * entries + WORDS_IN_A_LINE, dtype=np.uint64)
    first = -words.ctypes.data // words.itemsize % WORDS_IN_A_LINE
    return TranspositionTable(words[first : first + 2 * entries].reshape(entries, 2))


@kernel
def prefetch_entry(entries: Entries, key: np.uint64) -> None:
    """Have the entries among which that of a key will be looked for brought near."""
    prefetch_row(entries, to_count(key & np.uint64(entries.shape[0] - BUCKET_ENTRIES)))


@kernel
def find_entry(entries: Entries, key: np.uint64) -> np.uint64:
    """Return what is known of the position of that key, or `ABSENT`."""
    first = to_count(key & np.uint64(entries.shape[0] - BUCKET_ENTRIES))
    for index in range(first, first + BUCKET_ENTRIES):
        content = entries[index, 1]
        if entries[index, 0] ^ content == key:
            return content  # type: ignore[no-any-return]
    return ABSENT


@kernel
def store_entry(entries: Entries, key: np.uint64, content: np.uint64) -> None:
    """Write an entry over an older one of the same key, or over the least valuable one of its bucket.

    An entry without a move inherits that of the older one of its key.
    """
    first = to_count(key & np.uint64(entries.shape[0] - BUCKET_ENTRIES))
    chosen, least = first, 1 << 30
    for index in range(first, first + BUCKET_ENTRIES):
        older = entries[index, 1]
        if entries[index, 0] ^ older == key:
            if entry_move(content) == 0:
                content |= older & np.uint64(0xFFFF)
            chosen = index
            break
        age = (entry_generation(content) - entry_generation(older)) % GENERATIONS
        value = entry_depth(older) - PLIES_PER_GENERATION * age
        if value < least:
            chosen, least = index, value
    entries[chosen, 0] = key ^ content
    entries[chosen, 1] = content


@kernel
def make_entry(move: int, value: int, depth: int, bound: int, generation: int) -> np.uint64:
    """Return the content of an entry; `value` is counted from its own position, see `value_from_position`."""
    return (
        np.uint64(move)
        | np.uint64(value + 32768) << np.uint64(16)
        | np.uint64(depth) << np.uint64(32)
        | np.uint64(bound) << np.uint64(40)
        | np.uint64(generation) << np.uint64(48)
    )


@kernel
def entry_move(content: np.uint64) -> int:
    """Return the best move known, or 0."""
    return to_count(content & np.uint64(0xFFFF))


@kernel
def entry_value(content: np.uint64) -> int:
    """Return the value, a win's distance counted from the entry's position."""
    return to_count(content >> np.uint64(16) & np.uint64(0xFFFF)) - 32768


@kernel
def entry_depth(content: np.uint64) -> int:
    """Return the depth in plies to which the value holds."""
    return to_count(content >> np.uint64(32) & np.uint64(0xFF))


@kernel
def entry_bound(content: np.uint64) -> int:
    """Return which side the value bounds the truth from."""
    return to_count(content >> np.uint64(40) & np.uint64(0xFF))


@kernel
def entry_generation(content: np.uint64) -> int:
    """Return the number of the search that wrote the entry, modulo `GENERATIONS`."""
    return to_count(content >> np.uint64(48) & np.uint64(0xFF))


@kernel
def value_from_position(value: int, ply: int) -> int:
    """Return a value of the search with a win's distance counted from a position `ply` plies below the root."""
    if value > PROVEN:
        return value + ply
    return value - ply if value < -PROVEN else value


@kernel
def value_from_root(value: int, ply: int) -> int:
    """Return what `value_from_position` was given."""
    if value > PROVEN:
        return value - ply
    return value + ply if value < -PROVEN else value


@kernel
def settles(content: np.uint64, depth: int, beta: int, ply: int, plies_left: int) -> bool:
    """Return whether an entry, or `ABSENT`, says whether a node's value is below the `beta` of a closed window.

    The node is `ply` plies below the root, and to be searched to a `depth` of more than 0. A win or a loss in more than
    `plies_left` plies, before which the match may be drawn, settles nothing: it may have been found where more were
    left.
    """
    value = entry_value(content)
    if abs(value) > PROVEN and WIN - abs(value) > plies_left:
        return False
    value = value_from_root(value, ply)
    bound = LOWER_BOUND if value >= beta else UPPER_BOUND
    return entry_depth(content) >= depth and entry_bound(content) & bound > 0
