"""Chooses built-in bots for an exhibition: about equally strong, and different each time. Pure."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from millrace.engine.games import find_game
from millrace.engine.levels.opponents import OPPONENTS, STRONGEST_LEVEL, Opponent
from millrace.protocol import Player

from ..matches.built_in_bots import bot_player

RandomBelow = Callable[[int], int]
"""Returns a random number from 0 up to, but not including, the given one."""

MIN_LEVEL = 3
"""Minimum level: weaker bots are not worth watching."""

MAX_LEVEL_DIFFERENCE = 1

Item = TypeVar("Item")


def choose_bots(game: str, random_below: RandomBelow) -> tuple[Player, ...]:
    """Return the bots of an exhibition by seat; none that searches by time, which would occupy a processor."""
    able = [each for each in OPPONENTS.values() if MIN_LEVEL <= each.level < STRONGEST_LEVEL and each.classic is None]
    seats = _pick(find_game(game).seats, random_below)
    first = _pick(able, random_below)
    chosen = [first]
    while len(chosen) < seats:
        alike = [each for each in able if abs(each.level - first.level) <= MAX_LEVEL_DIFFERENCE]
        fresh = [each for each in alike if each not in chosen]
        chosen.insert(random_below(len(chosen) + 1), _pick(fresh or alike, random_below))
    return tuple(map(_player_of, chosen))


def _player_of(opponent: Opponent) -> Player:
    return bot_player(opponent.name)


def _pick(items: Sequence[Item], random_below: RandomBelow) -> Item:
    return items[random_below(len(items))]
