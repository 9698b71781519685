"""The shipped games, one folder each, and those of installed plug-ins.

A package provides a game with an entry point in the group `millrace.games`; nothing else is needed.
"""

from collections.abc import Iterable
from importlib.metadata import entry_points
from types import MappingProxyType

from ..game import Game, UnknownGameError
from . import battlesheep, mingmang, morris

PLUG_IN_GROUP = "millrace.games"

SHIPPED = (morris.GAME, battlesheep.GAME, mingmang.GAME)


def by_name(games: Iterable[Game]) -> dict[str, Game]:
    """Return games by name. Raises: ValueError if two have the same name."""
    named: dict[str, Game] = {}
    for game in games:
        if named.setdefault(game.name, game) is not game:
            raise ValueError(f"There are two games called {game.name!r}: a plug-in needs a name of its own.")
    return named


GAMES = MappingProxyType(by_name([*SHIPPED, *(point.load() for point in entry_points(group=PLUG_IN_GROUP))]))


def package_of(game: Game) -> str:
    """Return the name of the package that provides a game."""
    if game in SHIPPED:
        return f"{__name__}.{game.name}"
    return next(point.module for point in entry_points(group=PLUG_IN_GROUP) if point.load() is game)


def find_game(name: str) -> Game:
    """Return the game with this name. Raises: UnknownGameError."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGameError(f"There is no game called {name!r}; there are: {', '.join(GAMES)}.") from None
