"""The known results of a state in a solved game and of its moves: with a distance, or only who wins.

Distances come from full tables (`probing`). Otherwise `results` may know: from the small edition, the proof of the
start, or a short proof. Such a verdict has no distance, so it ignores the limit of quiet plies, like the tables
themselves.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..state import State
from .codes import DRAWN, is_won, plies_of
from .probing import Tablebase
from .results import ProofBudget, value_of_state

PROOF_NODES = 100_000
"""Maximum nodes of the proofs for a state and its moves: about a tenth of a second."""

LIKELY_SHARE = 0.5
"""A proof of the state is tried only if it is likely to end within this share of those nodes."""


class Verdict(NamedTuple):
    """How a state ends with best play by both sides."""

    result: int
    """1 if it is won, 0 if it is drawn, -1 if it is lost."""
    plies: int | None
    """The plies to the end; None for a draw, or if only the result is known."""


class Verdicts(NamedTuple):
    """The verdict on a state, for the side to move, and those on its moves."""

    state: Verdict | None
    moves: dict[int, Verdict]
    """By legal move with a known result, for the side that makes the move; plies count from after it."""


NO_VERDICTS = Verdicts(None, {})


def verdicts_on(tablebase: Tablebase, state: State, proof_nodes: int = PROOF_NODES) -> Verdicts:
    """Return the verdicts on a state and its moves that are known, or can be proved with this many nodes.

    A state in the full tables has no verdict if the limit of quiet plies may come first.
    """
    solution = tablebase.solve(state)
    code = tablebase.code_of(state) if solution is None else solution.code
    if code is not None:
        answers = tablebase.answers(state) if state.outcome is None else {}
        known = {move: _turned(verdict_of_code(answer)) for move, answer in answers.items() if answer is not None}
        return Verdicts(verdict_of_code(code), known)
    if tablebase.results is None or state.outcome is not None or tablebase.unlimited_code_of(state) is not None:
        return NO_VERDICTS
    is_likely = tablebase.results.proof_nodes(state) <= proof_nodes * LIKELY_SHARE
    budget = ProofBudget(proof_nodes if is_likely else 0, lambda: False)
    result = value_of_state(tablebase.results, state, budget)
    if result is None:
        return NO_VERDICTS
    found = {move: _verdict_after(tablebase, state.after(move), budget) for move in state.legal_moves}
    moves = {move: verdict for move, verdict in found.items() if verdict is not None}
    if len(moves) == len(found):
        # A move may draw the match by repetition, which tables and proofs ignore.
        result = max(verdict.result for verdict in moves.values())
    return Verdicts(Verdict(result, None), moves)


def known_results(tablebase: Tablebase | None, state: State) -> Mapping[int, int]:
    """Return the result of each legal move for the side that makes it; nothing if one is unknown.

    Nothing is proved.
    """
    known = {} if tablebase is None else verdicts_on(tablebase, state, 0).moves
    return {move: verdict.result for move, verdict in known.items()} if len(known) == len(state.legal_moves) else {}


def best_known(moves: Iterable[int], results: Mapping[int, int]) -> tuple[int, ...]:
    """Return those of some moves that have the best of the `known_results`; all if there are none."""
    listed = tuple(moves)
    best = max((results.get(move, 0) for move in listed), default=0)
    return tuple(move for move in listed if results.get(move, 0) == best)


def verdict_of_code(code: int) -> Verdict:
    """Return the meaning of a code for its state (`engine.tablebase.codes`)."""
    return Verdict(0, None) if code == DRAWN else Verdict(1 if is_won(code) else -1, plies_of(code))


def _verdict_after(tablebase: Tablebase, after: State, budget: ProofBudget) -> Verdict | None:
    """Return the verdict on a move that led to a state, for the side that made it."""
    code = tablebase.code_after(after)
    if code is not None:
        return _turned(verdict_of_code(code))
    assert tablebase.results is not None
    result = value_of_state(tablebase.results, after, budget)
    return None if result is None else _turned(Verdict(result, None))


def _turned(verdict: Verdict) -> Verdict:
    """Return a verdict for the other side."""
    return verdict._replace(result=-verdict.result)
