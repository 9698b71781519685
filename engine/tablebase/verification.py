"""Counting a table of Nine Men's Morris, and checking its entries against their moves.

It works forwards, by the rules that matches are played by, and so is independent of the retrograde analysis.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bindings import read_move
from ..bits import NO_CELLS, count_cells, kernel
from ..game import MoveBuffer, Words
from ..games.morris.kernels import MAX_MOVES, generate_moves, make_move
from ..games.morris.points import ALL_POINTS, POINTS
from ..games.morris.position import MorrisBoard, MorrisPosition
from ..games.morris.symmetries import SYMMETRIES, image_of
from ..games.morris.tablebase_index import MorrisTablebaseIndex, Numbering, pack_points, probe, spread_points
from .codes import DRAWN, LOST_NOW, Codes, is_lost, is_won
from .retrograde_analysis import FLYING_MEN, fill_sets

WON, LOST = 1, 2
"""With `DRAWN`, the columns of the arrays that `count_entries` writes."""

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


def count_results(numbering: Numbering, men: tuple[int, int], codes: Codes) -> ResultCounts:
    """Count the results in a table with these men of the mover and of the opponent."""
    mover_men, opponent_men = men
    counts = np.zeros((2, 3), dtype=np.int64)
    longest = np.zeros(3, dtype=np.int64)
    count_entries(numbering, mover_men, opponent_sets(mover_men, opponent_men), codes, counts, longest)
    placements, orbits = counts.tolist()
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


def opponent_sets(mover_men: int, opponent_men: int) -> NDArray[np.uint64]:
    """Return the sets of the opponent's men in order of their numbers, packed into the points that the mover leaves
    free."""
    sets = np.zeros(comb(POINTS - mover_men, opponent_men), dtype=np.uint64)
    fill_sets(sets, opponent_men)
    return sets


@kernel
def count_entries(
    numbering: Numbering,
    mover_men: int,
    sets: NDArray[np.uint64],
    codes: Codes,
    counts: NDArray[np.int64],
    longest: NDArray[np.int64],
) -> None:
    """Count placements and orbits by result, and find the longest win and loss in plies."""
    first = numbering.first_classes[mover_men]
    for entry in range(codes.shape[0]):
        code = int(codes[entry])
        at = first + entry // sets.shape[0]
        end = DRAWN
        if code != DRAWN:
            end = WON if is_won(code) else LOST
            longest[end] = max(longest[end], code - 1)
        counts[0, end] += SYMMETRIES // count_cells(np.uint64(numbering.stabilisers[at]))
        counts[1, end] += int(is_first_of_orbit(numbering, at, sets[entry % sets.shape[0]]))


@kernel
def is_first_of_orbit(numbering: Numbering, at: int, packed: np.uint64) -> bool:
    """Return whether the entry has the smallest number of those that stand for the same position."""
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
    """Return the position that an entry stands for."""
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
    for entry in range(first, codes.shape[0], step):
        mover = numbering.leaders[numbering.first_classes[mover_men] + entry // sets.shape[0]]
        opponent = spread_points(numbering, sets[entry % sets.shape[0]], ~mover & ALL_POINTS)
        position = MorrisPosition(mover, opponent, NO_CELLS)
        if code_by_moves(endings, board, position, moves) != int(codes[entry]):
            return entry
    return -1


@kernel
def code_by_moves(
    endings: MorrisTablebaseIndex, board: MorrisBoard, position: MorrisPosition, moves: MoveBuffer
) -> int:
    """Return the code of a position as it follows from the codes of the positions after its moves."""
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
