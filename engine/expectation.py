"""What to expect of a match from what a search found: the chance to win, and which judgement that stands for.

Searches nothing.
"""

import math
from functools import cache
from zlib import crc32

from .game import Game
from .table import PROVEN, WIN
from .weights import shipped_weights

SEARCH_VERSION = 2
"""Raise this when the search finds other values or stored reviews change form; weights and techniques count by themselves."""


def expectation_of(game: Game, value: int) -> float:
    """Return the chance to win of the side that a value is told for, a draw counting half.

    A logistic function of the value, as `python -m benchmarks.expectation` fits it.

    >>> from millrace.engine.games import find_game
    >>> morris = find_game("morris")
    >>> expectation_of(morris, 0), expectation_of(morris, 29_995), round(expectation_of(morris, 140), 2)
    (0.5, 1.0, 0.73)
    """
    if abs(value) > PROVEN:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + math.exp(-value / game.logit_lead))


def plies_to_end(value: int) -> int | None:
    """Return in how many plies a proven win comes, less than 0 a loss; None for a value that is not proven.

    >>> plies_to_end(29_995), plies_to_end(-29_996), plies_to_end(120)
    (5, -4, None)
    """
    if abs(value) <= PROVEN:
        return None
    return WIN - value if value > 0 else -WIN - value


@cache
def engine_version(game: Game) -> str:
    """Return a name that is another when the engine would judge a game's positions by other means."""
    weights = None if game.worth is None else shipped_weights(game.worth)
    return f"{SEARCH_VERSION}.{crc32(repr((weights, game.techniques, game.logit_lead)).encode()):08x}"
