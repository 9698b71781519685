"""Solving endings of Nine Men's Morris backwards from their ends, two tables at a time.

A quiet move leads from the table u-t to t-u and back, so that these are solved together; a taking leads to (t-1)-u,
which has been solved before. The table of the latter is handed in; no files and no clock here.

The method is Thompson's (1986), as Gasser used it for this game (1996): each entry begins with the number of its quiet
moves, and with what its takings alone promise. Then, distance by distance, whoever has an entry of that distance among
its moves learns of it: a loss makes a win one ply longer, and the last of the moves that turns out to be a win for the
other side makes a loss. What is left is drawn.

Numbers in brackets are paragraphs of the rulings. Where a symmetry leaves the mover's men in place, several entries
stand for one position: each tells all of the entries of each earlier position, with a weight that makes the sum right.
"""

from collections.abc import Iterator
from contextlib import suppress
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import NO_CELLS, Bitboard, count_cells, kernel, lowest_cell
from ..games.morris.points import ALL_POINTS, POINTS, closing_points, neighbours, takeable_men
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
"""In place of the moves left: a taking draws or wins, so that no quiet move matters."""

FLYING_MEN = 3
"""With so many a side flies (1.4); takings that leave fewer win (1.7)."""


class SolvingTable(NamedTuple):
    """A table being solved."""

    mover_men: int
    opponent_men: int
    sets: NDArray[np.uint64]
    """The opponent's sets in order of their numbers, packed into the points that the mover leaves free."""
    codes: Codes
    due: Codes
    """The best code that takings alone promise: a win, or else the loss that they cannot put off beyond; 0 for none."""
    moves_left: NDArray[np.uint16]
    """Sixteen times the quiet moves not yet known to lose, or `NEVER_LOST`."""


class TooLongError(Exception):
    """A distance does not fit the width of the table's entries."""


def solve_pair(
    numbering: Numbering, men: tuple[int, int], smaller: tuple[Codes, Codes]
) -> Iterator[tuple[int, Codes, Codes]]:
    """Solve the tables `men` and its mirror image, yielding after each distance `(entries settled, codes, codes)`.

    `smaller` are the tables that takings lead to from the one and from the other: of `(men[1] - 1, men[0])` and of
    `(men[0] - 1, men[1])`, empty where those takings win. For a pair of equal numbers the two results are one array.
    The iteration ends when nothing is left to settle. It begins anew, with two bytes for an entry, if a distance needs
    them. Raises: TooLongError.
    """
    with suppress(TooLongError):
        yield from _solve_with(numbering, men, smaller, np.dtype(np.uint8))
        return
    yield from _solve_with(numbering, men, smaller, np.dtype(np.uint16))


def new_task(numbering: Numbering, men: tuple[int, int], dtype: "np.dtype[np.uint8 | np.uint16]") -> SolvingTable:
    """Return a table of so many men, mover's first, of which nothing is known yet."""
    mover_men, opponent_men = men
    entries = entries_of(numbering, mover_men, opponent_men)
    sets = np.zeros(comb(POINTS - mover_men, opponent_men), dtype=np.uint64)
    fill_sets(sets, opponent_men)
    codes: Codes = np.zeros(entries, dtype=dtype)
    return SolvingTable(mover_men, opponent_men, sets, codes, np.zeros_like(codes), np.zeros(entries, dtype=np.uint16))


def _solve_with(
    numbering: Numbering, men: tuple[int, int], smaller: tuple[Codes, Codes], dtype: "np.dtype[np.uint8 | np.uint16]"
) -> Iterator[tuple[int, Codes, Codes]]:
    """Solve with entries of that type. Raises: TooLongError."""
    task = new_task(numbering, men, dtype)
    mirror = task if men[0] == men[1] else new_task(numbering, men[::-1], dtype)
    tasks = (task,) if mirror is task else (task, mirror)
    for one, lesser in zip(tasks, smaller, strict=False):
        begin(numbering, one, lesser)
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
    """Write the sets of so many points in order of their numbers."""
    points = (np.uint64(1) << np.uint64(men)) - np.uint64(1)
    for rank in range(sets.shape[0]):
        sets[rank] = points
        points = next_set(points)


