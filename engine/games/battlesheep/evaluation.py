"""The static evaluation of Battle Sheep: its terms for each seat, and its phases.

The weights are data (`weights.json`, made by `millrace tune battlesheep`). Free sides of free sheep and the spread of
stacks are terms published for the program BattleSheepSolver. The other terms estimate the future room: a *region* is a
connected set of empty cells, which the sheep beside it can fill, unless opponents do.

With more than two seats, all opponents count as one beside a region, and each seat is compared with the best of them.
"""

from typing import NamedTuple

import numpy as np

from ...bits import NO_CELLS, Bitboard, cell_bit, count_cells, kernel, lowest_cell
from ...game import EvaluationTerms, WeightTable
from .pasture import ALL_CELLS, FACTS, NEIGHBOURS, BattleSheepBoard
from .position import (
    ONE,
    SHEEP,
    BattleSheepPosition,
    count_movable_sheep,
    divisible_stacks,
    largest_group,
    movable_sheep,
    occupied_cells,
    seats_of,
    stacks_of,
)

TERMS = (
    "unplaced",  # 1 while the seat has not placed its stack; nothing else is counted then
    "cells",  # that the seat holds
    "one_side",  # sheep that may leave stacks with one empty neighbour
    "two_sides",
    "three_sides",
    "four_sides",
    "five_sides",
    "six_sides",
    "spread",  # sheep by which the largest stack exceeds the smallest
    "agile",  # stacks that can be split
    "exits",  # empty cells beside those
    "room",  # sheep that can leave their stacks, at most the cells of the regions beside them
    "sure_room",  # the same for regions that only this seat is beside
    "contested_room",  # the same for regions that others are beside as well
    "claims",  # cells of regions that this seat is nearer to than any other, by single steps
    "claimed_room",  # sheep that can leave their stacks, at most the claims
    "group",  # cells of the largest connected group, which decides between equals (3.6)
    "move",  # 1 for the seat to move, where two play
    "tempo",  # what `contested_room` counts for both, for the seat to move, where two play
)
UNPLACED, CELLS, ONE_SIDE = 0, 1, 2
SPREAD, AGILE, EXITS, ROOM, SURE_ROOM, CONTESTED_ROOM, CLAIMS, CLAIMED_ROOM, GROUP, MOVE, TEMPO = range(8, len(TERMS))

PHASES = ("opening", "middle", "ending")
"""By the share of empty cells: all, half, none."""

ROWS = 16
"""The number of rows of the weight table less one: the rows are steps of the share of empty cells, from none to all."""

WORST = 20000
"""Less than the negative of any seat's evaluation."""


class Outlook(NamedTuple):
    """A seat's share of the regions, in cells or sheep."""

    cells: int
    """Cells of the regions that it is beside."""
    sure: int
    contested: int
    claims: int


@kernel
def touched_by(board: BattleSheepBoard, cells: Bitboard) -> Bitboard:
    """Return the neighbours of a set of cells."""
    touched = NO_CELLS
    while cells != NO_CELLS:
        touched |= board.tables[NEIGHBOURS, lowest_cell(cells)]
        cells &= cells - ONE
    return touched


@kernel
def claims_of(board: BattleSheepBoard, own: Bitboard, others: Bitboard, cells: Bitboard) -> tuple[Bitboard, Bitboard]:
    """Return the cells that are nearer to the stacks of one side than to those of the other. Both sides grow step by
    step, and cells that they reach at once belong to neither (a discrete Voronoi diagram)."""
    own_claims, other_claims = NO_CELLS, NO_CELLS
    while cells != NO_CELLS and own | others != NO_CELLS:
        own, others = touched_by(board, own) & cells, touched_by(board, others) & cells
        cells &= ~(own | others)
        own, others = own & ~others, others & ~own
        own_claims |= own
        other_claims |= others
    return own_claims, other_claims


