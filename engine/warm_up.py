"""Compiling kernels ahead of time: the rules of every game for a server, and its search for a worker.

Importing this module compiles nothing; importing `engine.preload` compiles everything.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from .analysis import Limits, analyse, no_clock
from .bindings import bindings_of
from .game import Game
from .games import GAMES
from .state import State

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of the game just compiled, how many are done, and how many there are."""


def warm_up_rules(progress: Progress | None = None) -> None:
    """Compile the kernels that `State` uses, for every registered game."""
    _warm_each(_warm_rules_of, progress)


def warm_up_searches(progress: Progress | None = None) -> None:
    """Compile the rules and the search of every registered game."""
    _warm_each(warm_up_search, progress)


def warm_up_search(game: Game) -> None:
    """Compile the rules and the search of a game."""
    _warm_rules_of(game)
    for state in _starts_of(game):
        analyse(state, Limits(depth=1), clock=no_clock)
        bindings_of(state.game).is_noisy(state.start.board, state.words, state.generated_moves[0])
        _ = state.is_dead


def _warm_each(warm: Callable[[Game], None], progress: Progress | None) -> None:
    for done, (name, game) in enumerate(GAMES.items(), start=1):
        warm(game)
        if progress is not None:
            progress(name, done, len(GAMES))


def _starts_of(game: Game) -> list[State]:
    return [State.of(game, setup) for setup in ("", *game.rules.openings)]


def _warm_rules_of(game: Game) -> None:
    for state in _starts_of(game):
        _warm_rules_from(state)


def _warm_rules_from(state: State) -> None:
    game, rules, board = state.game, bindings_of(state.game), state.start.board
    state.after(state.generated_moves[0])
    rules.outcome(board, state.words, np.zeros(max(game.seats), dtype=np.int32))
    if game.rules.territory is not None:
        game.rules.territory(board, state.words, state.seat)
