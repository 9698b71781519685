"""What a position of Battle Sheep is worth, without looking ahead.

The sides and the spread of stacks are terms published for the program BattleSheepSolver; that sheep count only where
cells in reach have room for them is not.
"""

from engine.bits import NO_CELLS, Bitboard, count_cells, kernel, lowest_cell
from engine.games.battlesheep.pasture import ALL_CELLS, FACTS, NEIGHBOURS, BattleSheepBoard
from engine.games.battlesheep.position import (
    ONE,
    SHEEP,
    BattleSheepPosition,
    flood,
    movable_sheep,
    occupied_cells,
    seats_of,
    stacks_of,
)

CELL_WORTH = 100
SIDE_WORTH = 4
SPREAD_WORTH = 8
WORST = 20000
"""No seat is worth so little, its sign changed."""


@kernel
def worth_of(board: BattleSheepBoard, position: BattleSheepPosition, stacks: Bitboard, empties: Bitboard) -> int:
    """Return the worth of one seat: cells held and still to be had, free sides of free sheep, less the spread of sizes.

    Still to be had are as many cells as sheep may leave stacks with a free side, but no more than these can ever reach.
    """
    held = count_cells(stacks)
    if held == 0:
        return CELL_WORTH * SHEEP
    free_sheep, free_sides, largest, smallest = 0, 0, 0, SHEEP
    exits = NO_CELLS
    while stacks != NO_CELLS:
        cell = lowest_cell(stacks)
        stacks &= stacks - ONE
        free = board.tables[NEIGHBOURS, cell] & empties
        sheep = movable_sheep(position, cell)
        if free != NO_CELLS and sheep > 0:
            free_sheep += sheep
            free_sides += count_cells(free) * sheep
            exits |= free
        largest = max(largest, sheep)
        smallest = min(smallest, sheep)
    room = min(free_sheep, count_cells(flood(board, exits, empties)))
    return CELL_WORTH * (held + room) + SIDE_WORTH * free_sides - SPREAD_WORTH * (largest - smallest)


@kernel
def evaluate_for(board: BattleSheepBoard, position: BattleSheepPosition, turn: int) -> int:
    """Return the worth of the seat that moves after `turn` others less that of the best seat besides it."""
    empties = board.tables[FACTS, ALL_CELLS] & ~occupied_cells(position)
    own, best = 0, -WORST
    for seat in range(seats_of(board)):
        worth = worth_of(board, position, stacks_of(position, seat), empties)
        if seat == turn:
            own = worth
        else:
            best = max(best, worth)
    return own - best


@kernel
def evaluate(board: BattleSheepBoard, position: BattleSheepPosition) -> int:
    """Return the mover's worth less that of the best of the other seats."""
    return evaluate_for(board, position, 0)
