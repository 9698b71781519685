"""The index of the tablebase of Nine Men's Morris: the table and entry of each position without men in hand.

`engine.tablebase.retrograde_analysis` solves the tables.

The table `4-3` holds the positions in which the side to move has four men and the other three. The smallest image of
the mover's men under the 16 symmetries represents their *class*. The opponent's men, mapped likewise, are numbered
among all sets of that size on the points that the mover leaves free:

    entry = class * C(24 - mover's men, opponent's men) + number of the opponent's set

Sets of the same size are numbered in the order of their integers (the combinatorial number system). Where a symmetry
maps the mover's men to themselves, several entries stand for one position; all hold the same code.

Tables are for the rules with flying; a match without (`flying=off`) finds nothing in them.
"""

from collections.abc import Mapping
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bits import NO_CELLS, Bitboard, byte_at, count_cells, kernel, to_count
from ...game import NOT_IN_TABLEBASE, TablebaseIndex, TablebaseKernels, TableBytes
from .points import ALL_POINTS, POINTS
from .position import MEN, MorrisBoard, MorrisPosition
from .symmetries import RING, SYMMETRIES, RingImages, image_of, ring_images
from .table_exceptions import TOO_LONG, exceptions_in, find_exception

LEAST_MEN = 3
HALF = 12
"""Points 0..11 and 12..23 of a set are looked up separately."""

HALF_MASK = np.uint64(0xFFF)
COUNTS = MEN + 1


class Numbering(NamedTuple):
    """Arrays that number positions; those indexed by men have a row for each number of men up to nine."""

    low_ranks: NDArray[np.int32]
    """The contribution of points 0..11 to a set's number."""
    high_ranks: NDArray[np.int32]
    """The contribution of points 12..23, by the number of lower points of the set and by these points."""
    images: RingImages
    packed: NDArray[np.uint8]
    """By eight points that are kept and a set of points: the set without the points that are not kept."""
    spread: NDArray[np.uint8]
    """The inverse, by the points that are kept."""
    choices: NDArray[np.int64]
    """Binomial coefficients: `choices[n, k]`."""
    first_sets: NDArray[np.int64]
    """By number of men: where its sets begin in `classes` and `turns`."""
    classes: NDArray[np.int32]
    """By number of the set: its class."""
    turns: NDArray[np.uint8]
    """By number of the set: a symmetry that maps it to the smallest set of its class."""
    first_classes: NDArray[np.int64]
    """By number of men: where its classes begin in the next two arrays, with one more for the end."""
    leaders: NDArray[np.uint64]
    """The smallest set of each class."""
    stabilisers: NDArray[np.int64]
    """A bit for each symmetry that maps the smallest set of a class to itself."""


class MorrisTablebaseIndex(NamedTuple):
    """The opened tables, for kernels."""

    numbering: Numbering
    addresses: NDArray[np.uint64]
    """The memory address of each table, by the mover's and the opponent's men; 0 where there is no table."""
    exceptions: NDArray[np.uint64]
    """The exceptions of all tables, one table after the other."""
    first_exceptions: NDArray[np.int64]
    """By the mover's and the opponent's men: where the exceptions of the table begin."""
    end_exceptions: NDArray[np.int64]
    most_men: NDArray[np.int64]
    """One element: the men on the board in the largest table, or -1."""


@kernel
def rank_of(numbering: Numbering, points: Bitboard) -> int:
    """Return the number of a set of points among the sets of the same size."""
    low = to_count(points & HALF_MASK)
    high = to_count(points >> np.uint64(HALF))
    return int(numbering.low_ranks[low]) + int(numbering.high_ranks[count_cells(points & HALF_MASK), high])


@kernel
def pack_points(numbering: Numbering, points: Bitboard, kept: Bitboard) -> Bitboard:
    """Return a set of kept points, packed as if only those existed."""
    packed, taken = NO_CELLS, np.uint64(0)
    for ring in range(3):
        shift = np.uint64(8 * ring)
        kept_here = kept >> shift & RING
        packed |= np.uint64(numbering.packed[to_count(kept_here), to_count(points >> shift & RING)]) << taken
        taken += np.uint64(count_cells(kept_here))
    return packed


@kernel
def spread_points(numbering: Numbering, packed: Bitboard, kept: Bitboard) -> Bitboard:
    """Return the inverse of `pack_points`."""
    points = NO_CELLS
    for ring in range(3):
        shift = np.uint64(8 * ring)
        kept_here = kept >> shift & RING
        points |= np.uint64(numbering.spread[to_count(kept_here), to_count(packed & RING)]) << shift
        packed >>= np.uint64(count_cells(kept_here))
    return points


