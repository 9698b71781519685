"""The games: one folder each, and one line here for each that Millrace ships.

Others come with packages of their own, which name theirs as entry points of the group `millrace.games`: installing such
a package is all it takes.
"""

from collections.abc import Iterable
from importlib.metadata import entry_points
from types import MappingProxyType

from ..game import Game, UnknownGameError
from . import battlesheep, mingmang, morris

PLUG_IN_GROUP = "millrace.games"

SHIPPED = (morris.GAME, battlesheep.GAME, mingmang.GAME)


def by_name(games: Iterable[Game]) -> dict[str, Game]:
    """Return games by name. Raises: ValueError if two have the same."""
    named: dict[str, Game] = {}
    for game in games:
        if named.setdefault(game.name, game) is not game:
            raise ValueError(f"There are two games called {game.name!r}: a plug-in needs a name of its own.")
    return named


GAMES = MappingProxyType(by_name([*SHIPPED, *(point.load() for point in entry_points(group=PLUG_IN_GROUP))]))


def find_game(name: str) -> Game:
    """Return the game of that name. Raises: UnknownGameError."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGameError(f"There is no game called {name!r}; there are: {', '.join(GAMES)}.") from None
