"""Compiling kernels ahead of time, or loading them: the rules of every game for a server, and its search for a worker.

Importing this module compiles nothing.
"""

import contextlib
import re
from collections.abc import Iterator

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

from ..bindings import bindings_of, compiled_bindings_of, interpret_rules, use_compiled_rules
from ..faults import GameFaultError
from ..game import Game, Repetition
from ..game.techniques import Techniques
from ..games import GAMES
from ..kernel_cache import NotCompiledError, only_loading, why_not_cached
from ..search import Limits, analyse, make_search, no_clock
from ..search.plain_minimax import make_plain_minimax
from ..state import State
from ..tablebase.morris_results import warm_up_results
from ..transposition_table import new_table
from .classic import choose_classically
from .opponents import OPPONENTS


@contextlib.contextmanager
def faults_of(game: Game) -> Iterator[None]:
    """Raise a GameFaultError for whatever a game's code raises, except NotCompiledError and want of memory."""
    try:
        yield
    except (NotCompiledError, MemoryError):
        raise
    except Exception as error:
        raise GameFaultError(f"The code of {game.name} is faulty. {fault_in_a_line(error)}") from error


def fault_in_a_line(error: Exception) -> str:
    """Return what is wrong with a game's code, as a sentence without numba's remarks on itself.

    >>> fault_in_a_line(NumbaError("The 'with' construct is not supported.. Raised from None"))
    "The 'with' construct is not supported."
    """
    if not isinstance(error, NumbaError):
        return f"{error!r}."
    said = re.sub(r"Failed in nopython mode pipeline \(step: [^)]*\)", "", str(error) or repr(error))
    return re.sub(r"\.* Raised from None$", ".", " ".join(said.split()))


def warm_up_rules(game: Game) -> None:
    """Compile the kernels that `State` uses, for a game."""
    for entry in game.rules.setup_kernels:
        entry.kernel(*entry.example())
    for state in _starts_of(game):
        _warm_rules_from(state)


def warm_up_search(game: Game, techniques: Techniques | None = None) -> None:
    """Compile the rules and the search of a game, by default with its own techniques.

    The evaluation comes first, since another process may be compiling the rules, which are then loaded.
    """
    for state in _starts_of(game):
        compiled_bindings_of(state.game).evaluate(state.start.board, state.words)
    warm_up_rules(game)
    for state in _starts_of(game):
        table = new_table(1)
        for _ in range(2):  # the second search takes up the histories of the first
            analyse(state, Limits(depth=1), clock=no_clock, techniques=techniques, table=table)
        bindings_of(state.game).is_noisy(state.start.board, state.words, state.generated_moves[0])
        _ = state.is_settled
        for opponent in OPPONENTS.values():
            if opponent.classic is not None:
                choose_classically(state, opponent.classic, Limits(depth=1), no_clock)
    warm_up_results(game)


def is_search_loaded(game: Game) -> bool:
    """Load the rules and the search of a game, and return whether all of it was in the cache.

    Raises: GameFaultError.
    """
    try:
        with only_loading(), faults_of(game):
            warm_up_search(game)
    except NotCompiledError:
        return False
    return True


def why_not_kept(game: Game) -> str:
    """Return why other processes cannot load what `warm_up_search` has compiled, as a sentence; empty if they can."""
    for each in [state.game for state in _starts_of(game)]:
        kernels = (*each.rules.kernels, *compiled_bindings_of(each), make_search(each), make_plain_minimax(each))
        for reason in (why_not_cached(kernel) for kernel in kernels if isinstance(kernel, Dispatcher)):
            if reason:
                return reason
    return ""


def interpret_all_rules() -> None:
    """Interpret the rules of every registered game in this process, until they are loaded. Raises: GameFaultError."""
    for game in GAMES.values():
        interpret_rules(game)
        try:
            for state in _starts_of(game):
                interpret_rules(state.game)
        except NotCompiledError as error:
            raise GameFaultError(
                f"The game {game.name} cannot start. {error} Its set-up calls it: name it in Rules.setup_kernels."
            ) from error
        except Exception as error:  # whatever a plug-in's code does
            raise GameFaultError(f"The game {game.name} cannot start. {error!r}") from error


def are_rules_loaded(game: Game) -> bool:
    """Load the rules of a game, and return whether all were in the cache; then they are no longer interpreted.

    Raises: GameFaultError.
    """
    try:
        with only_loading(), faults_of(game):
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
        bindings.keep_new(board, words, state.history(), moves[:1], state.start.seats)
    bindings.outcome(board, words, np.zeros(max(state.game.seats), dtype=np.int32))
    bindings.key(words)
    if bindings.territory is not None:
        bindings.territory(board, words, state.seat)
