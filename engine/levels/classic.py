"""The published programs' way of choosing a move: plain minimax, deepened until a depth or the time is reached.

No noise, no oversights, and no randomness: the same position gets the same move.
"""

import math
from collections.abc import Callable
from functools import cache

from ..game import Game
from ..search import Analysis, Clock, Limits
from ..search.plain_minimax import NODES, VALUE, begin_iteration, make_plain_minimax, new_plain_tree
from ..state import State
from ..weights import PUBLISHED, evaluated_by, weight_sets
from .opponents import Classic
from .passing_out import barred_passes, passes_out

SLICE_NODES = 5_000
"""Nodes between two looks at the clock."""


def choose_classically(
    state: State,
    classic: Classic,
    limits: Limits,
    clock: Clock,
    should_stop: Callable[[], bool] | None = None,
) -> Analysis:
    """Return the result of the deepest completed search within the limits of a classic opponent, and of the caller.

    In Ming Mang it passes like every level (`engine.levels.passing_out`).
    """
    began = clock()
    most_ms = min(each for each in (classic.movetime_ms, limits.movetime_ms, limits.soft_ms) if each is not None)

    def elapsed_ms() -> float:
        return (clock() - began) * 1000

    def is_spent(nodes: int) -> bool:
        is_stopped = should_stop is not None and should_stop()
        return is_stopped or elapsed_ms() >= most_ms or nodes >= (limits.nodes or math.inf)

    found = Analysis(0, 0, 0, 0.0, ())
    if state.outcome is not None:
        return found
    game = _game_of(state.game, classic.weights)
    played = state if game is state.game else State.of(game, state.position_text)
    barred, free_pass = barred_passes(state), state.game.rules.free_pass
    moves = (free_pass,) if passes_out(state) else tuple(move for move in state.legal_moves if move not in barred)
    tree = new_plain_tree(played.game, played.words, moves, played.start.seats)
    advance = make_plain_minimax(played.game)
    for depth in range(1, min(limits.depth or classic.depth, classic.depth) + 1):
        begin_iteration(tree, depth, classic.beam)
        while not advance(played.start.board, tree, int(tree.counters[NODES]) + SLICE_NODES):
            if depth > 1 and is_spent(int(tree.counters[NODES])):
                return found
        line = tuple(state.format_move(int(move)) for move in tree.variations[0, : tree.lengths[0]])
        found = Analysis(depth, int(tree.counters[VALUE]), int(tree.counters[NODES]), elapsed_ms(), line, len(line))
    return found


@cache
def _game_of(game: Game, weights: str) -> Game:
    """Return the game with a set of weights, or with its published one, or as it is if it has neither."""
    sets = weight_sets(game)
    name = weights if weights in sets else PUBLISHED
    return evaluated_by(game, name)[0] if name in sets else game
