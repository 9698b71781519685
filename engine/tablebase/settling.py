"""The steps of the retrograde analysis: settling the entries of a distance, and updating their predecessors.

A loss makes a predecessor a win one ply longer; a predecessor whose last move turns out to be a win for the other side
is a loss.

Several threads settle classes of one table at the same time. All reports of a distance are of one kind, so that they
need no order: losses write the same code, and only wins count down, atomically; the thread whose report is the last one
writes the code. An entry that is settled by its captures gets no report at the same distance: it has a capture that
wins, or no moves left.

Where a symmetry maps the mover's men to themselves, several entries stand for one position: each reports to all entries
of each predecessor, with a weight that makes the sum right.

Most time is spent waiting for memory. Updates are therefore buffered in a ring while their entries are fetched, and a
class remembers its predecessors, since each is reached from about ten of its entries.
"""

import numpy as np

from ..bits import (
    NO_CELLS,
    Bitboard,
    count_cells,
    kernel,
    lowest_cell,
    prefetch_row,
    subtract_atomically,
    to_signed,
)
from ..games.morris.points import ALL_POINTS, POINTS, closing_points, neighbours
from ..games.morris.symmetries import SYMMETRIES, image_of
from ..games.morris.tablebase_index import Numbering, pack_points, rank_of, spread_points
from .codes import is_lost, is_won
from .solving_table import (
    BLOCK_ENTRIES,
    CODE_MASK,
    DUE_SHIFT,
    FLYING_MEN,
    MOVES_SHIFT,
    NEVER_LOST,
    NO_DUE,
    REPORTS_ON_THE_WAY,
    Scratch,
    SolvingTable,
    blocks_in_class,
    lowest_of,
)

TARGET_BITS = 32
TARGET_MASK = (1 << TARGET_BITS) - 1
SEVERAL = TARGET_MASK
"""Stands for a predecessor that has several entries."""

WEIGHT_BITS = 5
WEIGHT_MASK = (1 << WEIGHT_BITS) - 1


@kernel
def settle_classes(
    numbering: Numbering, table: SolvingTable, before: SolvingTable, scratch: Scratch, code: int, first: int, end: int
) -> int:
    """Settle the entries with this code in the classes from `first` up to `end`, report them to their predecessors in
    `before`, and return their number."""
    settled = 0
    blocks = blocks_in_class(table.sets.shape[0])
    for in_table in range(first, end):
        is_prepared = False
        for in_class in range(blocks):
            block = in_table * blocks + in_class
            if table.ready[code & 1, block] == 0 and to_signed(table.next_due[block]) != code:
                continue
            if not is_prepared:
                prepare_class(numbering, table, scratch, in_table)
                is_prepared = True
            table.ready[code & 1, block] = 0
            settled += settle_block(numbering, table, before, scratch, code, in_table, in_class)
    for slot in range(REPORTS_ON_THE_WAY):
        if scratch.ring[slot] >= 0:
            report_to_entry(before, code, scratch.ring[slot])
            scratch.ring[slot] = -1
    return settled


@kernel
def prepare_class(numbering: Numbering, table: SolvingTable, scratch: Scratch, in_table: int) -> None:
    """Write what `scratch` holds of a class."""
    mover = numbering.leaders[numbering.first_classes[table.mover_men] + in_table]
    for symmetry in range(SYMMETRIES):
        scratch.images[symmetry] = image_of(numbering.images, mover, symmetry)
    free = ~mover & ALL_POINTS
    for point in range(POINTS):
        scratch.packed_bits[point] = pack_points(numbering, (np.uint64(1) << np.uint64(point)) & free, free)


@kernel
def settle_block(
    numbering: Numbering,
    table: SolvingTable,
    before: SolvingTable,
    scratch: Scratch,
    code: int,
    in_table: int,
    in_class: int,
) -> int:
    """Settle and report the entries of a block with this code; return their number."""
    sets = table.sets.shape[0]
    at = numbering.first_classes[table.mover_men] + in_table
    weight = SYMMETRIES // count_cells(np.uint64(numbering.stabilisers[at]))
    settled, next_due = 0, NO_DUE
    for number in range(in_class * BLOCK_ENTRIES, min((in_class + 1) * BLOCK_ENTRIES, sets)):
        entry = in_table * sets + number
        word = to_signed(table.words[entry])
        if word & CODE_MASK == 0:
            due = word >> DUE_SHIFT & CODE_MASK
            if due > code:
                next_due = min(next_due, due)
            if due != code or not (is_won(code) or word >> MOVES_SHIFT == 0):
                continue
            table.words[entry] = np.uint32(word | code)
        elif word & CODE_MASK != code:
            continue
        settled += 1
        report_to_predecessors(numbering, before, scratch, code, weight, at, table.sets[number])
    table.next_due[in_class + in_table * blocks_in_class(sets)] = next_due
    return settled


