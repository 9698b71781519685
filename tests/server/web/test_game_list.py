"""The games that a server offers, as clients receive them."""

from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import LEVEL_NAMES, find_opponent
from millrace.server.web.game_list import GAME_INFOS


def test_named_levels_match_the_chosen_levels() -> None:
    for game in GAME_INFOS:
        assert list(game.level_names) == list(LEVEL_NAMES)
        for name, level in game.level_names.items():
            assert find_opponent(name, GAMES[game.name]).level == level
