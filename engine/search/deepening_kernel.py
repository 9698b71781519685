"""Iterative deepening of one thread as a kernel, for the browser: it has neither Python nor helpers.

It decides as `iterative_deepening` does, by the same kernels (`aspiration_window`), and so searches the same nodes. A
search pauses after each iteration, when the variation is the iteration's, and when it has used its nodes; the caller
looks at the clock in between.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from ..game import NO_MOVE, Board, Game, TablebaseIndex
from ..game.techniques import Techniques
from ..transposition_table import Entries
from .alpha_beta import make_search
from .aspiration_window import INSIDE, WINDOW_WORDS, Window, enter_window, is_exact, open_window, widen_window
from .tree import NODES, PLIES, SEEN_SLOTS, VALUE, Tree

FACTS = ("depth", "value", "length", "selective_depth", "max_plies", "max_nodes", "is_searching", "is_over")
(DEPTH, FOUND_VALUE, LENGTH, SELECTIVE_DEPTH, MAX_PLIES, MAX_NODES, IS_SEARCHING, IS_OVER) = range(len(FACTS))
"""The entries of `Run.facts`, and their names for the page: the result so far, with the length of its variation; the
limits, 0 nodes for none; whether an iteration is under way; and whether there is nothing to search."""


class Run(NamedTuple):
    """The progress of a search."""

    facts: NDArray[np.int64]
    variation: NDArray[np.int64]
    """The principal variation: shape `(PLIES,)`; within an iteration, what that has found so far."""
    window: Window
    seen_at_root: NDArray[np.int64]
    """`Tree.seen` before the first iteration."""


Deepen = Callable[[Board, TablebaseIndex, Tree, Entries, Run, int], bool]
"""`(board, tablebase_index, tree, entries, run, nodes)`: search on until done, and return True, or to the end of an
iteration or for this many nodes, and return False."""


def new_run() -> Run:
    """Return the arrays of a search."""
    return Run(
        facts=np.zeros(len(FACTS), dtype=np.int64),
        variation=np.zeros(PLIES, dtype=np.int64),
        window=np.zeros(WINDOW_WORDS, dtype=np.int64),
        seen_at_root=np.zeros(SEEN_SLOTS, dtype=np.int64),
    )


@cache
def make_deepening(game: Game, techniques: Techniques | None = None) -> Deepen:
    """Return the kernel that searches a game deeper and deeper, from a prepared tree."""
    used = techniques or game.strength.techniques
    advance, aspires, has_contempt = make_search(game, techniques), used.aspiration, used.contempt

    @kernel
    def deepen(
        board: Board, tablebase_index: TablebaseIndex, tree: Tree, entries: Entries, run: Run, nodes: int
    ) -> bool:
        facts, variation, counters = run.facts, run.variation, tree.counters
        pause_at = counters[NODES] + nodes
        while True:
            if facts[IS_SEARCHING] == 0:
                is_found = facts[IS_OVER] == 1 or is_exact(facts[FOUND_VALUE], facts[DEPTH])
                if is_found or facts[DEPTH] >= facts[MAX_PLIES]:
                    return True
                for slot in range(tree.seen.shape[0]):
                    tree.seen[slot] = run.seen_at_root[slot]
                for ply in range(tree.entry_keys.shape[0]):
                    tree.entry_keys[ply] = np.uint64(0)
                open_window(run.window, counters, facts[FOUND_VALUE], facts[DEPTH] + 1, aspires, has_contempt)
                enter_window(run.window, counters, tree.frames, facts[DEPTH] + 1, _first_move(run))
                facts[IS_SEARCHING] = 1
            # The first iteration is always completed, so that there is a move.
            is_limited = facts[DEPTH] > 0 and facts[MAX_NODES] > 0
            limit = min(pause_at, facts[MAX_NODES]) if is_limited else pause_at
            is_done = advance(board, tablebase_index, tree, entries, limit)
            if tree.lengths[0] > 0:
                facts[LENGTH] = tree.lengths[0]
                for ply in range(tree.lengths[0]):
                    variation[ply] = tree.variations[0, ply]
            if not is_done:
                return bool(is_limited and counters[NODES] >= facts[MAX_NODES])
            if widen_window(run.window, counters[VALUE]) != INSIDE:
                enter_window(run.window, counters, tree.frames, facts[DEPTH] + 1, _first_move(run))
                continue
            facts[DEPTH] += 1
            facts[FOUND_VALUE] = counters[VALUE]
            facts[SELECTIVE_DEPTH] = facts[LENGTH]
            for ply in range(tree.entry_keys.shape[0]):
                if tree.entry_keys[ply] != np.uint64(0):
                    facts[SELECTIVE_DEPTH] = max(facts[SELECTIVE_DEPTH], ply)
            facts[IS_SEARCHING] = 0
            return False

    return deepen


@kernel
def _first_move(run: Run) -> int:
    return run.variation[0] if run.facts[LENGTH] > 0 else NO_MOVE
