"""How much a connection may send: a bucket of credits that refills at a steady rate."""

import time

BURST_SECONDS = 4
"""What a bucket holds: the credits of so many seconds."""


class Credits:
    """How many messages a connection may still send: a bucket that refills at a steady rate."""

    def __init__(self, per_second: float) -> None:
        self._per_second = per_second
        self._left = self._most = per_second * BURST_SECONDS
        self._at = time.monotonic()

    def spend(self, cost: float) -> bool:
        """Take credits, and return whether there were enough."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._per_second) - cost
        self._at = now
        return self._left >= 0
