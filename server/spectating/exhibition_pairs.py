"""Chooses built-in bots for an exhibition: about equally strong, and different each time. Pure."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from millrace.engine.games import find_game
from millrace.engine.levels.opponents import Opponent
from millrace.protocol import Player

from ..matches.built_in_bots import PLAYING_EACH_OTHER, bot_player

RandomBelow = Callable[[int], int]
"""Returns a random number from 0 up to, but not including, the given one."""

MAX_LEVEL_DIFFERENCE = 1

Item = TypeVar("Item")


def choose_bots(game: str, random_below: RandomBelow) -> tuple[Player, ...]:
    """Return the bots of an exhibition by seat."""
    seats = _pick(find_game(game).seats, random_below)
    first = _pick(PLAYING_EACH_OTHER, random_below)
    chosen = [first]
    while len(chosen) < seats:
        alike = [each for each in PLAYING_EACH_OTHER if abs(each.level - first.level) <= MAX_LEVEL_DIFFERENCE]
        fresh = [each for each in alike if each not in chosen]
        chosen.insert(random_below(len(chosen) + 1), _pick(fresh or alike, random_below))
    return tuple(map(_player_of, chosen))


def _player_of(opponent: Opponent) -> Player:
    return bot_player(opponent.name)


def _pick(items: Sequence[Item], random_below: RandomBelow) -> Item:
    return items[random_below(len(items))]