@kernel
def begin(numbering: Numbering, task: SolvingTable, smaller: Codes) -> None:
    """Write for each entry what its takings promise and how many quiet moves it has."""
    first, end = numbering.first_classes[task.mover_men], numbering.first_classes[task.mover_men + 1]
    entry = 0
    for at in range(first, end):
        mover = numbering.leaders[at]
        for packed in task.sets:
            opponent = spread_points(numbering, packed, ~mover & ALL_POINTS)
            begin_entry(numbering, task, smaller, entry, mover, opponent)
            entry += 1


@kernel
def begin_entry(
    numbering: Numbering, task: SolvingTable, smaller: Codes, entry: int, mover: Bitboard, opponent: Bitboard
) -> None:
    """Do so for one entry. A side without a move has lost (1.7)."""
    empties = ~(mover | opponent) & ALL_POINTS
    takeable = takeable_men(opponent)
    quiet_moves, promise, can_draw = 0, 0, False
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
            best = best_taking(numbering, smaller, rest | target, opponent, takeable)
            can_draw = can_draw or best == DRAWN
            promise = better_promise(promise, best)
    task.due[entry] = promise
    if is_won(promise) or can_draw:
        task.moves_left[entry] = NEVER_LOST
        task.due[entry] = promise if is_won(promise) else 0
    else:
        task.moves_left[entry] = SYMMETRIES * quiet_moves
        if quiet_moves == 0 and promise == 0:
            task.codes[entry] = LOST_NOW


@kernel
def best_taking(numbering: Numbering, smaller: Codes, mover: Bitboard, opponent: Bitboard, takeable: Bitboard) -> int:
    """Return the code that the best choice of a man to take gives to the side that closed a mill (1.5, 1.6)."""
    if count_cells(opponent) == FLYING_MEN:
        return WON_AT_ONCE
    best = 0
    can_draw = False
    while takeable != NO_CELLS:
        taken = takeable & (~takeable + np.uint64(1))
        takeable ^= taken
        code = int(smaller[entry_of(numbering, opponent ^ taken, mover)])
        can_draw = can_draw or code == DRAWN
        if code != DRAWN:
            best = better_promise(best, code + 1)
    return DRAWN if can_draw and not is_won(best) else best


@kernel
def better_promise(one: int, other: int) -> int:
    """Return the better of two codes of wins and losses for the side that chooses, 0 standing for none."""
    if one == 0 or other == 0:
        return one + other
    if is_won(one) != is_won(other):
        return one if is_won(one) else other
    return min(one, other) if is_won(one) else max(one, other)


@kernel
def settle(numbering: Numbering, task: SolvingTable, before: SolvingTable, code: int) -> int:
    """Settle the entries of this code, tell those that lead to them in `before`, and return how many they are."""
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
            tell_earlier(numbering, before, code, weight, mover, opponent)
    return settled


@kernel
def tell_earlier(
    numbering: Numbering, before: SolvingTable, code: int, weight: int, mover: Bitboard, opponent: Bitboard
) -> None:
    """Tell the positions from which a quiet move of the opponent leads here."""
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
            tell_position(numbering, before, code, weight, rest | origin, mover)


@kernel
def tell_position(
    numbering: Numbering, before: SolvingTable, code: int, weight: int, mover: Bitboard, opponent: Bitboard
) -> None:
    """Tell all entries of a position that one of its moves leads to an entry of this code."""
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
        tell_entry(before, code, weight, first + rank_of(numbering, pack_points(numbering, again, free)))


@kernel
def tell_entry(before: SolvingTable, code: int, weight: int, entry: int) -> None:
    """Let an entry know: it wins by a move to a lost position, and loses when all of its moves are to won ones."""
    if before.codes[entry] != DRAWN:
        return
    if is_lost(code):
        before.codes[entry] = code + 1
    elif before.moves_left[entry] != NEVER_LOST:
        before.moves_left[entry] -= weight
        if before.moves_left[entry] == 0 and int(before.due[entry]) <= code + 1:
            before.codes[entry] = code + 1
