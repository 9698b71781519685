"""The search of one thread: iterations within aspiration windows, each run in slices of nodes.

`engine.search.iterative_deepening` decides which iterations there are. See chessprogramming.org/Aspiration_Windows.
"""

from collections.abc import Callable

import numpy as np

from ..game import NO_MOVE, TablebaseIndex
from ..game.techniques import Techniques
from ..state import State
from ..transposition_table import Histories, TranspositionTable
from .abdada import end_busy
from .alpha_beta import Advance
from .aspiration_window import (
    FAILED_LOW,
    INSIDE,
    WINDOW_WORDS,
    Window,
    enter_window,
    is_exact,
    open_window,
    widen_window,
)
from .expected_score import expected_score
from .leaf_values import value_of_ranks
from .opponent_model import OpponentModel
from .records import Handicap
from .shared_progress import SharedProgress
from .stability import Stability
from .time_checks import FIRST_SLICE_NODES, TimeChecks
from .tree import (
    BUSY,
    GENERATION,
    MOVE,
    NODES,
    NOISE,
    OPPONENTS,
    OVERSIGHTS,
    PAST,
    QUIESCENCE,
    QUIET,
    REVERSIBLE,
    ROOT_MOVES,
    SEATS,
    SEED,
    TRIED,
    VALUE,
    Tree,
    new_tree,
)
from .tree_repetition import make_line_keys


class AspirationSearch:
    """The search of one thread: its tree, and the best result so far."""

    def __init__(
        self,
        state: State,
        time_checks: TimeChecks,
        progress: SharedProgress,
        advance: Advance,
        table: TranspositionTable,
        tree: Tree,
        tablebase_index: TablebaseIndex,
        techniques: Techniques,
        on_root_move: Callable[[int, int, int], None] | None = None,
    ) -> None:
        self.state = state
        self.time_checks = time_checks
        self.progress = progress
        self.advance = advance
        self.table = table
        self.tree = tree._replace(busy=progress.busy)
        self.tablebase_index = tablebase_index
        self.techniques = techniques
        self.tree.counters[GENERATION] = table.generation
        self.seen_at_root = tree.seen.copy()
        self.is_over = state.outcome is not None
        is_timed = time_checks.limits.movetime_ms is not None or time_checks.limits.soft_ms is not None
        is_timed |= time_checks.limits.ends_when_settled
        self.is_forced = is_timed and len(state.legal_moves) == 1
        self.window: Window = np.zeros(WINDOW_WORDS, dtype=np.int64)
        self.on_root_move = on_root_move
        """Called after a slice with the depth, the root move being searched, and its number from 1."""
        self.depth = 0
        self.selective_depth = 0
        self.value = _value_of_end(state) if self.is_over else 0
        self.variation: tuple[int, ...] = ()
        self.stability = Stability()

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to find: play is over, the only move is known, or a win's distance is exact."""
        if self.is_over or (self.is_forced and self.depth > 0):
            return True
        return is_exact(self.value, self.depth)

    def is_move_settled(self, used_share: float) -> bool:
        """Return whether the best move is settled after an iteration, at which this share of the limits was used."""
        return self.stability.is_settled(used_share, expected_score(self.state.game, self.value))

    def iterate(self, depth: int) -> bool:
        """Search to a depth. Return False, keeping the previous result, if a limit or another thread came first."""
        self._discard_unfinished()
        self.tree.entry_keys.fill(0)
        used = self.techniques
        open_window(self.window, self.tree.counters, self.value, depth, used.aspiration, used.contempt)
        while True:
            is_done = self._search_window(depth)
            if self.tree.lengths[0] > 0:
                self.variation = tuple(self.tree.variations[0, : self.tree.lengths[0]].tolist())
            if not is_done:
                return False
            value = int(self.tree.counters[VALUE])
            lies = widen_window(self.window, value)
            if lies == INSIDE:
                break
            if lies == FAILED_LOW:
                self.stability.fail_low(value)
        self._complete(depth, value, self.variation)
        # A node writes its key when it is entered.
        entered = np.flatnonzero(self.tree.entry_keys)
        self.selective_depth = int(entered[-1]) if len(entered) else 0
        self.progress.advance(depth, value, self.variation)
        return True

    def _discard_unfinished(self) -> None:
        """Undo an interrupted iteration: remove the positions of its line, and its marks for other threads."""
        np.copyto(self.tree.seen, self.seen_at_root)
        past, is_marked = self.tree.counters[PAST], self.tree.frames[:, BUSY]
        for ply in np.flatnonzero(is_marked):
            end_busy(self.tree.busy, self.tree.keys[past + ply + 1])
        is_marked[:] = 0

    def catch_up(self) -> bool:
        """Adopt the result of the deepest thread; return False if it is not deeper than this one's."""
        if self.progress.depth <= self.depth:
            return False
        self._complete(*self.progress.latest())
        return True

    def _complete(self, depth: int, value: int, variation: tuple[int, ...]) -> None:
        self.depth, self.value, self.variation = depth, value, variation
        if variation:
            self.stability.complete_iteration(variation[0], value)
            self.time_checks.time_factor = self.stability.time_factor(variation[0])

    def _search_window(self, depth: int) -> bool:
        """Search within a window; return False if a limit or another thread came first.

        The first iteration is always completed, so that there is a move.
        """
        counters, progress = self.tree.counters, self.progress
        enter_window(self.window, counters, self.tree.frames, depth, self.variation[0] if self.variation else NO_MOVE)
        first = self.time_checks.limits.depth_step
        while True:
            before = int(counters[NODES])
            granted = progress.take_nodes(self.time_checks.next_slice() if depth > first else FIRST_SLICE_NODES)
            allowed = granted if depth > first else FIRST_SLICE_NODES
            is_done = self.advance(
                self.state.start.board, self.tablebase_index, self.tree, self.table.entries, before + allowed
            )
            searched = int(counters[NODES]) - before
            progress.return_nodes(granted - searched)
            if is_done:
                return True
            self._end_slice(searched)
            if depth > first and (progress.depth >= depth or progress.is_exhausted or self.time_checks.is_spent()):
                return False

    def _end_slice(self, nodes: int) -> None:
        """Adapt slices and time to a completed slice."""
        if self.tree.frames[0, TRIED] > 1:
            self.progress.report_eldest(self.depth + 1)
        if self.on_root_move is not None and self.tree.frames[0, MOVE] != NO_MOVE:
            number = int(self.tree.frames[0, TRIED])
            self.on_root_move(self.depth + 1, int(self.tree.frames[0, MOVE]), max(number, 1))
        self.time_checks.end_slice(nodes)
        self.stability.add_effort(int(self.tree.frames[0, MOVE]), nodes)
        best_move = int(self.tree.variations[0, 0]) if self.tree.lengths[0] > 0 else self.stability.best_move
        if best_move is not None:
            self.time_checks.time_factor = self.stability.time_factor(best_move)