@kernel
def look_out(
    board: BattleSheepBoard, position: BattleSheepPosition, own: Bitboard, others: Bitboard, empties: Bitboard
) -> tuple[Outlook, Outlook]:
    """Return the outlook of two sides, given their divisible stacks."""
    own_cells, own_sure, own_contested, own_claims = 0, 0, 0, 0
    other_cells, other_sure, other_contested, other_claims = 0, 0, 0, 0
    contested = NO_CELLS
    rest = empties
    while rest != NO_CELLS:
        region, border = NO_CELLS, NO_CELLS
        frontier = cell_bit(lowest_cell(rest))
        while frontier != NO_CELLS:
            region |= frontier
            touched = touched_by(board, frontier)
            border |= touched
            frontier = touched & empties & ~region
        rest &= ~region
        size = count_cells(region)
        own_sheep, other_sheep = border & own, border & others
        if NO_CELLS not in (own_sheep, other_sheep):
            contested |= region
            own_cells += size
            other_cells += size
            own_contested += min(count_movable_sheep(position, own_sheep), size)
            other_contested += min(count_movable_sheep(position, other_sheep), size)
        elif own_sheep != NO_CELLS:
            own_cells += size
            own_claims += size
            own_sure += min(count_movable_sheep(position, own_sheep), size)
        elif other_sheep != NO_CELLS:
            other_cells += size
            other_claims += size
            other_sure += min(count_movable_sheep(position, other_sheep), size)
    if contested != NO_CELLS:
        own_nearer, other_nearer = claims_of(board, own, others, contested)
        own_claims += count_cells(own_nearer)
        other_claims += count_cells(other_nearer)
    return (
        Outlook(own_cells, own_sure, own_contested, own_claims),
        Outlook(other_cells, other_sure, other_contested, other_claims),
    )


@kernel
def weigh_seat(
    board: BattleSheepBoard,
    position: BattleSheepPosition,
    table: WeightTable,
    row: int,
    stacks: Bitboard,
    divisible: Bitboard,
    outlook: Outlook,
) -> int:
    """Return the evaluation of one seat by a row of weights; `divisible` are its stacks of two or more sheep."""
    if stacks == NO_CELLS:
        unplaced: int = table[row, UNPLACED]
        return unplaced
    empties = board.tables[FACTS, ALL_CELLS] & ~occupied_cells(position)
    score: int = table[row, CELLS] * count_cells(stacks) + table[row, GROUP] * largest_group(board, stacks)
    free_sheep, agile, largest = 0, 0, 0
    smallest = SHEEP if divisible == stacks else 0  # of sheep that may leave a stack, and of a single one none may
    exits = NO_CELLS
    while divisible != NO_CELLS:
        cell = lowest_cell(divisible)
        divisible &= divisible - ONE
        sheep = movable_sheep(position, cell)
        free = board.tables[NEIGHBOURS, cell] & empties
        if free != NO_CELLS:
            free_sheep += sheep
            agile += 1
            exits |= free
            score += table[row, ONE_SIDE - 1 + count_cells(free)] * sheep
        largest = max(largest, sheep)
        smallest = min(smallest, sheep)
    score += table[row, SPREAD] * (largest - smallest) + table[row, AGILE] * agile
    score += table[row, EXITS] * count_cells(exits)
    score += table[row, ROOM] * min(free_sheep, outlook.cells) + table[row, SURE_ROOM] * outlook.sure
    score += table[row, CONTESTED_ROOM] * outlook.contested + table[row, CLAIMS] * outlook.claims
    score += table[row, CLAIMED_ROOM] * min(free_sheep, outlook.claims)
    return score


@kernel
def weigh(board: BattleSheepBoard, position: BattleSheepPosition, turn: int, table: WeightTable) -> int:
    """Return the evaluation of the seat `turn` plies after the mover, minus that of its best opponent."""
    cells = board.tables[FACTS, ALL_CELLS]
    empties = cells & ~occupied_cells(position)
    row = count_cells(empties) * ROWS // count_cells(cells)
    divisible = divisible_stacks(position)
    stacks = stacks_of(position, turn)
    own, others = divisible & stacks, divisible & ~stacks
    outlook, view_of_others = look_out(board, position, own, others, empties)
    score: int = weigh_seat(board, position, table, row, stacks, own, outlook)
    if seats_of(board) == 2:
        turn_score = table[row, MOVE] + table[row, TEMPO] * (outlook.contested + view_of_others.contested)
        score += turn_score if turn == 0 else -turn_score
        rival = stacks_of(position, 1 - turn)
        return score - weigh_seat(board, position, table, row, rival, others, view_of_others)
    best = -WORST
    for seat in range(seats_of(board)):
        if seat != turn:
            rival = stacks_of(position, seat)
            own, others = divisible & rival, divisible & ~rival
            outlook, _rest = look_out(board, position, own, others, empties)
            best = max(best, weigh_seat(board, position, table, row, rival, own, outlook))
    return score - best


def phase_shares() -> list[tuple[float, float, float]]:
    """Return the share of each phase in each row, by the share of empty cells."""
    half = ROWS / 2
    openings = [max(empty - half, 0) / half for empty in range(ROWS + 1)]
    endings = [max(half - empty, 0) / half for empty in range(ROWS + 1)]
    return [(opening, 1 - opening - ending, ending) for opening, ending in zip(openings, endings, strict=True)]


EVALUATION = EvaluationTerms(__package__, TERMS, PHASES, np.array(phase_shares()), weigh)
