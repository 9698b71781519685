"""The transposition table: search results by 64-bit position key, in one NumPy array.

See chessprogramming.org/Transposition_Table.

An entry is two words. The second is its content, `move | value << 16 | depth << 32 | bound << 40 | generation << 48`,
with the value offset by 32768. The first is the key XOR the content. Four neighbouring entries form a bucket, one cache
line.

Several threads read and write one table without locks (Hyatt and Mann, A lock-less transposition table implementation,
2002): if two writers leave one word each, their XOR equals neither key, and the entry counts as absent.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .bits import kernel, prefetch_row, to_count

Entries: TypeAlias = NDArray[np.uint64]
"""The entries of a table: shape `(entries, 2)`, the number of entries a power of two."""

LOWER_BOUND = 1
UPPER_BOUND = 2
EXACT = 3
"""Both bounds, as bits."""

WIN = 30000
"""The value of a won position. A win in n plies has the value `WIN - n` for the mover, a loss in n plies `n - WIN`."""

MAX_WIN_PLIES = 1000
PROVEN = WIN - MAX_WIN_PLIES
"""Values beyond this, in either direction, are wins and losses that the search has proven."""

ABSENT = np.uint64(0)

ENTRY_BYTES = 16
SAMPLED_ENTRIES = 4_000
BUCKET_ENTRIES = 4
WORDS_IN_A_LINE = 8
GENERATIONS = 256
MAX_SUBTREE_NODES = (1 << 16) - 1
"""Larger subtrees count as equal in a table of two levels."""
PLIES_PER_GENERATION = 8
"""In the choice of the entry to replace, an entry loses this many plies of depth for each search since it was
written."""


class Histories(NamedTuple):
    """The histories that a search passes on to the next one of the same match: see `engine.search.histories`."""

    history: NDArray[np.int32]
    corrections: NDArray[np.int32]
    seat: int
    """The seat to move at the root of that search; the rows of `history` count seats from it."""


@dataclass(slots=True)
class TranspositionTable:
    """A table and the number of the search that fills it, which ages entries."""

    entries: Entries
    generation: int = 0
    histories: Histories | None = None
    """The histories of the latest search; None before the first."""

    def begin_search(self) -> None:
        """Start another generation of entries."""
        self.generation = (self.generation + 1) % GENERATIONS

    def fill_permille(self) -> int:
        """Return the filled part of the table in thousandths, from its first entries."""
        sample = self.entries[:SAMPLED_ENTRIES, 1]
        return int(1000 * np.count_nonzero(sample) // len(sample))

    def clear(self) -> None:
        """Remove all entries and histories. For a new table this also allocates its memory, which would otherwise slow
        down the first search."""
        self.entries.fill(0)
        self.generation = 0
        self.histories = None


def new_table(megabytes: int) -> TranspositionTable:
    """Return an empty table of at most this size, with a power of two of entries."""
    entries = 1 << ((megabytes << 20) // ENTRY_BYTES).bit_length() - 1
    words = np.zeros(2 * entries + WORDS_IN_A_LINE, dtype=np.uint64)
    first = -words.ctypes.data // words.itemsize % WORDS_IN_A_LINE
    return TranspositionTable(words[first : first + 2 * entries].reshape(entries, 2))


@kernel
def prefetch_entry(entries: Entries, key: np.uint64) -> None:
    """Prefetch the bucket of a key."""
    prefetch_row(entries, to_count(key & np.uint64(entries.shape[0] - BUCKET_ENTRIES)))


@kernel
def find_entry(entries: Entries, key: np.uint64) -> np.uint64:
    """Return the content of the entry of a key, or `ABSENT`."""
    first = to_count(key & np.uint64(entries.shape[0] - BUCKET_ENTRIES))
    for index in range(first, first + BUCKET_ENTRIES):
        content = entries[index, 1]
        if entries[index, 0] ^ content == key:
            return content  # type: ignore[no-any-return]
    return ABSENT


@kernel
def store_entry(entries: Entries, key: np.uint64, content: np.uint64) -> None:
    """Write an entry over an older one of the same key, or over the least valuable one of its bucket.

    An entry without a move keeps the move of an older one of the same key.
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
def find_in_two_levels(entries: Entries, key: np.uint64) -> np.uint64:
    """Return the content of the entry of a key, or `ABSENT`, in a table of two levels."""
    first = to_count(key & np.uint64(entries.shape[0] - 2))
    for index in range(first, first + 2):
        content = entries[index, 1]
        if entries[index, 0] ^ content == key:
            return content  # type: ignore[no-any-return]
    return ABSENT


