"""Retrograde analysis: solving endgames of Nine Men's Morris backwards from their ends, two tables at a time.

A quiet move leads from the table u-t to t-u and back, so that these two are solved together. A capture leads to
(t-1)-u, which was solved before and is passed in. No files or clock.

The method is Thompson's (1986), as Gasser used it for this game (1996). Each entry starts with the number of its quiet
moves and the best result of its captures. Then, distance by distance, each settled entry is reported to its
predecessors: a loss makes a predecessor a win one ply longer, and a predecessor whose last move turns out to be a win
for the other side is a loss. What remains is drawn. See chessprogramming.org/Retrograde_Analysis.

Numbers in brackets are paragraphs of the rules (`engine.games.morris`). Where a symmetry maps the mover's men to
themselves, several entries stand for one position: each reports to all entries of each predecessor, with a weight that
makes the sum right.
"""

from collections.abc import Iterator
from contextlib import suppress
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import NO_CELLS, Bitboard, count_cells, kernel, lowest_cell
from ..games.morris.points import ALL_POINTS, POINTS, capturable_men, closing_points, neighbours
from ..games.morris.symmetries import SYMMETRIES, image_of
from ..games.morris.tablebase_index import (
    Numbering,
    entries_of,
    entry_of,
    next_set,
    pack_points,
    rank_of,
    spread_points,
)
from .codes import DRAWN, LOST_NOW, WON_AT_ONCE, Codes, is_lost, is_won

NEVER_LOST = np.uint16(0xFFFF)
"""Stands for the moves left where a capture draws or wins, so that quiet moves cannot make it a loss."""

FLYING_MEN = 3
"""A side with this many men flies (1.4); captures that leave fewer win (1.7)."""


class SolvingTable(NamedTuple):
    """A table that is being solved."""

    mover_men: int
    opponent_men: int
    sets: NDArray[np.uint64]
    """The opponent's sets in order of their numbers, packed into the points that the mover leaves free."""
    codes: Codes
    due: Codes
    """The best code by captures alone: a win, or else the longest loss; 0 for none."""
    moves_left: NDArray[np.uint16]
    """Sixteen times the number of quiet moves not yet known to lose, or `NEVER_LOST`."""


class TooLongError(Exception):
    """A distance does not fit the table's entries."""


def solve_pair(
    numbering: Numbering, men: tuple[int, int], smaller: tuple[Codes, Codes]
) -> Iterator[tuple[int, Codes, Codes]]:
    """Solve the table `men` and its mirror, yielding `(entries settled, codes, codes)` after each distance.

    `smaller` are the tables that captures lead to from each of the two: `(men[1] - 1, men[0])` and `(men[0] - 1,
    men[1])`, empty where those captures win. For equal numbers both results are one array. The iteration ends when
    nothing is left to settle. It starts again with two bytes for each entry if a distance needs them.
    """
    with suppress(TooLongError):
        yield from _solve_with(numbering, men, smaller, np.dtype(np.uint8))
        return
    yield from _solve_with(numbering, men, smaller, np.dtype(np.uint16))


def new_task(numbering: Numbering, men: tuple[int, int], dtype: "np.dtype[np.uint8 | np.uint16]") -> SolvingTable:
    """Return an unsolved table with these men, the mover's first."""
    mover_men, opponent_men = men
    entries = entries_of(numbering, mover_men, opponent_men)
    sets = np.zeros(comb(POINTS - mover_men, opponent_men), dtype=np.uint64)
    fill_sets(sets, opponent_men)
    codes: Codes = np.zeros(entries, dtype=dtype)
    return SolvingTable(mover_men, opponent_men, sets, codes, np.zeros_like(codes), np.zeros(entries, dtype=np.uint16))


def _solve_with(
    numbering: Numbering, men: tuple[int, int], smaller: tuple[Codes, Codes], dtype: "np.dtype[np.uint8 | np.uint16]"
) -> Iterator[tuple[int, Codes, Codes]]:
    """Solve with entries of this type. Raises: TooLongError."""
    task = new_task(numbering, men, dtype)
    mirror = task if men[0] == men[1] else new_task(numbering, men[::-1], dtype)
    tasks = (task,) if mirror is task else (task, mirror)
    for one, lesser in zip(tasks, smaller, strict=False):
        initialise(numbering, one, lesser)
    last_due = max(int(one.due.max()) for one in tasks)
    code, is_busy = LOST_NOW, True
    while is_busy or code <= last_due:
        if code >= np.iinfo(dtype).max:
            raise TooLongError
        settled = settle(numbering, task, mirror, code)
        if mirror is not task:
            settled += settle(numbering, mirror, task, code)
        is_busy = settled > 0 or code == LOST_NOW
        yield settled, task.codes, mirror.codes
        code += 1


@kernel
def fill_sets(sets: NDArray[np.uint64], men: int) -> None:
    """Write the sets of `men` points in order of their numbers."""
    points = (np.uint64(1) << np.uint64(men)) - np.uint64(1)
    for rank in range(sets.shape[0]):
        sets[rank] = points
        points = next_set(points)


@kernel
def initialise(numbering: Numbering, task: SolvingTable, smaller: Codes) -> None:
    """Initialise each entry with the result of its captures and its number of quiet moves."""
    first, end = numbering.first_classes[task.mover_men], numbering.first_classes[task.mover_men + 1]
    entry = 0
    for at in range(first, end):
        mover = numbering.leaders[at]
        for packed in task.sets:
            opponent = spread_points(numbering, packed, ~mover & ALL_POINTS)
            initialise_entry(numbering, task, smaller, entry, mover, opponent)
            entry += 1


