"""The first step of the retrograde analysis: each entry's value by its captures and number of quiet moves.

A class of the mover's men has few moves that can close a mill, and each leads to the same smaller positions from about
ten of its entries; so a class looks each up once.

Numbers in brackets are paragraphs of the rules (`engine.games.morris`).
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import NO_CELLS, Bitboard, count_cells, kernel, lowest_cell, to_signed
from ..games.morris.points import ALL_POINTS, POINTS, capturable_men, closing_points, neighbours
from ..games.morris.position import MEN
from ..games.morris.symmetries import SYMMETRIES, image_of
from ..games.morris.tablebase_index import Numbering, pack_points, rank_of, spread_points
from .codes import DRAWN, LOST_NOW, WON_AT_ONCE, is_won
from .solving_table import (
    BLOCK_ENTRIES,
    CODE_MASK,
    DUE_SHIFT,
    FLYING_MEN,
    MOVES_SHIFT,
    NEVER_LOST,
    SolvingTable,
    blocks_in_class,
    lowest_of,
)
from .tables import Codes, code_at

MAX_CLOSING_MOVES = 10
"""Maximum number of moves of one side that close a mill, counted over all sets of its men."""

NOT_LOOKED_UP = 0xFFFF


class ClassMoves(NamedTuple):
    """The moves of one class of the mover's men, for one thread."""

    packed_bits: NDArray[np.uint64]
    """By point: its bit in the packed sets of the opponent; 0 if the mover has a man there."""
    quiet_targets: NDArray[np.uint64]
    """By man: the points that it may move to, if they are empty, without closing a mill."""
    closing_targets: NDArray[np.uint64]
    """By move that closes a mill: the point that must be empty."""
    images: NDArray[np.uint64]
    """By move that closes a mill: the mover's men after it under each symmetry."""
    codes: NDArray[np.uint16]
    """By move that closes a mill, and number of the opponent's set after the capture: the code for the opponent, or
    `NOT_LOOKED_UP`."""
    closing_moves: NDArray[np.int64]
    """One element: the number of moves that can close a mill."""


def new_class_moves(table: SolvingTable) -> ClassMoves:
    """Return room for the moves of a class of a table."""
    smaller_sets = comb(POINTS - table.mover_men, table.opponent_men - 1)
    return ClassMoves(
        np.zeros(POINTS, dtype=np.uint64),
        np.zeros(MEN, dtype=np.uint64),
        np.zeros(MAX_CLOSING_MOVES, dtype=np.uint64),
        np.zeros((MAX_CLOSING_MOVES, SYMMETRIES), dtype=np.uint64),
        np.zeros((MAX_CLOSING_MOVES, smaller_sets), dtype=np.uint16),
        np.zeros(1, dtype=np.int64),
    )


@kernel
def initialise_classes(
    numbering: Numbering, table: SolvingTable, smaller: Codes, moves: ClassMoves, first: int, end: int
) -> None:
    """Initialise the entries of the classes of the mover's men from `first` up to `end`; `moves` is scratch space."""
    sets = table.sets.shape[0]
    blocks = blocks_in_class(sets)
    for in_table in range(first, end):
        mover = numbering.leaders[numbering.first_classes[table.mover_men] + in_table]
        prepare_moves(numbering, table.mover_men, mover, moves)
        for number in range(sets):
            word = first_word(numbering, table.mover_men, smaller, moves, mover, table.sets[number])
            table.words[in_table * sets + number] = np.uint32(word)
            block = in_table * blocks + number // BLOCK_ENTRIES
            due = word >> DUE_SHIFT & CODE_MASK
            if word & CODE_MASK == LOST_NOW:
                table.ready[LOST_NOW & 1, block] = 1
            elif 0 < due < to_signed(table.next_due[block]):
                table.next_due[block] = due


