"""The games that this server offers, as clients are told.

Imported by `server.door.session`.
"""

from engine.games import GAMES
from server.protocol import GameInfo, StartInfo

LEVELS = 8

GAME_INFOS = tuple(
    GameInfo(
        game.name,
        game.title,
        game.seats,
        game.seat_names,
        LEVELS,
        tuple(StartInfo(*start) for start in game.starts),
        has_match_limit=game.territory is not None,
    )
    for game in GAMES.values()
)