@kernel
def initialise_entry(
    numbering: Numbering, task: SolvingTable, smaller: Codes, entry: int, mover: Bitboard, opponent: Bitboard
) -> None:
    """Initialise one entry. A side without a move has lost (1.7)."""
    empties = ~(mover | opponent) & ALL_POINTS
    capturable = capturable_men(opponent)
    quiet_moves, best_by_capture, can_draw = 0, 0, False
    men = mover
    while men != NO_CELLS:
        man = men & (~men + np.uint64(1))
        men ^= man
        rest = mover ^ man
        targets = empties if task.mover_men == FLYING_MEN else neighbours(man) & empties
        closing = targets & closing_points(rest)
        quiet_moves += count_cells(targets ^ closing)
        while closing != NO_CELLS:
            target = closing & (~closing + np.uint64(1))
            closing ^= target
            best = best_capture(numbering, smaller, rest | target, opponent, capturable)
            can_draw = can_draw or best == DRAWN
            best_by_capture = better_code(best_by_capture, best)
    task.due[entry] = best_by_capture
    if is_won(best_by_capture) or can_draw:
        task.moves_left[entry] = NEVER_LOST
        task.due[entry] = best_by_capture if is_won(best_by_capture) else 0
    else:
        task.moves_left[entry] = SYMMETRIES * quiet_moves
        if quiet_moves == 0 and best_by_capture == 0:
            task.codes[entry] = LOST_NOW


@kernel
def best_capture(
    numbering: Numbering, smaller: Codes, mover: Bitboard, opponent: Bitboard, capturable: Bitboard
) -> int:
    """Return the code of the best choice of a man to capture, for the side that closed a mill (1.5, 1.6)."""
    if count_cells(opponent) == FLYING_MEN:
        return WON_AT_ONCE
    best = 0
    can_draw = False
    while capturable != NO_CELLS:
        taken = capturable & (~capturable + np.uint64(1))
        capturable ^= taken
        code = int(smaller[entry_of(numbering, opponent ^ taken, mover)])
        can_draw = can_draw or code == DRAWN
        if code != DRAWN:
            best = better_code(best, code + 1)
    return DRAWN if can_draw and not is_won(best) else best


@kernel
def better_code(one: int, other: int) -> int:
    """Return the better of two codes for the side that chooses; 0 is no code."""
    if one == 0 or other == 0:
        return one + other
    if is_won(one) != is_won(other):
        return one if is_won(one) else other
    return min(one, other) if is_won(one) else max(one, other)


@kernel
def settle(numbering: Numbering, task: SolvingTable, before: SolvingTable, code: int) -> int:
    """Settle the entries with this code, report them to their predecessors in `before`, and return their number."""
    settled = 0
    first = numbering.first_classes[task.mover_men]
    sets = task.sets.shape[0]
    for entry in range(task.codes.shape[0]):
        is_settled = int(task.codes[entry]) == code
        if not is_settled and int(task.due[entry]) == code and task.codes[entry] == DRAWN:
            is_settled = is_won(code) or task.moves_left[entry] == 0
        if is_settled:
            task.codes[entry] = code
            settled += 1
            at = first + entry // sets
            mover = numbering.leaders[at]
            opponent = spread_points(numbering, task.sets[entry % sets], ~mover & ALL_POINTS)
            weight = SYMMETRIES // count_cells(np.uint64(numbering.stabilisers[at]))
            report_to_predecessors(numbering, before, code, weight, mover, opponent)
    return settled


@kernel
def report_to_predecessors(
    numbering: Numbering, before: SolvingTable, code: int, weight: int, mover: Bitboard, opponent: Bitboard
) -> None:
    """Report an entry to the positions from which a quiet move of the opponent leads to it."""
    empties = ~(mover | opponent) & ALL_POINTS
    men = opponent
    while men != NO_CELLS:
        man = men & (~men + np.uint64(1))
        men ^= man
        rest = opponent ^ man
        if closing_points(rest) & man != NO_CELLS:
            continue
        origins = empties if before.mover_men == FLYING_MEN else neighbours(man) & empties
        while origins != NO_CELLS:
            origin = origins & (~origins + np.uint64(1))
            origins ^= origin
            report_to_position(numbering, before, code, weight, rest | origin, mover)


@kernel
def report_to_position(
    numbering: Numbering, before: SolvingTable, code: int, weight: int, mover: Bitboard, opponent: Bitboard
) -> None:
    """Report to all entries of a position that one of its moves leads to an entry with this code."""
    set_at = numbering.first_sets[before.mover_men] + rank_of(numbering, mover)
    in_class = int(numbering.classes[set_at])
    at = numbering.first_classes[before.mover_men] + in_class
    free = ~numbering.leaders[at] & ALL_POINTS
    turned = image_of(numbering.images, opponent, int(numbering.turns[set_at]))
    first = in_class * before.sets.shape[0]
    stabilisers = np.uint64(numbering.stabilisers[at])
    while stabilisers != NO_CELLS:
        again = turned
        symmetry = lowest_cell(stabilisers)
        stabilisers &= stabilisers - np.uint64(1)
        if symmetry > 0:
            again = image_of(numbering.images, turned, symmetry)
        report_to_entry(before, code, weight, first + rank_of(numbering, pack_points(numbering, again, free)))


@kernel
def report_to_entry(before: SolvingTable, code: int, weight: int, entry: int) -> None:
    """Report to one entry: it wins by a move to a lost position, and loses when all of its moves lead to won ones."""
    if before.codes[entry] != DRAWN:
        return
    if is_lost(code):
        before.codes[entry] = code + 1
    elif before.moves_left[entry] != NEVER_LOST:
        before.moves_left[entry] -= weight
        if before.moves_left[entry] == 0 and int(before.due[entry]) <= code + 1:
            before.codes[entry] = code + 1
