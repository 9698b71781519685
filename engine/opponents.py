"""Who may sit in an empty seat: eight levels and a few personalities, as data.

Not how they play: `engine.levels` does that with a search. Nothing here costs anything to import, so that the server
can tell clients of them. Imported by `engine.levels`, `engine.uci` and the server.

A level errs as people do. It sees only so far; it misjudges what it sees, being sure of a wrong idea (`noise`); and it
overlooks moves (`lapses`), quiet ones and the opponent's more than what it can take at once. What it errs in is drawn
from position and seed, so it is never arbitrary, the same seed plays the same match, and seeds bring variety.

A personality searches as its level does and then lets its taste choose among the moves that it takes for the best.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.game import EngineError


class Taste(NamedTuple):
    """What a personality likes beside what a move is worth, in hundredths of a man."""

    taking: int = 0
    """For a move that changes the balance at once."""
    room: int = 0
    """For each doubling of the moves that the opponent has next; less than 0: to shut the opponent in."""
    danger: int = 0
    """For each answer that would change the balance at once, up to `MOST_DANGERS`; less than 0: to be careful."""


MOST_DANGERS = 4
NO_TASTE = Taste()
DEEP_QUIESCENCE = 6


class Opponent(NamedTuple):
    """How a level or a personality plays."""

    name: str
    """On the wire and on command lines: of a level, its number."""
    title: str
    """For people."""
    description: str
    """One line for people."""
    level: int
    """Of a personality, the level that it is most like in strength."""
    depth: int | None
    """In plies."""
    nodes: int | None
    movetime_ms: int | None
    noise: int
    """Leaves are misjudged by up to so many hundredths of a man, either way."""
    lapses: int
    """So many of 1000 quiet moves are overlooked, half as many of those that change the balance."""
    quiescence: int
    """Plies of takings followed below the depth."""
    table_megabytes: int
    taste: Taste = NO_TASTE


def _level(
    level: int,
    description: str,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    movetime_ms: int | None = None,
    noise: int,
    lapses: int = 0,
    quiescence: int = DEEP_QUIESCENCE,
    table_megabytes: int = 1,
    taste: Taste = NO_TASTE,
) -> Opponent:
    title = f"Level {level}"
    bounds = (depth, nodes, movetime_ms)
    return Opponent(str(level), title, description, level, *bounds, noise, lapses, quiescence, table_megabytes, taste)


LEVELS: Mapping[int, Opponent] = MappingProxyType(
    {
        # Whoever learnt the rules today takes what can be taken: a mill in the hand rather than two in the bush.
        1: _level(1, "sees one move ahead", depth=1, noise=45, lapses=350, quiescence=0, taste=Taste(taking=120)),
        2: _level(2, "overlooks many answers", depth=2, noise=45, lapses=350, quiescence=1),
        3: _level(3, "overlooks some answers", depth=3, noise=32, lapses=180, quiescence=1),
        4: _level(4, "sees what is near", depth=3, noise=18, lapses=50, quiescence=2),
        5: _level(5, "seldom overlooks anything", depth=4, noise=15, lapses=20),
        6: _level(6, "sees six moves ahead", depth=6, nodes=100_000, noise=12),
        7: _level(7, "hardly errs", nodes=40_000, noise=8, table_megabytes=2),
        8: _level(8, "thinks for a second", movetime_ms=1_000, noise=2, table_megabytes=32),
    }
)
STRONGEST_LEVEL = max(LEVELS)

LEVEL_NAMES: Mapping[str, int] = MappingProxyType({"easy": 1, "medium": 6, "hard": 8})
"""Levels by the names that other programs use: one ply, six plies, one second."""


def _personality(
    name: str, title: str, description: str, level: int, taste: Taste = NO_TASTE, **other: int
) -> Opponent:
    return LEVELS[level]._replace(name=name, title=title, description=description, taste=taste, **other)


PERSONALITIES: Mapping[str, Opponent] = MappingProxyType(
    {
        personality.name: personality
        for personality in (
            _personality("hunter", "The Hunter", "takes whatever can be taken", 5, Taste(taking=90)),
            _personality("warden", "The Warden", "shuts you in until you cannot move", 5, Taste(room=-40)),
            _personality("guardian", "The Guardian", "leaves you nothing to take", 5, Taste(danger=-25)),
            _personality("gambler", "The Gambler", "likes it wild and bluffs", 4, Taste(30, 0, 25), noise=50),
            _personality("dreamer", "The Dreamer", "sees far, not what is near", 4, depth=8, nodes=60_000, lapses=150),
        )
    }
)


OPPONENTS: Mapping[str, Opponent] = MappingProxyType(
    {opponent.name: opponent for opponent in (*LEVELS.values(), *PERSONALITIES.values())}
)
"""All of them by name."""


def find_opponent(name: int | str) -> Opponent:
    """Return a level by its number, as number or text, or by its name; or a personality.

    >>> find_opponent(3) is find_opponent("3"), find_opponent("medium").depth, find_opponent("hunter").title
    (True, 6, 'The Hunter')

    Raises: EngineError.
    """
    text = str(name).casefold()
    found = OPPONENTS.get(str(LEVEL_NAMES.get(text, text)))
    if found is None:
        names = ", ".join([*LEVEL_NAMES, *PERSONALITIES])
        raise EngineError(f"There is no level {name}; there are 1 to {STRONGEST_LEVEL}, and {names}.")
    return found
