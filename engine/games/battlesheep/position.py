"""The position of Battle Sheep as bitboards, and queries that do not depend on who is to move."""

from typing import NamedTuple

import numpy as np

from ...bits import NO_CELLS, Bitboard, cell_bit, count_cells, kernel, lowest_cell, to_count
from .pasture import FACTS, NEIGHBOURS, SEATS, BattleSheepBoard

SHEEP = 16
ONE = np.uint64(1)
TWO = np.uint64(2)


class BattleSheepPosition(NamedTuple):
    """The stacks on the pasture; seats in the order in which they move."""

    mover: Bitboard
    """The mover's stacks; empty until it has placed its first."""
    second: Bitboard
    third: Bitboard
    """Empty with fewer seats, like the next."""
    fourth: Bitboard
    ones: Bitboard
    """The stacks of all seats whose size less one has bit 0 set."""
    twos: Bitboard
    """The same for bit 1."""
    fours: Bitboard
    """The same for bit 2."""
    eights: Bitboard
    """The same for bit 3."""


@kernel
def seats_of(board: BattleSheepBoard) -> int:
    """Return the number of seats."""
    return to_count(board.tables[FACTS, SEATS])


@kernel
def occupied_cells(position: BattleSheepPosition) -> Bitboard:
    """Return the cells that hold a stack."""
    return position.mover | position.second | position.third | position.fourth


@kernel
def divisible_stacks(position: BattleSheepPosition) -> Bitboard:
    """Return the stacks of two or more sheep."""
    return position.ones | position.twos | position.fours | position.eights


@kernel
def movable_sheep(position: BattleSheepPosition, cell: int) -> int:
    """Return the size less one of the stack on a cell: the number of its sheep that can leave it."""
    shift = np.uint64(cell)
    return to_count(
        (position.ones >> shift & ONE)
        | (position.twos >> shift & ONE) << ONE
        | (position.fours >> shift & ONE) << TWO
        | (position.eights >> shift & ONE) << np.uint64(3)
    )


@kernel
def count_movable_sheep(position: BattleSheepPosition, stacks: Bitboard) -> int:
    """Return the number of sheep that can leave some stacks."""
    return (
        count_cells(position.ones & stacks)
        + 2 * count_cells(position.twos & stacks)
        + 4 * count_cells(position.fours & stacks)
        + 8 * count_cells(position.eights & stacks)
    )


@kernel
def stacks_of(position: BattleSheepPosition, turn: int) -> Bitboard:
    """Return the stacks of the seat `turn` plies after the mover."""
    if turn == 0:
        return position.mover
    if turn == 1:
        return position.second
    return position.third if turn == 2 else position.fourth


@kernel
def flood(board: BattleSheepBoard, start: Bitboard, through: Bitboard) -> Bitboard:
    """Return `start` and the cells of `through` that are connected to it."""
    reached = start
    frontier = start
    while frontier != NO_CELLS and reached != through:
        touched = NO_CELLS
        while frontier != NO_CELLS:
            touched |= board.tables[NEIGHBOURS, lowest_cell(frontier)]
            frontier &= frontier - ONE
        frontier = touched & through & ~reached
        reached |= frontier
    return reached


@kernel
def largest_group(board: BattleSheepBoard, cells: Bitboard) -> int:
    """Return the size of the largest connected group among some cells (3.6)."""
    largest = 0
    while count_cells(cells) > largest:
        group = flood(board, cell_bit(lowest_cell(cells)), cells)
        cells &= ~group
        largest = max(largest, count_cells(group))
    return largest
