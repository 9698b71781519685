"""Searching a state within limits: iterative deepening, aspiration windows, and time kept between slices of nodes.

Not the search itself, which is `engine.search`, and not the choice of a playing strength, which is `engine.levels`.
The clock is handed in, since the engine has none. Imported by `engine.levels`, `engine.uci` and the server's bots.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.game import Endings
from engine.rules import rules_of
from engine.search import (
    ALL_TECHNIQUES,
    ALPHA,
    BETA,
    DEEPEST,
    DEPTH,
    ENTER,
    GENERATION,
    NODES,
    NOISE,
    OPPONENTS,
    PAST,
    PLY,
    QUIESCENCE,
    QUIET,
    REVERSIBLE,
    ROOT_MOVES,
    SEATS,
    SEED,
    STEP,
    VALUE,
    Advance,
    Opposition,
    Techniques,
    Tree,
    make_search,
    new_tree,
    slot_of,
    value_of_code,
    value_of_ranks,
)
from engine.state import State
from engine.table import PROVEN, WIN, Table, new_table
from engine.tablebase.codes import DRAWN, plies_of
from engine.tablebase.probing import Solution, Tablebase, no_endings

Clock = Callable[[], float]
"""Returns seconds from any fixed moment."""

SLICE_SECONDS = 0.003
FIRST_SLICE_NODES = 2_000
LEAST_SLICE_NODES = 50
MOST_SLICE_NODES = 30_000

ASPIRATION_FROM_DEPTH = 4
ASPIRATION_WIDTH = 30
"""Half the first window, in hundredths of a man; it is opened fourfold at each failure."""

WIDEST_ASPIRATION = 500
QUIESCENCE_PLIES = 6
TABLE_MEGABYTES = 32


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops, whichever comes first; None stands for no limit."""

    depth: int | None = None
    """In plies."""
    nodes: int | None = None
    movetime_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Temper:
    """What makes an engine play other than its best."""

    noise: int = 0
    """Leaves are misjudged by up to this many hundredths of a man, either way."""
    seed: int = 0
    """Which way each leaf is misjudged, 0..2**63-1."""
    quiescence: int = QUIESCENCE_PLIES
    """How many plies of noisy moves are followed below the nominal depth."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search found."""

    depth: int
    """The deepest completed iteration, in plies; 0 if there was nothing to search."""
    value: int
    """In hundredths of a man, mover's view; `WIN - n` for a win in n plies, `n - WIN` for a loss in n plies."""
    nodes: int
    elapsed_ms: float
    principal_variation: tuple[str, ...]
    """Move texts; empty only if play is over or not one move was searched."""

    @property
    def best_move(self) -> str | None:
        """The text of the move to play, or None if play is over."""
        return self.principal_variation[0] if self.principal_variation else None


PERFECT_TEMPER = Temper()


