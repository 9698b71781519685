"""The interval of pings: short while the player may have to move, long for spectators.

Pings measure a player's round trip, which is compensated on the clock (`server.matches.lag_compensation`), and soon
detect the loss of a player whose clock runs. Pinging 5,000 spectators as often took half of the server's processor
time.
"""

import random

PLAYER_PING_SECONDS = 2.5
SPECTATOR_PING_SECONDS = 20.0
PONG_SECONDS = 6.5
"""Time for an answer to a ping before the connection is cut: a player's 9 s after its last sign of life."""

SPREAD = 0.2
"""Random variation of a spectator's interval, so that spectators who arrived together are not pinged together."""


def spectator_ping_seconds() -> float:
    """Return the interval of one spectator's pings."""
    return SPECTATOR_PING_SECONDS * random.uniform(1 - SPREAD, 1)
