"""Compiling kernels ahead of time, or loading them: the rules of every game for a server, and its search for a worker.

Importing this module compiles nothing.
"""

import numpy as np

from .analysis import Limits, analyse, no_clock
from .bindings import bindings_of, compiled_bindings_of, interpret_rules, use_compiled_rules
from .game import Game, Repetition
from .games import GAMES
from .kernel_cache import NotCompiledError, only_loading
from .state import State
from .tablebase.morris_results import warm_up_results


def warm_up_rules(game: Game) -> None:
    """Compile the kernels that `State` uses, for a game."""
    for entry in game.rules.setup_kernels:
        entry.kernel(*entry.example())
    for state in _starts_of(game):
        _warm_rules_from(state)


def warm_up_search(game: Game) -> None:
    """Compile the rules and the search of a game.

    The evaluation comes first, since another process may be compiling the rules, which are then loaded.
    """
    for state in _starts_of(game):
        compiled_bindings_of(state.game).evaluate(state.start.board, state.words)
    warm_up_rules(game)
    for state in _starts_of(game):
        analyse(state, Limits(depth=1), clock=no_clock)
        bindings_of(state.game).is_noisy(state.start.board, state.words, state.generated_moves[0])
        _ = state.is_dead
    warm_up_results(game)


def is_search_loaded(game: Game) -> bool:
    """Load the rules and the search of a game, and return whether all of it was in the cache."""
    try:
        with only_loading():
            warm_up_search(game)
    except NotCompiledError:
        return False
    return True


def interpret_all_rules() -> None:
    """Interpret the rules of every registered game in this process, until they are loaded."""
    for game in GAMES.values():
        interpret_rules(game)
        for state in _starts_of(game):
            interpret_rules(state.game)


def are_rules_loaded(game: Game) -> bool:
    """Load the rules of a game, and return whether all were in the cache; then they are no longer interpreted."""
    try:
        with only_loading():
            warm_up_rules(game)
    except NotCompiledError:
        return False
    for state in _starts_of(game):
        use_compiled_rules(state.game)
    return True


def _starts_of(game: Game) -> list[State]:
    return [State.of(game, setup) for setup in ("", *game.rules.openings)]


def _warm_rules_from(state: State) -> None:
    bindings, board, words = compiled_bindings_of(state.game), state.start.board, state.words
    moves = np.empty(state.game.rules.kernels.max_moves, dtype=np.int32)
    bindings.generate_moves(board, words, moves)
    clicks = np.empty((1, state.game.rules.kernels.max_clicks + 1), dtype=np.int16)
    bindings.write_clicks(board, words, moves[:1], clicks)
    bindings.make_move(board, words, int(moves[0]), np.empty_like(words))
    if state.game.rules.repetition is Repetition.FORBIDDEN:
        bindings.make_moves(board, words, moves[:1], np.empty((1, len(words)), dtype=words.dtype))
    bindings.outcome(board, words, np.zeros(max(state.game.seats), dtype=np.int32))
    bindings.key(words)
    if bindings.territory is not None:
        bindings.territory(board, words, state.seat)
