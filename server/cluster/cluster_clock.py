"""The clock of a node, which follows the database's clock, so that nodes on different machines agree on the time of
moves.

Each heartbeat reads the database's clock. Of the latest readings, the one with the shortest round trip counts, as in
NTP's clock filter (RFC 5905, 10): it is wrong by at most half of the round trip. A difference within that error counts
as none, so a busy machine with slow readings does not adjust its clock.
"""

import time
from collections import deque
from math import copysign
from typing import NamedTuple

from ..runtime.system_clock import NowSeconds

KEPT_READINGS = 8
"""Number of latest readings from which the best is chosen."""
STEP_MS = 5.0
"""Maximum correction by one reading after the first: 1 % of the time between two heartbeats."""
MOST_DIFFERENCE_MS = 100.0
"""Difference from the database's clock beyond which a node counts as degraded."""


class _Reading(NamedTuple):
    round_trip_s: float
    offset_ms: float
    """The database's clock minus the node's monotonic clock."""


class ClusterClock:
    """Milliseconds since 1970, never decreasing. Until the first reading, from the machine's clock."""

    def __init__(self, now_s: NowSeconds = time.monotonic, wall_s: NowSeconds = time.time) -> None:
        self._now_s = now_s
        self._offset_ms = (wall_s() - now_s()) * 1000
        self._latest_ms = 0
        self._readings: deque[_Reading] = deque(maxlen=KEPT_READINGS)

    def __call__(self) -> int:
        """Return the time."""
        self._latest_ms = latest_ms = max(self._latest_ms, int(self._now_s() * 1000 + self._offset_ms))
        return latest_ms

    @property
    def difference_ms(self) -> float:
        """How much this clock is ahead of the database's at least, by the best of the latest readings; 0 without
        any.
        """
        if not self._readings:
            return 0.0
        quickest = min(self._readings, key=lambda reading: reading.round_trip_s)
        ahead_ms, doubt_ms = self._offset_ms - quickest.offset_ms, quickest.round_trip_s * 500
        return copysign(max(0.0, abs(ahead_ms) - doubt_ms), ahead_ms)

    def correct(self, began_s: float, ended_s: float, database_ms: int) -> None:
        """Adjust to the database's clock, which was read between two moments of the monotonic clock.

        The first reading sets the clock, even back: nothing has been timed yet. Later ones correct it in small steps,
        so that no player's clock jumps.
        """
        reading = _Reading(ended_s - began_s, database_ms - (began_s + ended_s) * 500)
        if not self._readings:
            self._offset_ms, self._latest_ms = reading.offset_ms, 0
        self._readings.append(reading)
        self._offset_ms -= max(-STEP_MS, min(STEP_MS, self.difference_ms))
