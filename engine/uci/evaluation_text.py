"""`eval`: the static evaluation of a position, with the share of each term."""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from ..bindings import bindings_of, packing_of
from ..bits import short_kernel
from ..game import Board, EvaluationTerms, Game, WeightTable, Words
from ..state import State
from ..weights import Weights, evaluation_terms_of, table_of


def explain_evaluation(state: State, weights: Weights) -> Iterator[str]:
    """Yield the share of each term in the static evaluation for the seat to move, then the total.

    The rest is what patterns add, and what the rules' bounds on the sum change. Raises: WeightsError if the game has no
    terms.
    """
    terms = evaluation_terms_of(state.game)
    total = int(bindings_of(state.game).evaluate(state.start.board, state.words))
    rest = total
    for name, share in term_shares(state, terms, weights).items():
        rest -= share
        if share:
            yield f"{name} {share}"
    if rest:
        yield f"{'patterns' if terms.patterns is not None and weights.patterns else 'bounds'} {rest}"
    yield f"evaluation {total}"


def term_shares(state: State, terms: EvaluationTerms, weights: Weights) -> dict[str, int]:
    """Return what each term adds to the evaluation for the seat to move, in hundredths of a man."""
    table, weigh = table_of(terms, weights), _weigher_of(state.game)
    shares = {}
    for index, name in enumerate(terms.terms):
        alone = np.zeros_like(table)
        alone[:, index] = table[:, index]
        shares[name] = int(weigh(state.start.board, state.words, alone))
    return shares


@cache
def _weigher_of(game: Game) -> Callable[[Board, Words, WeightTable], int]:
    terms, unpack = evaluation_terms_of(game), packing_of(game).unpack
    weigh_position = terms.weigh

    @short_kernel
    def weigh(board: Board, words: Words, table: WeightTable) -> int:
        return weigh_position(board, unpack(words), 0, table)

    return weigh
