"""The counts of single evaluation terms, for tests that count by plain means."""

from functools import cache

import numpy as np

from millrace.engine.game import Game, WeightTable
from millrace.engine.state import State


@cache
def table_of_ones(game: Game, term: str) -> WeightTable:
    """Return the table with which a position's evaluation is one term's count, in any phase."""
    assert game.strength.evaluation is not None
    table = np.zeros((len(game.strength.evaluation.shares), len(game.strength.evaluation.terms)), dtype=np.int64)
    table[:, game.strength.evaluation.terms.index(term)] = 1
    return table


def counted(game: Game, state: State, term: str) -> int:
    """Return one term's count for the mover minus the other seat's."""
    assert game.strength.evaluation is not None
    position = game.rules.position_type(*state.words)
    return int(game.strength.evaluation.weigh(state.start.board, position, 0, table_of_ones(game, term)))


def all_counted(game: Game, state: State) -> dict[str, int]:
    """Return every term's count for the mover minus the other seat's."""
    assert game.strength.evaluation is not None
    return {term: counted(game, state, term) for term in game.strength.evaluation.terms}