@kernel
def entry_of(numbering: Numbering, mover: Bitboard, opponent: Bitboard) -> int:
    """Return the entry of a position in the table of its numbers of men."""
    men = count_cells(mover)
    at = numbering.first_sets[men] + rank_of(numbering, mover)
    in_class = numbering.classes[at]
    turned = image_of(numbering.images, opponent, int(numbering.turns[at]))
    free = ~numbering.leaders[numbering.first_classes[men] + in_class] & ALL_POINTS
    packed = pack_points(numbering, turned, free)
    return int(in_class) * int(numbering.choices[POINTS - men, count_cells(opponent)]) + rank_of(numbering, packed)


@kernel
def probe(endings: MorrisTablebaseIndex, board: MorrisBoard, position: MorrisPosition) -> int:
    """Return the code of a position, or `NOT_IN_TABLEBASE` if no opened table has it."""
    if position.hands != NO_CELLS or board.options[0] != np.uint64(1):
        return NOT_IN_TABLEBASE
    mover_men, opponent_men = count_cells(position.mover), count_cells(position.opponent)
    if mover_men > MEN or opponent_men > MEN:
        return NOT_IN_TABLEBASE
    address = endings.addresses[mover_men, opponent_men]
    if address == np.uint64(0):
        return NOT_IN_TABLEBASE
    entry = entry_of(endings.numbering, position.mover, position.opponent)
    code = byte_at(address + np.uint64(entry))
    if code < TOO_LONG:
        return code
    first, end = endings.first_exceptions[mover_men, opponent_men], endings.end_exceptions[mover_men, opponent_men]
    return find_exception(endings.exceptions, first, end, entry)


@kernel
def reach(endings: MorrisTablebaseIndex) -> int:
    """Return the number of men on the board in the largest table, or -1 if there is none."""
    return int(endings.most_men[0])


@kernel
def size(position: MorrisPosition) -> int:
    """Return the number of men on the board, or more than any table has while some are in hand."""
    return count_cells(position.mover | position.opponent) if position.hands == NO_CELLS else POINTS


@kernel
def ends_unless_quiet(position: MorrisPosition) -> bool:
    """Return whether both sides have three men and none in hand: the next capture ends the match (1.7)."""
    return size(position) == 2 * LEAST_MEN


@kernel
def fill_classes(
    numbering: Numbering, men: int, classes: NDArray[np.int32], turns: NDArray[np.uint8], leaders: NDArray[np.uint64]
) -> int:
    """Write the class of each set of `men` points, a symmetry to its smallest set, and the smallest sets; return their
    number.
    """
    count = 0
    points = (np.uint64(1) << np.uint64(men)) - np.uint64(1)
    for rank in range(numbering.choices[POINTS, men]):
        least, turn = points, 0
        for symmetry in range(1, SYMMETRIES):
            image = image_of(numbering.images, points, symmetry)
            if image < least:
                least, turn = image, symmetry
        turns[rank] = turn
        if turn == 0:
            leaders[count] = points
            classes[rank] = count
            count += 1
        else:
            classes[rank] = classes[rank_of(numbering, least)]
        points = next_set(points)
    return count


