"""The shipped games, one folder each, and those of installed plug-ins.

A package provides a game with an entry point in the group `millrace.games`; nothing else is needed.
"""

from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from ..faults import GameFaultError
from ..game import Game, UnknownGameError
from . import battlesheep, mingmang, morris

PLUG_IN_GROUP = "millrace.games"

SHIPPED = (morris.GAME, battlesheep.GAME, mingmang.GAME)


def _name_of_package(point: EntryPoint) -> str:
    return point.module if point.dist is None else point.dist.name


def by_name(points: Iterable[EntryPoint]) -> dict[str, Game]:
    """Return the shipped games and those of plug-ins by name. Raises: GameFaultError, which names the package."""
    named = {game.name: game for game in SHIPPED}
    for point in points:
        package = _name_of_package(point)
        try:
            game = point.load()
            is_known = named.setdefault(game.name, game) is not game
        except (Exception, SystemExit) as error:  # whatever a plug-in's code does
            raise GameFaultError(
                f"The game of the package {package} cannot be loaded. {error!r}. Repair or uninstall the package."
            ) from error
        if is_known:
            raise GameFaultError(
                f"There is already a game called {game.name}, and the package {package} has another one. Uninstall it, "
                "or change its game's name."
            )
    return named


GAMES = MappingProxyType(by_name(entry_points(group=PLUG_IN_GROUP)))


def package_of(game: Game) -> str:
    """Return the name of the package that provides a game."""
    if game in SHIPPED:
        return f"{__name__}.{game.name}"
    return next(point.module for point in entry_points(group=PLUG_IN_GROUP) if point.load() is game)


@cache
def distribution_of(name: str) -> str:
    """Return the name under which the package that provides a game is installed."""
    if name in (game.name for game in SHIPPED):
        return "millrace"
    return next(_name_of_package(point) for point in entry_points(group=PLUG_IN_GROUP) if point.load().name == name)


def find_game(name: str) -> Game:
    """Return the game with this name. Raises: UnknownGameError."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGameError(f"There is no game called {name!r}; there are: {', '.join(GAMES)}.") from None


def title_of(name: str) -> str:
    """Return the title of a game, or its name if it is not installed any more."""
    return GAMES[name].title if name in GAMES else name
