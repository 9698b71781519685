"""Counting a table of Nine Men's Morris, and checking its entries against their moves.

It works forwards, with the rules of matches, and so is independent of the retrograde analysis.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bindings import read_move
from ..bits import NO_CELLS, count_cells, kernel
from ..game import MoveBuffer, Words
from ..games.morris.kernels import MAX_MOVES, generate_moves, make_move
from ..games.morris.points import ALL_POINTS
from ..games.morris.position import MorrisBoard, MorrisPosition
from ..games.morris.symmetries import SYMMETRIES, image_of
from ..games.morris.tablebase_index import MorrisTablebaseIndex, Numbering, pack_points, probe, spread_points
from .codes import DRAWN, LOST_NOW, is_lost, is_won
from .solving_table import FLYING_MEN, opponent_sets
from .tables import Codes, code_at

WON, LOST = 1, 2
"""With `DRAWN`, the columns of the arrays that `count_classes` writes."""

CHUNKS = 8
"""Shares of a table for each thread that counts it."""

FLYING = MorrisBoard(np.array([1], dtype=np.uint64))


class ResultCounts(NamedTuple):
    """The results in a table, for the side to move."""

    won: int
    """Placements of men, counting symmetric ones separately."""
    drawn: int
    lost: int
    orbits_won: int
    """The same, counting symmetric placements once."""
    orbits_drawn: int
    orbits_lost: int
    longest_win: int
    """In plies; 0 if there is none."""
    longest_loss: int

    @property
    def positions(self) -> int:
        """The number of all placements."""
        return self.won + self.drawn + self.lost


def count_results(numbering: Numbering, men: tuple[int, int], codes: Codes, threads: int = 1) -> ResultCounts:
    """Count the results in a table with these men of the mover and of the opponent."""
    mover_men, sets = men[0], opponent_sets(*men)
    classes = len(codes.table) // len(sets)
    bounds = [classes * at // (threads * CHUNKS) for at in range(threads * CHUNKS + 1)]

    def count(first: int, end: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        counts, longest = np.zeros((2, 3), dtype=np.int64), np.zeros(3, dtype=np.int64)
        count_classes(numbering, mover_men, sets, codes, first, end, counts, longest)
        return counts, longest

    with ThreadPoolExecutor(threads) as pool:
        counted = list(pool.map(count, bounds[:-1], bounds[1:]))
    placements, orbits = np.sum([counts for counts, _ in counted], axis=0).tolist()
    longest = np.max([longest for _, longest in counted], axis=0)
    return ResultCounts(
        placements[WON],
        placements[DRAWN],
        placements[LOST],
        orbits[WON],
        orbits[DRAWN],
        orbits[LOST],
        int(longest[WON]),
        int(longest[LOST]),
    )


@kernel
def count_classes(
    numbering: Numbering,
    mover_men: int,
    sets: NDArray[np.uint64],
    codes: Codes,
    first: int,
    end: int,
    counts: NDArray[np.int64],
    longest: NDArray[np.int64],
) -> None:
    """Count placements and orbits of some classes by result, and find the longest win and loss in plies."""
    for in_table in range(first, end):
        at = numbering.first_classes[mover_men] + in_table
        weight = SYMMETRIES // count_cells(np.uint64(numbering.stabilisers[at]))
        for number in range(sets.shape[0]):
            code = code_at(codes, in_table * sets.shape[0] + number)
            result = DRAWN
            if code != DRAWN:
                result = WON if is_won(code) else LOST
                longest[result] = max(longest[result], code - 1)
            counts[0, result] += weight
            counts[1, result] += np.int64(is_first_of_orbit(numbering, at, sets[number]))


@kernel
def is_first_of_orbit(numbering: Numbering, at: int, packed: np.uint64) -> bool:
    """Return whether the entry has the smallest number of all entries for its position."""
    stabiliser = numbering.stabilisers[at]
    if stabiliser == 1:
        return True
    free = ~numbering.leaders[at] & ALL_POINTS
    opponent = spread_points(numbering, packed, free)
    for symmetry in range(1, SYMMETRIES):
        if stabiliser >> symmetry & 1 == 0:
            continue
        if pack_points(numbering, image_of(numbering.images, opponent, symmetry), free) < packed:
            return False
    return True


def position_of(numbering: Numbering, men: tuple[int, int], entry: int) -> Words:
    """Return the position of an entry."""
    mover_men, opponent_men = men
    sets = opponent_sets(mover_men, opponent_men)
    mover = numbering.leaders[numbering.first_classes[mover_men] + entry // len(sets)]
    opponent = spread_points(numbering, sets[entry % len(sets)], ~mover & ALL_POINTS)
    return np.array([mover, opponent, 0], dtype=np.uint64)


def find_wrong_entry(
    endings: MorrisTablebaseIndex, men: tuple[int, int], codes: Codes, first: int = 0, step: int = 1
) -> int | None:
    """Return an entry that contradicts its moves, among every `step`-th from `first` on, or None if there is none.

    The tables that its moves lead to must be in the index.
    """
    moves = np.zeros(MAX_MOVES, dtype=np.int32)
    entry = search_wrong_entry(endings, FLYING, men[0], opponent_sets(*men), codes, first, step, moves)
    return None if entry < 0 else int(entry)


@kernel
def search_wrong_entry(
    endings: MorrisTablebaseIndex,
    board: MorrisBoard,
    mover_men: int,
    sets: NDArray[np.uint64],
    codes: Codes,
    first: int,
    step: int,
    moves: MoveBuffer,
) -> int:
    """Return the first such entry, or -1; `moves` is scratch space."""
    numbering = endings.numbering
    for entry in range(first, codes.table.shape[0], step):
        mover = numbering.leaders[numbering.first_classes[mover_men] + entry // sets.shape[0]]
        opponent = spread_points(numbering, sets[entry % sets.shape[0]], ~mover & ALL_POINTS)
        position = MorrisPosition(mover, opponent, NO_CELLS)
        if code_by_moves(endings, board, position, moves) != code_at(codes, entry):
            return entry
    return -1


@kernel
def code_by_moves(
    endings: MorrisTablebaseIndex, board: MorrisBoard, position: MorrisPosition, moves: MoveBuffer
) -> int:
    """Return the code of a position that follows from the codes after its moves."""
    count = generate_moves(board, position, moves)
    shortest_win, longest_loss, can_draw = 0, 0, False
    for at in range(count):
        after = make_move(board, position, read_move(moves, at))
        code = LOST_NOW if count_cells(after.mover) < FLYING_MEN else probe(endings, board, after)
        if code == DRAWN:
            can_draw = True
        elif is_lost(code):
            shortest_win = code + 1 if shortest_win == 0 else min(shortest_win, code + 1)
        else:
            longest_loss = max(longest_loss, code + 1)
    if count == 0:
        return LOST_NOW
    if shortest_win > 0:
        return shortest_win
    return DRAWN if can_draw else longest_loss
