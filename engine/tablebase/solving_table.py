"""A table of Nine Men's Morris being solved: one word per entry, and data about blocks of them.

A word says whether an entry is settled, and what it is waiting for:

    bits  0..10   its code; 0 while it is not settled
    bits 11..21   the best code by captures alone: a win, or else the longest loss; 0 for none
    bits 22..31   16 times the number of quiet moves not yet known to lose, or `NEVER_LOST`

Entries are settled distance by distance. So that a pass need not read all entries, each class of the mover's men has
blocks of 64 entries, and each block records the distances at which it must be read.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import NO_CELLS, Bitboard, kernel
from ..games.morris.points import POINTS
from ..games.morris.symmetries import SYMMETRIES
from ..games.morris.tablebase_index import Numbering, entries_of, next_set

CODE_MASK = 2047
DUE_SHIFT = 11
MOVES_SHIFT = 22
NEVER_LOST = 1023
"""The count of remaining moves if a capture draws or wins, so that quiet moves cannot make it a loss."""

FLYING_MEN = 3
"""A side with this many men flies (1.4); captures that leave fewer win (1.7)."""

BLOCK_ENTRIES = 64
NO_DUE = CODE_MASK
"""The next distance of a block that waits for none."""

WORD_BYTES = 4
REPORTS_ON_THE_WAY = 32
"""Number of buffered updates, while their entries are fetched from memory: a power of two."""


class SolvingTable(NamedTuple):
    """A table that is being solved."""

    mover_men: int
    opponent_men: int
    sets: NDArray[np.uint64]
    """The opponent's sets in order of their numbers, packed into the points that the mover leaves free."""
    words: NDArray[np.uint32]
    ready: NDArray[np.uint8]
    """By parity of the distance and block: 1 if an entry of the block is settled with the next code of that parity."""
    next_due: NDArray[np.uint16]
    """By block: the smallest code by captures of an entry that is not settled."""


class Scratch(NamedTuple):
    """A thread's data while it settles entries of a table."""

    targets: NDArray[np.int64]
    """For one class of the mover's men, by number of the opponent's set after a move is taken back: the entry before
    that move, with the number of the class in the upper bits."""
    packed_bits: NDArray[np.uint64]
    """By point: its bit in the packed sets of that class; 0 if the mover has a man there."""
    images: NDArray[np.uint64]
    """The mover's men of that class under each symmetry."""
    ring: NDArray[np.int64]
    """Buffered updates: `entry << 5 | weight`, or -1 for none."""
    next_slot: NDArray[np.int64]
    """One element: the slot of `ring` for the next update."""


def new_table(numbering: Numbering, men: tuple[int, int]) -> SolvingTable:
    """Return an unsolved table with these men, the mover's first."""
    mover_men, opponent_men = men
    sets = opponent_sets(mover_men, opponent_men)
    entries = entries_of(numbering, mover_men, opponent_men)
    blocks = entries // len(sets) * blocks_in_class(len(sets))
    return SolvingTable(
        mover_men,
        opponent_men,
        sets,
        np.zeros(entries, dtype=np.uint32),
        np.zeros((2, blocks), dtype=np.uint8),
        np.full(blocks, NO_DUE, dtype=np.uint16),
    )


def new_scratch(table: SolvingTable) -> Scratch:
    """Return the scratch space of a thread for a table."""
    return Scratch(
        np.full(len(table.sets), -1, dtype=np.int64),
        np.zeros(POINTS, dtype=np.uint64),
        np.zeros(SYMMETRIES, dtype=np.uint64),
        np.full(REPORTS_ON_THE_WAY, -1, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def opponent_sets(mover_men: int, opponent_men: int) -> NDArray[np.uint64]:
    """Return the sets of the opponent's men in order of their numbers, packed into the points that the mover leaves
    free."""
    sets = np.zeros(comb(POINTS - mover_men, opponent_men), dtype=np.uint64)
    fill_sets(sets, opponent_men)
    return sets


@kernel
def fill_sets(sets: NDArray[np.uint64], men: int) -> None:
    """Write the sets of `men` points in order of their numbers."""
    points = (np.uint64(1) << np.uint64(men)) - np.uint64(1)
    for rank in range(sets.shape[0]):
        sets[rank] = points
        points = next_set(points)


@kernel
def blocks_in_class(sets: int) -> int:
    """Return the number of blocks of a class with this many sets of the opponent."""
    return (sets + BLOCK_ENTRIES - 1) // BLOCK_ENTRIES


@kernel
def lowest_of(points: Bitboard) -> Bitboard:
    """Return the set of the lowest point alone, or an empty set."""
    return points & (~points + np.uint64(1)) if points != NO_CELLS else NO_CELLS
