"""The current line of the search tree, as arrays: all state that a pause must keep."""

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
"""Number of frames; maximum depth plus quiescence plies stay below it."""

MAX_DEPTH = 100
"""Maximum depth of an iteration, in plies."""

SEEN_SLOTS = 4096
"""Size of the filter that recognises most new positions without comparing keys."""

ENTER, EXPAND, NEXT, LEAVE = 0, 1, 2, 3
"""The loop's next action at the current node: enter it, generate its moves, try the next move, or return its value."""

PROBE_REDUCED, PROBE, FULL_WINDOW, NULL_MOVE, CUTTING = 0, 1, 2, 3, 4
"""How the current move is searched. Each of the first three fails high into the next, and `FULL_WINDOW` is final;
`NULL_MOVE` is the null move, and `CUTTING` is for the moves that multi-cut looks at beforehand."""

FRAME_COLUMNS = 21
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
    CUTS,
    ENTERED,
) = range(FRAME_COLUMNS)
"""The columns of `Tree.frames`. `FLOOR` is alpha when the node was entered. `QUIET` counts plies since an irreversible
move, and `REVERSIBLE` the earlier positions that could equal this one. `TURN` counts plies since the root's seat moved,
0 where it is to move; `ANSWERS` is how many of the seats until then may still choose their move. `STATIC` is the static
evaluation, or `UNKNOWN`, and `UNCORRECTED` the same before correction. `BUSY` is 1 if the current move is marked in
`Tree.busy`; `DEFERRALS` counts moves deferred because of other threads. `CUTS` counts the cutoffs that multi-cut has
found, -1 where it does not look for any. `ENTERED` is the number of nodes before the node, for the two-level table."""

UNKNOWN = -32768
"""The static evaluation of a node where it was not computed."""

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
    DRAW_AT,
    DRAW_PENALTY,
) = range(15)
"""The entries of `Tree.counters`: the state of the loop, its counts, and its parameters. `OPPONENTS` is the initial
`ANSWERS` of each round, `DRAW_AT` the result of `count_repeats` that is a draw, `DRAW_PENALTY` by how much less than 0
a draw by repetition or quiet plies is worth to the root's seat."""


class Tree(NamedTuple):
    """The arrays of a search."""

    counters: NDArray[np.int64]
    frames: NDArray[np.int64]
    """One row for each ply."""
    words: NDArray[np.uint64]
    """The position at each ply, from the mover's view: shape `(PLIES, position_words)`."""
    keys: NDArray[np.uint64]
    """Repetition keys: of the positions before the root, oldest first, then of each ply."""
    entry_keys: NDArray[np.uint64]
    """The transposition table's key of the position at each ply."""
    seen: NDArray[np.int64]
    """The number of `keys` in each slot."""
    root_moves: MoveBuffer
    buffer: MoveBuffer
    ranked: Ranked
    killers: Killers
    history: History
    corrections: Corrections
    variations: NDArray[np.int64]
    """The triangular table of principal variations: row p holds that from ply p on, from column p to column
    `lengths[p]`."""
    lengths: NDArray[np.int64]
    ranks: NDArray[np.int32]
    """Scratch for `Kernels.outcome`."""
    busy: Busy
    """Shared by all threads: see `engine.search.abdada`."""


def new_tree(game: Game, past: int, histories: Histories) -> Tree:
    """Return the arrays of a search with `past` positions before its root, which updates `histories`."""
    max_moves = game.rules.kernels.max_moves
    return Tree(
        counters=np.zeros(15, dtype=np.int64),
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
    """Make `move` and the variation of the next ply the variation of `ply`."""
    variations[ply, ply] = move
    for column in range(ply + 1, lengths[ply + 1]):
        variations[ply, column] = variations[ply + 1, column]
    lengths[ply] = max(lengths[ply + 1], ply + 1)