@kernel
def store_in_two_levels(entries: Entries, key: np.uint64, content: np.uint64) -> None:
    """Write an entry to a table of two levels, where it counts the nodes of its subtree instead of generations.

    The first level keeps the larger subtree, which moves to the second if a larger one comes; the second always takes
    the latest (TwoBig1: Breuker, Uiterwijk and van den Herik, Replacement schemes for transposition tables, 1994).
    """
    big = to_count(key & np.uint64(entries.shape[0] - 2))
    latest, size = big + 1, content >> np.uint64(48)
    is_known = entries[big, 0] ^ entries[big, 1] == key
    if not is_known and size < entries[big, 1] >> np.uint64(48):
        big = latest
    elif not is_known:
        entries[latest, 0], entries[latest, 1] = entries[big, 0], entries[big, 1]
    entries[big, 0] = key ^ content
    entries[big, 1] = content


@kernel
def make_entry(move: int, value: int, depth: int, bound: int, generation: int) -> np.uint64:
    """Return the content of an entry. Its `value` counts a win's distance from the entry's position: see
    `value_from_position`."""
    return (
        np.uint64(move)
        | np.uint64(value + 32768) << np.uint64(16)
        | np.uint64(depth) << np.uint64(32)
        | np.uint64(bound) << np.uint64(40)
        | np.uint64(generation) << np.uint64(48)
    )


@kernel
def entry_move(content: np.uint64) -> int:
    """Return the best move, or 0 if none is known."""
    return to_count(content & np.uint64(0xFFFF))


@kernel
def entry_value(content: np.uint64) -> int:
    """Return the value, with a win's distance counted from the entry's position."""
    return to_count(content >> np.uint64(16) & np.uint64(0xFFFF)) - 32768


@kernel
def entry_depth(content: np.uint64) -> int:
    """Return the depth of the search, in plies."""
    return to_count(content >> np.uint64(32) & np.uint64(0xFF))


@kernel
def entry_bound(content: np.uint64) -> int:
    """Return which bound the value is."""
    return to_count(content >> np.uint64(40) & np.uint64(0xFF))


@kernel
def entry_generation(content: np.uint64) -> int:
    """Return the generation of the entry, modulo `GENERATIONS`."""
    return to_count(content >> np.uint64(48) & np.uint64(0xFF))


@kernel
def value_from_position(value: int, ply: int) -> int:
    """Return a value of the search with a win's distance counted from a position `ply` plies below the root."""
    if value > PROVEN:
        return value + ply
    return value - ply if value < -PROVEN else value


@kernel
def value_from_root(value: int, ply: int) -> int:
    """Return the inverse of `value_from_position`."""
    if value > PROVEN:
        return value - ply
    return value + ply if value < -PROVEN else value


@kernel
def settles(content: np.uint64, depth: int, beta: int, ply: int, plies_left: int) -> bool:
    """Return whether an entry, or `ABSENT`, gives a cutoff: it tells whether a node's value is below the `beta` of a
    null window.

    The node is `ply` plies below the root, with a `depth` above 0. A win or loss in more than `plies_left` plies, when
    the match may be drawn by quiet plies, gives no cutoff: it may have been found when more plies were left.
    """
    value = entry_value(content)
    if abs(value) > PROVEN and WIN - abs(value) > plies_left:
        return False
    value = value_from_root(value, ply)
    bound = LOWER_BOUND if value >= beta else UPPER_BOUND
    return entry_depth(content) >= depth and entry_bound(content) & bound > 0
