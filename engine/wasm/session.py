"""A match of one game in a WebAssembly module: the functions that it exports, and the arrays that they work on.

The page writes a start, pushes and takes back moves, and searches in slices. All of it is generic, and calls the same
kernels as `State` and `analyse`.
"""

from typing import NamedTuple

from ..game import Game, Start
from .arrays import make_views
from .choosing import make_choosing
from .rules import Functions, make_perft, make_rules
from .searching import make_searching
from .unpacking import make_unpacking
from .views import Layout


class Session(NamedTuple):
    """The exports of a game's module."""

    functions: Functions
    layout: Layout


def make_session(game: Game, start: Start) -> Session:
    """Return the exports for matches of a game on boards of the shape of this start's."""
    layout = Layout()
    views = make_views(layout, game, start)
    rules = make_rules(game, views)
    searching = make_searching(game, views, rules)
    choosing = make_choosing(game, views, rules, searching)
    others = {**make_perft(game, views), **make_unpacking(game, layout, views)}
    return Session({**rules, **searching, **choosing, **others}, layout)
