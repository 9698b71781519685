"""The rules of every game and the search that plays them; pure: no I/O, no clock, no randomness of its own.

    from millrace.engine import Limits, State, analyse, find_game

    state = State.of(find_game("morris")).play_text("d6")
    analyse(state, Limits(depth=8)).best_move

`docs/engine_library.md` begins with more of this. Public is what this package exports; its modules may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import EngineError, Game, IllegalMoveError, MoveSyntaxError, Outcome, SetupError, UnknownGameError
    from .games import GAMES, find_game
    from .levels.play import analyse_at_level
    from .search import Analysis, Limits, analyse
    from .state import State

__all__ = [
    "GAMES",
    "Analysis",
    "EngineError",
    "Game",
    "IllegalMoveError",
    "Limits",
    "MoveSyntaxError",
    "Outcome",
    "SetupError",
    "State",
    "UnknownGameError",
    "analyse",
    "analyse_at_level",
    "find_game",
]

_HOMES = {
    **dict.fromkeys(("Analysis", "Limits", "analyse"), "search"),
    **dict.fromkeys(("GAMES", "find_game"), "games"),
    "State": "state",
    "analyse_at_level": "levels.play",
}
"""The modules that define the exported names; `game` defines the others."""


def __getattr__(name: str) -> object:
    """Load an exported name at its first use: importing one module of the engine need not load the others."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HOMES.get(name, 'game')}", __name__), name)
    return value
