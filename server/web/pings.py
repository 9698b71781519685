"""How often a connection is pinged: often while its player may have to move, seldom while it only watches.

Pings measure a player's round trip, for which moves are compensated (`server.matches.lag_compensation`), and soon
detect that a player whose clock runs is gone. Pinging 5,000 spectators as often took half of the server's processor
time.
"""

import random

PLAYER_PING_SECONDS = 2.5
SPECTATOR_PING_SECONDS = 20.0
PONG_SECONDS = 6.5
"""A ping unanswered for this long cuts the connection: a player's 9 s after its last sign of life."""

SPREAD = 0.2
"""Share by which a spectator's interval varies, so that those who came together are not pinged together."""


def spectator_ping_seconds() -> float:
    """Return the interval of one spectator's pings."""
    return SPECTATOR_PING_SECONDS * random.uniform(1 - SPREAD, 1)