def tree_at_root(state: State, handicap: Handicap, opponent_model: OpponentModel, histories: Histories) -> Tree:
    """Return a new tree with the state at its root, preceded by the positions that could repeat.

    It starts from `histories` of this seat, and updates them.
    """
    past = state.history()
    tree = new_tree(state.game, len(past), histories)
    line = np.concatenate([past, state.settled_words[None]])
    make_line_keys(state.game)(line, 0, len(line), tree.keys, tree.seen)
    tree.words[0] = state.words
    tree.root_moves[: len(state.legal_moves)] = state.legal_moves
    tree.counters[[PAST, ROOT_MOVES]] = len(past), len(state.legal_moves)
    seats = state.start.seats
    tree.counters[[SEATS, OPPONENTS]] = seats, seats - 1 if opponent_model is OpponentModel.PARANOID else 1
    tree.counters[[NOISE, SEED, QUIESCENCE]] = handicap.noise, handicap.seed, handicap.quiescence
    tree.counters[OVERSIGHTS] = handicap.oversights
    tree.frames[0, [QUIET, REVERSIBLE]] = state.quiet_plies, len(past)
    return tree


def restrict_moves(tree: Tree, moves: tuple[int, ...]) -> None:
    """Restrict the root to these moves."""
    tree.root_moves[: len(moves)] = moves
    tree.counters[ROOT_MOVES] = len(moves)


def _value_of_end(state: State) -> int:
    """Return the value of a finished match for the seat to move."""
    assert state.outcome is not None
    ranks = np.array(state.outcome.ranks, dtype=np.int32)
    return int(value_of_ranks(ranks, state.seat, len(ranks), 0))
