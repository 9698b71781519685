"""What is made good of the time that a ply spends on the way: a quota for each seat, so that nobody can live on it.

Pure. The round trip is what the server measured by its own pings; a client's clock is never believed. After lichess's
formula: a ply is given its lag back, up to the quota; the quota gains a little more than the lag of a usual connection
with each ply, so that a steady lag is made good for good and a sudden one for a while. Quotas last as long as the match
is served by one process.
"""

from dataclasses import dataclass, replace

from ..protocol import ClockSettings
from .speed import expected_ms

ALLOWED_MS = 140
"""Beside the round trip: what drawing and clicking cost."""
MOST_GAIN_MS = 1_000
FIRST_QUOTA_GAINS = 3
MOST_QUOTA_GAINS = 7


@dataclass(frozen=True, slots=True)
class Lag:
    """The lag of one seat, and what may still be made good of it.

    >>> lag = Lag.of(ClockSettings(180_000, 2_000)).measured(80)
    >>> lag.compensation_ms, lag.after_ply().quota_ms - lag.quota_ms
    (80, 140)
    """

    most_gain_ms: int
    """By one ply."""
    quota_ms: int
    round_trip_ms: int = 0

    @classmethod
    def of(cls, settings: ClockSettings) -> "Lag":
        """Return the lag of a seat at the beginning, before anything is measured."""
        most_gain_ms = min(MOST_GAIN_MS, expected_ms(settings) // 250 + 150)
        return cls(most_gain_ms, FIRST_QUOTA_GAINS * most_gain_ms)

    def measured(self, round_trip_ms: int) -> "Lag":
        """Return the lag with the latest round trip."""
        return replace(self, round_trip_ms=round_trip_ms)

    @property
    def compensation_ms(self) -> int:
        """How much of a ply that arrived now would not count."""
        return min(self.round_trip_ms, self.quota_ms)

    def after_ply(self) -> "Lag":
        """Return the lag after a ply that was compensated."""
        gain_ms = min(self.most_gain_ms, self.round_trip_ms + ALLOWED_MS)
        quota_ms = min(MOST_QUOTA_GAINS * self.most_gain_ms, self.quota_ms + gain_ms - self.compensation_ms)
        return replace(self, quota_ms=quota_ms)


class Compensation:
    """The lags of the seats of one match; where no seconds count, nothing is made good."""

    def __init__(self, settings: ClockSettings | None) -> None:
        self._first = None if settings is None or settings.renews else Lag.of(settings)
        self._lags: dict[int, Lag] = {}

    def measure(self, seat: int, round_trip_ms: int) -> None:
        """Note the round trip of a seat's player."""
        if self._first is not None:
            self._lags[seat] = self._lags.get(seat, self._first).measured(round_trip_ms)

    def of(self, seat: int | None) -> int:
        """Return how much of a ply of the seat would not count now, in milliseconds."""
        lag = None if seat is None else self._lags.get(seat)
        return 0 if lag is None else lag.compensation_ms

    def spend(self, seat: int) -> None:
        """Note that a ply of the seat was compensated."""
        if seat in self._lags:
            self._lags[seat] = self._lags[seat].after_ply()