@kernel
def next_set(points: Bitboard) -> Bitboard:
    """Return the next larger integer with the same number of bits (Gosper's hack; Knuth, 7.1.3)."""
    lowest = points & (~points + np.uint64(1))
    carried = points + lowest
    return carried | ((points ^ carried) // lowest) >> np.uint64(2)


@kernel
def fill_stabilisers(numbering: Numbering) -> None:
    """Write the symmetries that map the smallest set of each class to itself."""
    for at in range(numbering.leaders.shape[0]):
        leader = numbering.leaders[at]
        for symmetry in range(SYMMETRIES):
            if image_of(numbering.images, leader, symmetry) == leader:
                numbering.stabilisers[at] |= 1 << symmetry


@cache
def make_numbering(most_men: int = MEN) -> Numbering:
    """Return the numbering of positions with 3 up to `most_men` men on each side."""
    men_with_sets = range(LEAST_MEN, most_men + 1)
    numbering = _blank_numbering(sum(comb(POINTS, men) for men in men_with_sets))
    first_sets, first_classes = numbering.first_sets, numbering.first_classes
    for men in men_with_sets:
        begin, end, leaders = (
            first_sets[men],
            first_sets[men] + comb(POINTS, men),
            numbering.leaders[first_classes[men] :],
        )
        count = fill_classes(numbering, men, numbering.classes[begin:end], numbering.turns[begin:end], leaders)
        first_sets[men + 1 :], first_classes[men + 1 :] = end, first_classes[men] + count
    leaders = numbering.leaders[: first_classes[-1]].copy()
    numbering = numbering._replace(leaders=leaders, stabilisers=np.zeros(len(leaders), dtype=np.int64))
    fill_stabilisers(numbering)
    return numbering


def entries_of(numbering: Numbering, mover_men: int, opponent_men: int) -> int:
    """Return the number of entries of a table."""
    classes = int(numbering.first_classes[mover_men + 1] - numbering.first_classes[mover_men])
    return classes * comb(POINTS - mover_men, opponent_men)


def table_name(mover_men: int, opponent_men: int) -> str:
    """Return the name of a table."""
    return f"{mover_men}-{opponent_men}"


def men_of(table: str) -> tuple[int, int]:
    """Return the mover's and the opponent's men in the positions of a table."""
    mover_men, opponent_men = table.split("-")
    return int(mover_men), int(opponent_men)


def open_tables(tables: Mapping[str, TableBytes]) -> TablebaseIndex:
    """Return the index of the given tables, by name. The caller keeps the arrays alive while it uses the index."""
    addresses = np.zeros((COUNTS, COUNTS), dtype=np.uint64)
    first_exceptions, end_exceptions = np.zeros((2, COUNTS, COUNTS), dtype=np.int64)
    exceptions = [np.zeros(0, dtype=np.uint64)]
    men = [men_of(name) for name in tables]
    numbering = make_numbering(max(max(pair) for pair in men)) if men else _blank_numbering(0)
    for (mover_men, opponent_men), table in zip(men, tables.values(), strict=True):
        addresses[mover_men, opponent_men] = table.ctypes.data
        first_exceptions[mover_men, opponent_men] = sum(map(len, exceptions))
        exceptions.append(exceptions_in(table, entries_of(numbering, mover_men, opponent_men)))
        end_exceptions[mover_men, opponent_men] = sum(map(len, exceptions))
    most_men = np.array([max((sum(pair) for pair in men), default=-1)], dtype=np.int64)
    return MorrisTablebaseIndex(
        numbering, addresses, np.concatenate(exceptions), first_exceptions, end_exceptions, most_men
    )


def _blank_numbering(sets: int) -> Numbering:
    """Return a numbering with room for this many sets of the mover's men, whose classes are not computed yet."""
    packed, spread = _ring_packings()
    return Numbering(
        low_ranks=_half_ranks(0)[0],
        high_ranks=_half_ranks(HALF),
        images=ring_images(),
        packed=packed,
        spread=spread,
        choices=np.array([[comb(n, k) for k in range(POINTS + 1)] for n in range(POINTS + 1)], dtype=np.int64),
        first_sets=np.zeros(COUNTS + 1, dtype=np.int64),
        classes=np.zeros(sets, dtype=np.int32),
        turns=np.zeros(sets, dtype=np.uint8),
        first_classes=np.zeros(COUNTS + 1, dtype=np.int64),
        leaders=np.zeros(sets, dtype=np.uint64),
        stabilisers=np.zeros(0, dtype=np.int64),
    )


def _half_ranks(offset: int) -> NDArray[np.int32]:
    """Return the contribution of each set of twelve points from `offset` on to a number, by the number of lower
    points."""
    points = np.arange(1 << HALF)
    choices = np.array([[comb(n, k) for k in range(POINTS + 1)] for n in range(POINTS + 1)])
    ranks = np.zeros((HALF + 1, 1 << HALF), dtype=np.int32)
    for below in range(HALF + 1):
        count = np.full(1 << HALF, below)
        for point in range(HALF):
            has_man = points >> point & 1
            count += has_man
            ranks[below] += has_man * choices[offset + point, count]
    return ranks


def _ring_packings() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return `Numbering.packed` and `Numbering.spread`."""
    packed, spread = np.zeros((256, 256), dtype=np.uint8), np.zeros((256, 256), dtype=np.uint8)
    points = np.arange(256)
    for kept in range(256):
        for place, point in enumerate(point for point in range(8) if kept >> point & 1):
            packed[kept] |= ((points >> point & 1) << place).astype(np.uint8)
            spread[kept] |= ((points >> place & 1) << point).astype(np.uint8)
    return packed, spread


TABLEBASE = TablebaseKernels(
    open_tables=open_tables, probe=probe, reach=reach, size=size, ends_unless_quiet=ends_unless_quiet
)
