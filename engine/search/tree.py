"""A search under way, as arrays: what every part of the search reads and writes, and what a pause must keep.

Nothing is searched here: that is `engine.search.alpha_beta`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from ..game import Game, MoveBuffer
from ..transposition_table import Histories
from .abdada import NO_SHARED_MARKS, Busy
from .correction_history import Corrections
from .move_ordering import History, Killers, Ranked

PLIES = 128
"""Frames of a search; deepest nominal depth and quiescence together stay below."""

MAX_DEPTH = 100
"""No iteration is deeper, in plies."""

SEEN_SLOTS = 4096
"""Size of the filter that tells most positions of a line apart without comparing keys."""

ENTER, EXPAND, NEXT, LEAVE = 0, 1, 2, 3
"""What the loop does with the node at hand: look at it, find its moves, try the next of them, hand its value up."""

PROBE_REDUCED, PROBE, FULL_WINDOW, NULL_MOVE = 0, 1, 2, 3
"""How the move at hand is being searched. Of the first three each fails high into the next, and the last is believed;
`NULL_MOVE` is no move but the null move."""

FRAME_COLUMNS = 19
(
    ALPHA,
    BETA,
    FLOOR,
    DEPTH,
    BEST,
    BEST_MOVE,
    COUNT,
    TRIED,
    MOVE,
    MODE,
    QUIET,
    REVERSIBLE,
    TURN,
    ANSWERS,
    STATIC,
    UNCORRECTED,
    TABLE_MOVE,
    BUSY,
    DEFERRALS,
) = range(FRAME_COLUMNS)
"""The columns of `Tree.frames`. `FLOOR` is alpha as the node was entered, `QUIET` counts plies since an irreversible
move for the quiet limit, `REVERSIBLE` the positions before this one that could equal it, `TURN` the plies since the
root's seat moved, 0 where it is to move, and `ANSWERS` how many of the seats until it moves again may choose theirs.
`STATIC` is the worth without looking further, or `UNKNOWN`, and `UNCORRECTED` the same before corrections. `BUSY` is 1
where the move at hand is marked in `Tree.busy`, `DEFERRALS` counts the moves that were put off for other threads."""

UNKNOWN = -32768
"""The static worth of a node at which nobody asked for it."""

(
    PLY,
    STEP,
    VALUE,
    NODES,
    PAST,
    ROOT_MOVES,
    QUIESCENCE,
    NOISE,
    SEED,
    GENERATION,
    SEATS,
    OPPONENTS,
    OVERSIGHTS,
    DRAWN_AT,
) = range(14)
"""The entries of `Tree.counters`: where the search is, what it has counted, and what it was told at its start.
`OPPONENTS` is what `ANSWERS` begins with each round, `DRAWN_AT` the count of `count_repeats` that is a draw."""


class Tree(NamedTuple):
    """A search under way; everything that a pause must keep."""

    counters: NDArray[np.int64]
    frames: NDArray[np.int64]
    """One row a ply."""
    words: NDArray[np.uint64]
    """The position at each ply, mover's view: shape `(PLIES, position_words)`."""
    keys: NDArray[np.uint64]
    """By what repetition knows the positions before the root, oldest first, and behind them those of each ply."""
    entry_keys: NDArray[np.uint64]
    """By what the table knows the position at each ply."""
    seen: NDArray[np.int64]
    """How many of `keys` fall into each slot."""
    root_moves: MoveBuffer
    buffer: MoveBuffer
    ranked: Ranked
    killers: Killers
    history: History
    corrections: Corrections
    variations: NDArray[np.int64]
    """Row p holds the best moves found from ply p on, from column p up to column `lengths[p]`."""
    lengths: NDArray[np.int64]
    ranks: NDArray[np.int32]
    """Scratch for `Kernels.outcome`."""
    busy: Busy
    """Shared by all threads of a search: see `engine.search.abdada`."""


def new_tree(game: Game, past: int, histories: Histories) -> Tree:
    """Return the arrays of a search with so many positions before its root, which knows and learns `histories`."""
    max_moves = game.rules.kernels.max_moves
    return Tree(
        counters=np.zeros(14, dtype=np.int64),
        frames=np.zeros((PLIES, FRAME_COLUMNS), dtype=np.int64),
        words=np.zeros((PLIES, game.rules.position_words), dtype=np.uint64),
        keys=np.zeros(past + PLIES, dtype=np.uint64),
        entry_keys=np.zeros(PLIES, dtype=np.uint64),
        seen=np.zeros(SEEN_SLOTS, dtype=np.int64),
        root_moves=np.zeros(max_moves, dtype=np.int32),
        buffer=np.zeros(max_moves, dtype=np.int32),
        ranked=np.zeros((PLIES, max_moves), dtype=np.int64),
        killers=np.zeros((PLIES, 2), dtype=np.int64),
        history=histories.history,
        corrections=histories.corrections,
        variations=np.zeros((PLIES, PLIES), dtype=np.int64),
        lengths=np.zeros(PLIES, dtype=np.int64),
        ranks=np.zeros(max(game.seats), dtype=np.int32),
        busy=NO_SHARED_MARKS,
    )


@kernel
def extend_variation(variations: NDArray[np.int64], lengths: NDArray[np.int64], ply: int, move: int) -> None:
    """Make `move` and the variation of the ply below it the variation of `ply`."""
    variations[ply, ply] = move
    for column in range(ply + 1, lengths[ply + 1]):
        variations[ply, column] = variations[ply + 1, column]
    lengths[ply] = max(lengths[ply + 1], ply + 1)
