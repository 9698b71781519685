"""How often a connection is pinged: whoever plays is asked often, whoever only looks on seldom.

The pings of players measure their round trip, which a ply is given back (`server.matches.lag`), and notice soon that
somebody has gone whose clock runs. To ping 5,000 onlookers as often took half of what the server computed for them.
"""

import random

from websockets.asyncio.server import ServerConnection

PLAYER_PING_SECONDS = 2.5
ONLOOKER_PING_SECONDS = 20.0
PONG_SECONDS = 6.5
"""A ping that stays unanswered for so long cuts the connection: a player's 9 s after its last sign of life."""

SPREAD = 0.2
"""Of onlookers' time between pings, so that those who came together are not all pinged together."""


def beat_for_player(connection: ServerConnection) -> None:
    """Ping a connection often, after the ping that is due already."""
    connection.ping_interval = PLAYER_PING_SECONDS


def beat_for_onlooker(connection: ServerConnection) -> None:
    """Ping a connection seldom, after the ping that is due already."""
    connection.ping_interval = ONLOOKER_PING_SECONDS * random.uniform(1 - SPREAD, 1)
