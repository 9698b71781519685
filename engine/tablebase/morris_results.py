"""The results of Nine Men's Morris: from both editions of the tables and, with men in hand, by proofs."""

from collections.abc import Collection, Mapping

from ..game import Game, TableBytes
from ..games.morris.position import MorrisPosition
from ..games.morris.tablebase_index import TABLEBASE
from ..state import State
from .opening_answers import NO_ANSWERS, OpeningAnswers
from .placing_proof import (
    COUNTERS,
    MISSING_TABLE,
    NODE_LIMIT,
    NODES,
    STOPPED,
    YES,
    find_proved,
    men_in_hand,
    new_search,
    position_in,
    reaches,
    tables_needed,
)
from .placing_proof import ProofSearch as Proofs
from .result_coding import DRAW as LEVEL
from .result_coding import WIN as VICTORY
from .results import DRAW, WIN, ProofBudget
from .small_edition import NOT_FOUND, open_endings, probe_result
from .verification import FLYING

SLICE_NODES = 10_000
"""Nodes of a proof between two clock checks: 10 to 20 ms."""

PROOF_MEGABYTES = 32
"""Memory of the proofs for each of the two questions."""

NODES_FROM_ELEVEN, NODE_GROWTH = 900_000, 1.7
"""Nodes of a proof from 11 men in hand, and the measured factor for each further man."""

WITH_MEN_IN_HAND, WITHOUT_MEN_IN_HAND = "", "WWW.......B....B..B..... w 0 0"
"""Any two positions that compile everything."""


def answers_of(position: MorrisPosition, least: int) -> int:
    """Return to which of two kinds the answer belongs that the side to move reaches at least `DRAW` or `WIN`.

    A search asks the sides for one and for the other by turns, so the kind is what is asked of the side that moves
    while the number of men in hand is even.
    """
    return (least + int(men_in_hand(position))) % 2


class MorrisResults:
    """The results of states covered by tables. See `engine.tablebase.results.Results`."""

    def __init__(
        self,
        full: Mapping[str, TableBytes],
        small: Mapping[str, TableBytes],
        opening: OpeningAnswers = NO_ANSWERS,
    ) -> None:
        """Take the tables of both editions, by name; full ones are looked up first.

        `opening` has the values from the proof of the start.
        """
        self._tables = {**small, **full}
        self._endings = open_endings(full, small)
        self._proofs: dict[int, Proofs] = {}
        """Proved values, kept for later moves: by `answers_of`."""
        self._opening = opening

    @property
    def tables(self) -> Collection[str]:
        """The names of the tables, of both editions."""
        return self._tables.keys()

    def covers(self, state: State) -> bool:
        """Return whether the tables exist that play may reach when no men are in hand."""
        return _has_flying(state) and all(table in self._tables for table in tables_needed(position_in(state.words)))

    def reaches(self, state: State, least: int, budget: ProofBudget) -> bool | None:
        """Return whether the side to move reaches at least `DRAW` or `WIN`; None if unknown, if the budget is too
        small, or if a table is missing for the proof.
        """
        if not _has_flying(state):
            return None
        if state.outcome is not None:
            return state.outcome.winner is None and least == DRAW
        position = position_in(state.words)
        if int(position.hands) == 0:
            result = probe_result(self._endings, FLYING, position)
            return None if result == NOT_FOUND else result == VICTORY or (result == LEVEL and least == DRAW)
        kind = answers_of(position, least)
        if kind in self._opening and (known := find_proved(self._opening[kind], self._endings, position)) != STOPPED:
            return known == YES
        if kind not in self._proofs:
            self._proofs[kind] = new_search(PROOF_MEGABYTES)
        proofs = self._proofs[kind]
        while budget.allows_more():
            proofs.counters[:COUNTERS] = 0
            proofs.counters[NODE_LIMIT] = min(SLICE_NODES, budget.nodes)
            answer = reaches(self._endings, FLYING, proofs, position, least)
            budget.nodes -= int(proofs.counters[NODES])
            if answer != STOPPED:
                return bool(answer == YES)
            if int(proofs.counters[MISSING_TABLE]):
                break
        return None

    def proof_nodes(self, state: State) -> int:
        """Return the approximate number of nodes for proving a state's value; 0 if it is looked up."""
        in_hand = int(men_in_hand(position_in(state.words)))
        return int(NODES_FROM_ELEVEN * NODE_GROWTH ** (in_hand - 11)) if in_hand else 0


def _has_flying(state: State) -> bool:
    """Return whether a state has the rules of the tables."""
    return state.game.strength.tablebase is TABLEBASE and int(state.start.board.options[0]) == 1


def warm_up_results(game: Game) -> None:
    """Compile or load the kernels that look up and prove results, if the game has these results."""
    if game.strength.tablebase is not TABLEBASE:
        return
    results = MorrisResults({}, {})
    for setup in (WITH_MEN_IN_HAND, WITHOUT_MEN_IN_HAND):
        for least in (DRAW, WIN):
            results.reaches(State.of(game, setup), least, ProofBudget(1, lambda: False))
