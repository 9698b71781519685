"""Drives a hard bargain: prefers drawing moves after which a weaker opponent is most likely to err.

Short searches without tables model the weaker opponent: the replies that they prefer at each depth are plausible. The
chance of a mistake is the plausibility of the losing replies, and for the others the chance of a mistake after the next
move. Very short searches compare all moves, and longer ones the most promising. It works for every game with
`engine.tablebase.results`.

It overrides the level's own search only if a mistake is likely: otherwise that search, which sees much further, presses
better.
"""

from collections.abc import Iterable, Mapping

from ..search import Analysis, Clock, Limits, analyse
from ..state import State
from ..tablebase.results import WIN, ProofBudget, Results, keeping_moves
from ..transposition_table import TranspositionTable, new_table

FIRST_NODES = 1_500
"""Nodes of the searches that model the opponent when all moves are compared."""

CLOSER_NODES = 15_000
"""Nodes of these searches for the most promising moves."""

FOLLOWED = 4
"""Number of moves examined more closely."""

ANY_REPLY = 0.1
"""Share of opponents assumed to reply at random."""

NEXT_WEIGHT = 0.5
"""Weight of a mistake at the next reply, relative to one at this reply."""

LEAST_CHANCE = 0.3
"""Minimum chance of a mistake that overrides the search."""

CLOSE = 0.1
"""Chances that differ by less are about equal."""

TABLE_MEGABYTES = 1


class Bargainer:
    """Compares the moves of one state."""

    def __init__(self, results: Results, budget: ProofBudget, clock: Clock) -> None:
        self._results = results
        self._budget = budget
        self._clock = clock
        self._table: TranspositionTable = new_table(TABLE_MEGABYTES)

    def best_of(self, state: State, moves: Iterable[int]) -> tuple[int, ...]:
        """Return the moves after which a mistake is about most likely; all if it is unlikely after each.

        `moves` are the drawing ones.
        """
        chances = self._chances(state, moves)
        promising = sorted(chances, key=lambda move: -chances[move])[:FOLLOWED]
        closer = {move: self._chance_after(state.after(move), CLOSER_NODES, looks_on=True) for move in promising}
        most = max(closer.values(), default=0.0)
        if most < LEAST_CHANCE:
            return tuple(chances)
        return tuple(move for move, chance in closer.items() if chance >= most - CLOSE)

    def _chances(self, state: State, moves: Iterable[int]) -> dict[int, float]:
        """Return the chance of a mistake at the reply to each move."""
        return {move: self._chance_after(state.after(move), FIRST_NODES, looks_on=False) for move in moves}

    def _chance_after(self, state: State, nodes: int, *, looks_on: bool) -> float:
        """Return the chance that the opponent, who is to move, loses a drawn state, within the budget.

        With `looks_on`, the best-looking drawing reply is followed by another move and reply.
        """
        if state.outcome is not None or not self._budget.allows_more():
            return 0.0
        chance, holding = 0.0, dict[int, float]()
        for reply, share in self._plausible_replies(state, nodes).items():
            if self._results.reaches(state.after(reply), WIN, self._budget):
                chance += share
            else:
                holding[reply] = share
        if looks_on and holding:
            following = state.after(max(holding, key=lambda reply: holding[reply]))
            chance += (1 - chance) * NEXT_WEIGHT * self._next_chance(following)
        return chance

    def _next_chance(self, state: State) -> float:
        """Return the chance of a mistake after the best move of a drawn state."""
        if state.outcome is not None:
            return 0.0
        return max(self._chances(state, keeping_moves(self._results, state, 0, self._budget)).values(), default=0.0)

    def _plausible_replies(self, state: State, nodes: int) -> Mapping[int, float]:
        """Return how likely a weaker opponent is to play each move of a state."""
        moves = state.legal_moves
        weights = dict.fromkeys(moves, 0.0)

        def add(found: Analysis) -> None:
            if found.best_move is not None:
                weights[state.parse_move(found.best_move)] += found.depth

        analyse(state, Limits(nodes=nodes), self._clock, on_iteration=add, table=self._table)
        total = sum(weights.values()) or 1.0
        return {move: (1 - ANY_REPLY) * weight / total + ANY_REPLY / len(moves) for move, weight in weights.items()}
