"""Lag compensation: how much of a ply's time on the network does not count, within a quota for each seat.

The formula is lichess's. A ply gets its lag back up to the seat's quota, and each ply adds a little more to the quota
than a usual connection lags. Steady lag is therefore always compensated, and a spike only while the quota lasts.

The server measures the round trip by its own pings; a client's clock is never believed. Quotas are not stored: they
last while one process serves the match, and cannot be part of its clock, which is made from stored events alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from millrace.protocol import ClockSettings

from .speed import expected_ms

PROCESSING_MS = 140
"""What drawing and clicking cost beside the round trip."""
MAX_GAIN_MS = 1_000
"""Maximum that one ply adds to a quota."""
FIRST_QUOTA_GAINS = 3
"""The quota at the start of a match, in gains."""
MAX_QUOTA_GAINS = 7
"""Maximum quota, in gains."""


@dataclass(frozen=True, slots=True)
class LagQuota:
    """The lag of one seat, and how much of it may still be compensated.

    >>> quota = LagQuota.of(ClockSettings(180_000, 2_000)).measured(80)
    >>> quota.compensation_ms, quota.after_ply().quota_ms - quota.quota_ms
    (80, 140)
    """

    max_gain_ms: int
    """Maximum that one ply adds to the quota."""
    quota_ms: int
    round_trip_ms: int = 0
    """As last measured."""

    @classmethod
    def of(cls, settings: ClockSettings) -> "LagQuota":
        """Return a seat's quota at the start of a match, before anything is measured."""
        max_gain_ms = min(MAX_GAIN_MS, expected_ms(settings) // 250 + 150)
        return cls(max_gain_ms, FIRST_QUOTA_GAINS * max_gain_ms)

    def measured(self, round_trip_ms: int) -> "LagQuota":
        """Return the quota with the latest round trip."""
        return replace(self, round_trip_ms=round_trip_ms)

    @property
    def compensation_ms(self) -> int:
        """How much of the time of a ply that arrives now does not count."""
        return min(self.round_trip_ms, self.quota_ms)

    def after_ply(self) -> "LagQuota":
        """Return the quota after a compensated ply."""
        gain_ms = min(self.max_gain_ms, self.round_trip_ms + PROCESSING_MS)
        quota_ms = min(MAX_QUOTA_GAINS * self.max_gain_ms, self.quota_ms + gain_ms - self.compensation_ms)
        return replace(self, quota_ms=quota_ms)


@dataclass(frozen=True, slots=True)
class LagCompensation:
    """The lag quotas of a match's seats, as a value: the caller passes it to a decision and gets the next one back."""

    quotas: tuple[LagQuota, ...] = ()
    """By seat; empty where seconds do not count: without a clock, and in correspondence."""

    @classmethod
    def of(cls, settings: ClockSettings | None, seats: int) -> "LagCompensation":
        """Return the quotas at the start of a match."""
        if settings is None or settings.renews:
            return cls()
        return cls((LagQuota.of(settings),) * seats)

    @property
    def figures(self) -> tuple[tuple[int, int], ...]:
        """The quota and the round trip of each seat, in milliseconds, for the other servers of the match."""
        return tuple((quota.quota_ms, quota.round_trip_ms) for quota in self.quotas)

    def with_figures(self, figures: Sequence[tuple[int, int]]) -> "LagCompensation":
        """Return these quotas with the figures of another server of the match."""
        pairs = zip(self.quotas, figures, strict=False)
        return LagCompensation(
            tuple(replace(quota, quota_ms=ms, round_trip_ms=round_trip_ms) for quota, (ms, round_trip_ms) in pairs)
        )

    def measured(self, seat: int, round_trip_ms: int) -> "LagCompensation":
        """Return the quotas with the latest round trip of a seat's player."""
        if seat >= len(self.quotas) or self.quotas[seat].round_trip_ms == round_trip_ms:
            return self
        return self._replaced(seat, self.quotas[seat].measured(round_trip_ms))

    def compensation_ms(self, seat: int | None) -> int:
        """Return how much of the time of a ply of the seat does not count; 0 for no seat."""
        return self.quotas[seat].compensation_ms if seat is not None and self.quotas else 0

    def after_ply(self, seat: int) -> "LagCompensation":
        """Return the quotas after a compensated ply of the seat."""
        return self._replaced(seat, self.quotas[seat].after_ply()) if self.quotas else self

    def _replaced(self, seat: int, quota: LagQuota) -> "LagCompensation":
        return LagCompensation((*self.quotas[:seat], quota, *self.quotas[seat + 1 :]))


NO_COMPENSATION = LagCompensation()
"""For plies that do not cross a network, and matches in which seconds do not count."""