def analyse(
    state: State,
    limits: Limits,
    clock: Clock,
    *,
    on_iteration: Callable[[Analysis], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    table: Table | None = None,
    temper: Temper = PERFECT_TEMPER,
    techniques: Techniques = ALL_TECHNIQUES,
    opposition: Opposition = Opposition.BEST_REPLY,
    tablebase: Tablebase | None = None,
) -> Analysis:
    """Search a state until a limit is reached, and return the best that was found.

    `on_iteration` hears of each completed iteration, `should_stop` is asked every few milliseconds. A table may be
    handed in that earlier searches of the same match have filled; entries of another match's board would mislead.
    `opposition` matters where more than two seats play.

    A `tablebase` answers for the endings that it has without a search: the shortest win, the longest loss. In a drawn
    one the moves that keep the draw are searched as if nothing were known, for the one that is hardest to answer. What
    leads to solved endings is valued by them.
    """
    pace = _Pace(limits, clock, should_stop)
    solution = tablebase.solve(state) if tablebase is not None else None
    if tablebase is not None and solution is not None and solution.moves and solution.code != DRAWN:
        return _analysis_of(state, tablebase, solution, pace, on_iteration)
    table = table or new_table(TABLE_MEGABYTES)
    table.begin_search()
    endings = no_endings(state.game)
    tree = _tree_at(state, temper, opposition)
    if solution is not None and solution.moves:
        _keep_moves(tree, solution.moves)
    elif tablebase is not None and tablebase.game is state.game:
        endings = tablebase.endings
    run = _Run(state, pace, make_search(state.game, techniques), table, tree, endings)
    deepest = 2 * DEEPEST // state.start.seats
    for depth in range(1, min(limits.depth or deepest, deepest) + 1):
        if run.is_settled or not run.iterate(depth):
            break
        if on_iteration is not None:
            on_iteration(run.analysis())
    return run.analysis()


class _Pace:
    """When to look at the clock, and whether a limit is reached."""

    def __init__(self, limits: Limits, clock: Clock, should_stop: Callable[[], bool] | None) -> None:
        self.started = clock()
        self.limits = limits
        self.clock = clock
        self.should_stop = should_stop
        self.slice_nodes = FIRST_SLICE_NODES
        self.slice_started = self.started

    @property
    def elapsed_ms(self) -> float:
        """Time since the search began."""
        return (self.clock() - self.started) * 1000

    def start_slice(self, nodes: int) -> int:
        """Return at how many nodes to pause, `nodes` having been searched."""
        self.slice_started = self.clock()
        slice_nodes = self.slice_nodes
        if self.limits.movetime_ms is not None:
            left = self.started + self.limits.movetime_ms / 1000 - self.slice_started
            slice_nodes = max(int(slice_nodes * min(left / SLICE_SECONDS, 1)), LEAST_SLICE_NODES)
        return nodes + slice_nodes if self.limits.nodes is None else min(nodes + slice_nodes, self.limits.nodes)

    def end_slice(self, nodes: int) -> None:
        """Learn from a slice of so many nodes how long the next may be."""
        seconds = self.clock() - self.slice_started
        wanted = int(nodes * SLICE_SECONDS / seconds) if seconds > 0 else self.slice_nodes * 2
        self.slice_nodes = max(min(wanted, self.slice_nodes * 2, MOST_SLICE_NODES), LEAST_SLICE_NODES)

    def is_spent(self, nodes: int) -> bool:
        """Return whether a limit is reached after so many nodes in all."""
        if self.limits.nodes is not None and nodes >= self.limits.nodes:
            return True
        if self.limits.movetime_ms is not None and self.elapsed_ms >= self.limits.movetime_ms:
            return True
        return self.should_stop is not None and self.should_stop()


class _Run:
    """One search under way: the tree and what has been found so far."""

    def __init__(self, state: State, pace: _Pace, advance: Advance, table: Table, tree: Tree, endings: Endings) -> None:
        self.state = state
        self.pace = pace
        self.advance = advance
        self.table = table
        self.tree = tree
        self.endings = endings
        self.tree.counters[GENERATION] = table.generation
        self.is_over = state.outcome is not None
        self.is_forced = pace.limits.movetime_ms is not None and len(state.legal_moves) == 1
        self.depth = 0
        self.value = _value_of_end(state) if self.is_over else 0
        self.variation: tuple[int, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing left to find: play is over, a forced move is wanted, a win was seen to its end."""
        if self.is_over or (self.is_forced and self.depth > 0):
            return True
        return abs(self.value) > PROVEN and WIN - abs(self.value) <= self.depth

    def iterate(self, depth: int) -> bool:
        """Search to a depth; return False if a limit came first, having kept what was found before it."""
        width = ASPIRATION_WIDTH if depth >= ASPIRATION_FROM_DEPTH and abs(self.value) < PROVEN else 2 * WIN
        low, high = max(self.value - width, -WIN), min(self.value + width, WIN)
        while True:
            is_done = self._search_window(depth, low, high)
            if self.tree.lengths[0] > 0:
                self.variation = tuple(self.tree.variations[0, : self.tree.lengths[0]].tolist())
            if not is_done:
                return False
            value = int(self.tree.counters[VALUE])
            width = width * 4 if width * 4 <= WIDEST_ASPIRATION else 2 * WIN
            if value <= low:
                low = max(value - width, -WIN)
            elif value >= high:
                high = min(value + width, WIN)
            else:
                break
        self.depth, self.value = depth, value
        return True

    def analysis(self) -> Analysis:
        """Return what has been found so far."""
        return Analysis(
            self.depth,
            self.value,
            int(self.tree.counters[NODES]),
            self.pace.elapsed_ms,
            tuple(self.state.format_move(move) for move in self.variation),
        )

    def _search_window(self, depth: int, low: int, high: int) -> bool:
        """Search with these bounds on the value; return False if a limit came first.

        The first iteration is completed in any case, so that there is a move.
        """
        counters, frames = self.tree.counters, self.tree.frames
        counters[PLY], counters[STEP] = 0, ENTER
        frames[0, ALPHA], frames[0, BETA], frames[0, DEPTH] = low, high, depth
        while True:
            before = int(counters[NODES])
            pause = self.pace.start_slice(before) if depth > 1 else before + FIRST_SLICE_NODES
            if self.advance(self.state.start.board, self.endings, self.tree, self.table.entries, pause):
                return True
            self.pace.end_slice(int(counters[NODES]) - before)
            if depth > 1 and self.pace.is_spent(int(counters[NODES])):
                return False


def _tree_at(state: State, temper: Temper, opposition: Opposition) -> Tree:
    """Return a fresh tree with the state at its root and the positions that it may not repeat behind it."""
    key_of = rules_of(state.game).key
    past = state.history()
    tree = new_tree(state.game, len(past))
    for index, words in enumerate([*past, state.settled_words]):
        key = np.uint64(key_of(words))
        tree.keys[index] = key
        tree.seen[slot_of(key)] += 1
    tree.words[0] = state.words
    tree.root_moves[: len(state.legal_moves)] = state.legal_moves
    tree.counters[[PAST, ROOT_MOVES]] = len(past), len(state.legal_moves)
    seats = state.start.seats
    tree.counters[[SEATS, OPPONENTS]] = seats, seats - 1 if opposition is Opposition.PARANOID else 1
    tree.counters[[NOISE, SEED, QUIESCENCE]] = temper.noise, temper.seed, temper.quiescence
    tree.frames[0, [QUIET, REVERSIBLE]] = state.quiet_plies, len(past)
    return tree


def _keep_moves(tree: Tree, moves: tuple[int, ...]) -> None:
    """Let a search begin with these moves only."""
    tree.root_moves[: len(moves)] = moves
    tree.counters[ROOT_MOVES] = len(moves)


def _analysis_of(
    state: State,
    tablebase: Tablebase,
    solution: Solution,
    pace: _Pace,
    on_iteration: Callable[[Analysis], None] | None,
) -> Analysis:
    """Return what tables say of a won or lost state."""
    line = tablebase.line(state, solution)
    texts = tuple(state.format_move(move) for move in line)
    value = int(value_of_code(solution.code, 0))
    found = Analysis(plies_of(solution.code), value, 0, pace.elapsed_ms, texts)
    if on_iteration is not None:
        on_iteration(found)
    return found


def _value_of_end(state: State) -> int:
    """Return the value of a finished match for the seat to move."""
    assert state.outcome is not None
    ranks = np.array(state.outcome.ranks, dtype=np.int32)
    return int(value_of_ranks(ranks, state.seat, len(ranks), 0))
