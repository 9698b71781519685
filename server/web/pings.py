"""The pings of a connection, and their interval: short while the player may have to move, long for spectators.

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


class Pings:
    """The pings of one connection, of which one at a time waits for its answer."""

    __slots__ = ("_awaited", "_sent_s", "interval_seconds", "latency_s")

    def __init__(self) -> None:
        self._awaited = b""
        """The content of the ping that waits; empty if none does."""
        self._sent_s = 0.0
        self.interval_seconds = PLAYER_PING_SECONDS
        """From the next ping on."""
        self.latency_s = 0.0
        """The round trip of the latest ping; 0 before the first answer."""

    def begin(self, now_s: float) -> bytes:
        """Return the content of a ping that is sent now."""
        self._awaited, self._sent_s = random.randbytes(4), now_s
        return self._awaited

    def is_answer(self, content: bytes | bytearray | memoryview) -> bool:
        """Return whether a pong answers the ping that waits."""
        return bool(self._awaited) and content == self._awaited

    def note_answer(self, now_s: float) -> float:
        """Measure the round trip when the answer arrives; return the seconds until the next ping."""
        self._awaited, self.latency_s = b"", now_s - self._sent_s
        return max(0.0, self.interval_seconds - self.latency_s)
