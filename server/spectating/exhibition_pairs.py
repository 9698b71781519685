"""Which of the house's bots play an exhibition: of about the same strength, and others each time.

Pure: chance is handed in.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from millrace.engine.games import find_game
from millrace.engine.levels.opponents import OPPONENTS, STRONGEST_LEVEL, Opponent

from ..matches.match import bot_player
from ..protocol import Player

Chance = Callable[[int], int]
"""Returns a number from 0 to less than the one that it is given."""

LEAST_LEVEL = 3
"""Weaker ones are no pleasure to watch."""

LEVELS_APART = 1

Item = TypeVar("Item")


def line_up(game: str, chance: Chance) -> tuple[Player, ...]:
    """Return the bots of an exhibition by seat; none that thinks by the clock, which would cost a whole processor."""
    able = [each for each in OPPONENTS.values() if LEAST_LEVEL <= each.level < STRONGEST_LEVEL]
    seats = _pick(find_game(game).seats, chance)
    first = _pick(able, chance)
    chosen = [first]
    while len(chosen) < seats:
        alike = [each for each in able if abs(each.level - first.level) <= LEVELS_APART]
        fresh = [each for each in alike if each not in chosen]
        chosen.insert(chance(len(chosen) + 1), _pick(fresh or alike, chance))
    return tuple(map(_player_of, chosen))


def _player_of(opponent: Opponent) -> Player:
    return bot_player(opponent.name)


def _pick(items: Sequence[Item], chance: Chance) -> Item:
    return items[chance(len(items))]