@kernel
def prepare_moves(numbering: Numbering, mover_men: int, mover: Bitboard, moves: ClassMoves) -> None:
    """Write the moves of a class."""
    free = ~mover & ALL_POINTS
    for point in range(POINTS):
        moves.packed_bits[point] = pack_points(numbering, (np.uint64(1) << np.uint64(point)) & free, free)
    closing_moves = 0
    men = mover
    for number in range(mover_men):
        man = lowest_of(men)
        men ^= man
        targets = free if mover_men == FLYING_MEN else neighbours(man) & free
        closing = targets & closing_points(mover ^ man)
        moves.quiet_targets[number] = targets ^ closing
        while closing != NO_CELLS:
            target = lowest_of(closing)
            closing ^= target
            moves.closing_targets[closing_moves] = target
            for symmetry in range(SYMMETRIES):
                moves.images[closing_moves, symmetry] = image_of(numbering.images, mover ^ man ^ target, symmetry)
            for at in range(moves.codes.shape[1]):
                moves.codes[closing_moves, at] = NOT_LOOKED_UP
            closing_moves += 1
    moves.closing_moves[0] = closing_moves


@kernel
def first_word(
    numbering: Numbering, mover_men: int, smaller: Codes, moves: ClassMoves, mover: Bitboard, packed: Bitboard
) -> int:
    """Return the word of an entry of the prepared class before anything is settled. A side without a move has lost
    (1.7)."""
    opponent = spread_points(numbering, packed, ~mover & ALL_POINTS)
    quiet_moves = 0
    for number in range(mover_men):
        quiet_moves += count_cells(moves.quiet_targets[number] & ~opponent)
    best_by_capture, can_draw = 0, False
    for move in range(moves.closing_moves[0]):
        if moves.closing_targets[move] & opponent == NO_CELLS:
            best = best_capture(numbering, smaller, moves, move, opponent, packed)
            can_draw = can_draw or best == DRAWN
            best_by_capture = better_code(best_by_capture, best)
    if is_won(best_by_capture):
        return best_by_capture << DUE_SHIFT | NEVER_LOST << MOVES_SHIFT
    if can_draw:
        return NEVER_LOST << MOVES_SHIFT
    if quiet_moves == 0 and best_by_capture == 0:
        return LOST_NOW
    return best_by_capture << DUE_SHIFT | SYMMETRIES * quiet_moves << MOVES_SHIFT


@kernel
def best_capture(
    numbering: Numbering, smaller: Codes, moves: ClassMoves, move: int, opponent: Bitboard, packed: Bitboard
) -> int:
    """Return the code of the best choice of a man to capture by a move that closes a mill (1.5, 1.6)."""
    if count_cells(opponent) == FLYING_MEN:
        return WON_AT_ONCE
    best, can_draw = 0, False
    capturable = capturable_men(opponent)
    while capturable != NO_CELLS:
        taken = lowest_of(capturable)
        capturable ^= taken
        number = rank_of(numbering, packed ^ moves.packed_bits[lowest_cell(taken)])
        if moves.codes[move, number] == NOT_LOOKED_UP:
            moves.codes[move, number] = code_after(numbering, smaller, moves, move, opponent ^ taken)
        code = to_signed(moves.codes[move, number])
        can_draw = can_draw or code == DRAWN
        if code != DRAWN:
            best = better_code(best, code + 1)
    return DRAWN if can_draw and not is_won(best) else best


@kernel
def code_after(numbering: Numbering, smaller: Codes, moves: ClassMoves, move: int, opponent: Bitboard) -> int:
    """Return the code, for the opponent with these men, after a move of the prepared class that closed a mill."""
    men = count_cells(opponent)
    at = numbering.first_sets[men] + rank_of(numbering, opponent)
    in_class = int(numbering.classes[at])
    turned = moves.images[move, numbering.turns[at]]
    free = ~numbering.leaders[numbering.first_classes[men] + in_class] & ALL_POINTS
    sets = int(numbering.choices[POINTS - men, count_cells(turned)])
    return code_at(smaller, in_class * sets + rank_of(numbering, pack_points(numbering, turned, free)))


@kernel
def better_code(one: int, other: int) -> int:
    """Return the better of two codes for the side that chooses; 0 is no code."""
    if one == 0 or other == 0:
        return one + other
    if is_won(one) != is_won(other):
        return one if is_won(one) else other
    return min(one, other) if is_won(one) else max(one, other)