@kernel
def report_to_predecessors(
    numbering: Numbering, before: SolvingTable, scratch: Scratch, code: int, weight: int, at: int, packed: Bitboard
) -> None:
    """Report an entry to the positions from which a quiet move of the opponent leads to it."""
    free = ~numbering.leaders[at] & ALL_POINTS
    opponent = spread_points(numbering, packed, free)
    empties = free & ~opponent
    men = opponent & ~closing_points(opponent)
    while men != NO_CELLS:
        man = lowest_of(men)
        men ^= man
        origins = empties if before.mover_men == FLYING_MEN else neighbours(man) & empties
        rest = packed ^ scratch.packed_bits[lowest_cell(man)]
        while origins != NO_CELLS:
            origin = lowest_of(origins)
            origins ^= origin
            number = rank_of(numbering, rest ^ scratch.packed_bits[lowest_cell(origin)])
            target = scratch.targets[number]
            if target >> TARGET_BITS != at:
                target = at << TARGET_BITS | find_target(numbering, before, scratch, opponent ^ man ^ origin)
                scratch.targets[number] = target
            target &= TARGET_MASK
            if target == SEVERAL:
                report_to_each(numbering, before, scratch, code, weight, opponent ^ man ^ origin)
            else:
                send_report(before, scratch, code, target << WEIGHT_BITS | weight)


@kernel
def find_target(numbering: Numbering, before: SolvingTable, scratch: Scratch, mover: Bitboard) -> int:
    """Return the entry of the position with these men of its mover and the prepared class as its opponent's, or
    `SEVERAL`."""
    set_at = numbering.first_sets[before.mover_men] + rank_of(numbering, mover)
    in_class = int(numbering.classes[set_at])
    at = numbering.first_classes[before.mover_men] + in_class
    if numbering.stabilisers[at] != 1:
        return SEVERAL
    free = ~numbering.leaders[at] & ALL_POINTS
    turned = scratch.images[numbering.turns[set_at]]
    return in_class * int(before.sets.shape[0]) + rank_of(numbering, pack_points(numbering, turned, free))


@kernel
def report_to_each(
    numbering: Numbering, before: SolvingTable, scratch: Scratch, code: int, weight: int, mover: Bitboard
) -> None:
    """Report to all entries of the position with these men of its mover and the prepared class as its opponent's."""
    set_at = numbering.first_sets[before.mover_men] + rank_of(numbering, mover)
    in_class = int(numbering.classes[set_at])
    at = numbering.first_classes[before.mover_men] + in_class
    free = ~numbering.leaders[at] & ALL_POINTS
    turned = scratch.images[numbering.turns[set_at]]
    stabilisers = np.uint64(numbering.stabilisers[at])
    while stabilisers != NO_CELLS:
        again = image_of(numbering.images, turned, lowest_cell(stabilisers))
        stabilisers &= stabilisers - np.uint64(1)
        target = in_class * before.sets.shape[0] + rank_of(numbering, pack_points(numbering, again, free))
        send_report(before, scratch, code, target << WEIGHT_BITS | weight)


@kernel
def send_report(before: SolvingTable, scratch: Scratch, code: int, report: int) -> None:
    """Have the entry of a report fetched, and deliver the report that has waited longest."""
    slot = scratch.next_slot[0]
    waiting = scratch.ring[slot]
    scratch.ring[slot] = report
    prefetch_row(before.words, report >> WEIGHT_BITS)
    scratch.next_slot[0] = (slot + 1) & (REPORTS_ON_THE_WAY - 1)
    if waiting >= 0:
        report_to_entry(before, code, waiting)


@kernel
def report_to_entry(before: SolvingTable, code: int, report: int) -> None:
    """Deliver a report: a move to a lost position wins, and an entry whose moves all lead to won ones is lost."""
    entry = report >> WEIGHT_BITS
    word = to_signed(before.words[entry])
    if word & CODE_MASK != 0:
        return
    if not is_lost(code):
        if word >> MOVES_SHIFT == NEVER_LOST:
            return
        amount = (report & WEIGHT_MASK) << MOVES_SHIFT
        word = to_signed(subtract_atomically(before.words, entry, amount)) - amount
        if word >> MOVES_SHIFT != 0 or word >> DUE_SHIFT & CODE_MASK > code + 1:
            return
    before.words[entry] = np.uint32(word | (code + 1))
    sets = before.sets.shape[0]
    block = entry // sets * blocks_in_class(sets) + entry % sets // BLOCK_ENTRIES
    before.ready[code + 1 & 1, block] = 1
