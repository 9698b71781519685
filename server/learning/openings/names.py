"""The names of openings, by position. Pure."""

from collections.abc import Mapping
from functools import cache

from millrace.engine.game import Game
from millrace.engine.state import State

from .positions import find_position


@cache
def names_by_position(game: Game) -> Mapping[int, str]:
    """Return the names of a game's openings by the numbers of their positions."""
    names = {}
    for opening in game.named_openings:
        position = find_position(State.from_moves(game, "", opening.moves))
        assert position is not None
        names[position.number] = opening.name
    return names


def opening_of(state: State) -> str:
    """Return the name of the latest named position on the way to a state, or nothing.

    >>> from millrace.engine.games import find_game
    >>> opening_of(State.from_moves(find_game("morris"), "", ("f4", "d6", "a7")))
    'Four-way point: adjacent reply'
    """
    names = names_by_position(state.game)
    longest = max((len(opening.moves) for opening in state.game.named_openings), default=0)
    for each in reversed(state.line[: longest + 1]):
        position = find_position(each)
        if position is not None and position.number in names:
            return names[position.number]
    return ""
