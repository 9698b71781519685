"""Results with best play, without distances: the interface to a solved game.

`engine.tablebase.morris_results` answers for Nine Men's Morris. Results ignore earlier occurrences of positions and the
limit of quiet plies.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from ..state import State

DRAW, WIN = 0, 1
"""The results that the side to move may reach, at least."""


@dataclass
class ProofBudget:
    """The total budget of proofs."""

    nodes: int
    """The number of remaining nodes."""
    is_spent: Callable[[], bool]
    """Returns whether to stop earlier, such as when time is up."""

    def allows_more(self) -> bool:
        """Return whether to go on."""
        return self.nodes > 0 and not self.is_spent()


class Results(Protocol):
    """How the states of a solved game end."""

    @property
    def tables(self) -> Collection[str]:
        """The names of the tables in use, of all editions."""

    def covers(self, state: State) -> bool:
        """Return whether tables, or a proof given time, can determine how a state ends."""

    def reaches(self, state: State, least: int, budget: ProofBudget) -> bool | None:
        """Return whether the side to move reaches at least `DRAW` or `WIN`; None if the budget does not suffice."""

    def proof_nodes(self, state: State) -> int:
        """Return the approximate number of nodes for proving a state's value; 0 if it is looked up."""


def value_of_state(results: Results, state: State, budget: ProofBudget) -> int | None:
    """Return 1 if the side to move wins, 0 for a draw, -1 if it loses; None if the budget does not suffice."""
    holds = results.reaches(state, DRAW, budget)
    if holds is None:
        return None
    wins = results.reaches(state, WIN, budget) if holds else False
    return None if wins is None else int(wins) if holds else -1


@dataclass(frozen=True, slots=True)
class Kept:
    """The moves that keep the result of a state."""

    value: int
    """1 if the state is won, 0 if it is drawn, for the side to move."""
    moves: tuple[int, ...]


def known_only() -> ProofBudget:
    """Return a budget for looking up known results, without proofs."""
    return ProofBudget(0, lambda: True)


def kept_by_results(results: Results, state: State, budget: ProofBudget) -> Kept | None:
    """Return the moves that keep a won or drawn result; None if the result is unknown, or a loss.

    Moves not proved in time are omitted.
    """
    value = value_of_state(results, state, budget)
    if value is None or value < 0:
        return None
    return Kept(value, keeping_moves(results, state, value, budget))


def keeping_moves(results: Results, state: State, value: int, budget: ProofBudget) -> tuple[int, ...]:
    """Return the moves that are known to keep the value of a state; all of them if it is lost.

    Moves that repeat an earlier position come last, and moves that end play in a draw are not wins.
    """
    if value < 0:
        return state.legal_moves
    refutation = WIN if value == 0 else DRAW
    kept = [move for move in state.legal_moves if results.reaches(state.after(move), refutation, budget) is False]
    return tuple(kept)
