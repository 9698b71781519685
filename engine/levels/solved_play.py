"""The strongest level's play in a solved game: it keeps the result, and drives a hard bargain in drawn states.

If tables know distances, `engine.search` plays the shortest win and the longest loss. This module is for drawn
states, and for states whose result is known without a distance, from the small edition of the tables or a proof.

A proof has a share of the time for a move. If the state's result cannot be proved in that time, the search's move is at
least checked: it is not played if it is proved to lose.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from ..search import Analysis, Clock, Limits
from ..state import State
from ..tablebase.codes import DRAWN
from ..tablebase.probing import Tablebase
from ..tablebase.results import WIN, Kept, ProofBudget, Results, keeping_moves, kept_by_results, known_only
from .hard_bargain import Bargainer

PROOF_NODES = 4_000_000
"""Maximum nodes of the proofs for a move, for searches without a time limit."""

PROOF_NODES_PER_MS = 1_000
"""Approximate proof nodes that a processor searches in a millisecond."""

PROOF_SHARE = 0.4
"""Maximum share of the time for proofs."""

BARGAIN_SHARE = 0.5
"""The share of the time after which the hard bargain is chosen; the rest is for the search."""

CHECKED_FROM_SHARE = 0.6
"""The share of the remaining time for the search if its move is still to be checked. So after a failed proof the search
has 36% of the time for a move, and the check 24%; without one, the search has 60%.
"""

DRIVES_BARGAIN = True
"""Whether to prefer drawn moves that are hard to answer; `docs/tablebase.md` has its measured gain."""

LEAST_MS = 1.0
"""Minimum time for a search."""


class SolvedSearch(Protocol):
    """A search of one state within limits, of some moves or all, by a tablebase or without."""

    def __call__(self, limits: Limits, candidates: tuple[int, ...], probed: Tablebase | None = ...) -> Analysis:
        """Return the result; by default the level's tablebase is probed."""


class Stopwatch:
    """The shares of the time for a move."""

    def __init__(self, limits: Limits, clock: Clock, should_stop: Callable[[], bool] | None) -> None:
        self._limits = limits
        self._clock = clock
        self._should_stop = should_stop
        self._began = clock()
        self._thinking_ms = min((ms for ms in (limits.movetime_ms, limits.soft_ms) if ms is not None), default=None)

    def budget(self, share: float) -> ProofBudget:
        """Return a budget for proofs until this share of the time for the move has passed."""
        return ProofBudget(PROOF_NODES, lambda: self._is_past(share))

    def affords(self, nodes: int) -> bool:
        """Return whether a proof of this many nodes is likely to end within its share of the time."""
        most = PROOF_NODES if self._thinking_ms is None else self._thinking_ms * PROOF_SHARE * PROOF_NODES_PER_MS
        return nodes <= most

    def left(self, share: float = 1.0) -> Limits:
        """Return the limits of a search that ends after this share of the remaining time."""
        elapsed_ms = (self._clock() - self._began) * 1000
        movetime_ms, soft_ms = (
            None if ms is None else max((ms - elapsed_ms) * share, LEAST_MS)
            for ms in (self._limits.movetime_ms, self._limits.soft_ms)
        )
        return replace(self._limits, movetime_ms=movetime_ms, soft_ms=soft_ms)

    def _is_past(self, share: float) -> bool:
        if self._should_stop is not None and self._should_stop():
            return True
        elapsed_ms = (self._clock() - self._began) * 1000
        return self._thinking_ms is not None and elapsed_ms >= self._thinking_ms * share


def search_solved(
    state: State,
    tablebase: Tablebase,
    limits: Limits,
    clock: Clock,
    search: SolvedSearch,
    should_stop: Callable[[], bool] | None = None,
) -> Analysis:
    """Return the analysis of the move that keeps the result of a state, as far as it is known in time."""
    results, stopwatch = tablebase.results, Stopwatch(limits, clock, should_stop)
    known = _kept_by_distance(state, tablebase)
    if results is None or state.outcome is not None or (known is not None and known.value != 0):
        return search(limits, ())
    if known is None:
        if not results.covers(state):
            return search(limits, ())
        if stopwatch.affords(results.proof_nodes(state)):
            known = kept_by_results(results, state, stopwatch.budget(PROOF_SHARE))
    if known is None:
        return _search_and_check(state, results, stopwatch, search)
    if not known.moves:
        return search(stopwatch.left(), ())
    moves = tuple(move for move in known.moves if not state.after(move).repetitions) or known.moves
    if known.value == 0 and len(moves) > 1 and DRIVES_BARGAIN:
        moves = Bargainer(results, stopwatch.budget(BARGAIN_SHARE), clock).best_of(state, moves)
    is_only_move = limits.ends_when_settled and len(moves) == 1
    left = replace(limits, depth=1) if is_only_move else stopwatch.left()
    return search(left, moves, None) if known.value == 0 else search(left, moves)


def _kept_by_distance(state: State, tablebase: Tablebase) -> Kept | None:
    """Return the result of full tables for a state, which includes repetition and the limit of quiet plies."""
    solution = tablebase.solve(state)
    if solution is None or not solution.moves:
        return None
    return Kept(0 if solution.code == DRAWN else 1, solution.moves)


def _search_and_check(state: State, results: Results, stopwatch: Stopwatch, search: SolvedSearch) -> Analysis:
    """Return the analysis of a move that is not proved to lose, if there is time to find out.

    If there is no time to check the search's move, a move known not to lose replaces it.
    """
    left = state.legal_moves
    safe = keeping_moves(results, state, 0, known_only())
    found = best = search(stopwatch.left(CHECKED_FROM_SHARE), ())
    budget = stopwatch.budget(1.0)
    while found.best_move is not None:
        move = state.parse_move(found.best_move)
        loses = results.reaches(state.after(move), WIN, budget)
        if loses is None and safe:
            return found if move in safe else search(stopwatch.left(), safe)
        if not loses:
            return found
        left = tuple(other for other in left if other != move)
        if not left:
            break
        found = search(stopwatch.left(), left)
    return best
