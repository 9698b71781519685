"""Converts the value of a search to the expected score of the match; the version of the engine's evaluation."""

import math
from functools import cache
from zlib import crc32

from ..game import Game
from ..transposition_table import PROVEN, WIN
from ..weights import shipped_weights

SEARCH_VERSION = 3
"""Raise this when the search finds other values, or when stored reviews change form; weights and techniques are
automatically part of the version.
"""


def expected_score(game: Game, value: int) -> float:
    """Return the expected score, 0 to 1, of the side that the value is for. A draw counts half.

    It is a logistic function of the value, as `python -m benchmarks.expected_score` fits it.

    >>> from millrace.engine.games import find_game
    >>> morris = find_game("morris")
    >>> expected_score(morris, 0), expected_score(morris, 29_995), round(expected_score(morris, 140), 2)
    (0.5, 1.0, 0.73)
    """
    if abs(value) > PROVEN:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + math.exp(-value / game.strength.logistic_scale))


def win_draw_loss(game: Game, value: int) -> tuple[int, int, int]:
    """Return the chances of a win, a draw and a loss in thousandths, for the side that the value is for.

    A win and half of a draw add up to the expected score. `Strength.draw_share` of the game is the share of draws in
    what is not decided.

    >>> from millrace.engine.games import find_game
    >>> morris = find_game("morris")
    >>> win_draw_loss(morris, 0), win_draw_loss(morris, 29_995)
    ((250, 500, 250), (1000, 0, 0))
    """
    expected = expected_score(game, value)
    draw = 2 * min(expected, 1 - expected) * game.strength.draw_share
    win, drawn = round(1000 * (expected - draw / 2)), round(1000 * draw)
    return win, drawn, 1000 - win - drawn


def plies_to_end(value: int) -> int | None:
    """Return the plies to a proven win, negative for a loss, or None if the value is not proven.

    >>> plies_to_end(29_995), plies_to_end(-29_996), plies_to_end(120)
    (5, -4, None)
    """
    if abs(value) <= PROVEN:
        return None
    return WIN - value if value > 0 else -WIN - value


@cache
def engine_version(game: Game) -> str:
    """Return a name that differs when the engine would evaluate a game's positions differently."""
    strength = game.strength
    weights = None if strength.evaluation is None else shipped_weights(strength.evaluation)
    evaluated_by = repr((weights, strength.techniques, strength.logistic_scale))
    return f"{SEARCH_VERSION}.{crc32(evaluated_by.encode()):08x}"
