"""A match's clock, as a value: what each seat has left, and whose time is running.

Pure: it never asks for the time, it is told `now_ms` (milliseconds since 1970). Imported by `server.match` and
`server.referee`.
"""

from dataclasses import dataclass, replace

from server.protocol import ClockSettings

GRACE_MS = 10_000
"""After the server was away, the running clock stands still for so long, so that players can come back."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat has left at the moment from which the running seat's time counts.

    >>> clock = Clock.of(ClockSettings(60_000, 1_000), seats=2).run(0, now_ms=5_000)
    >>> clock.after_ply(next_seat=1, now_ms=15_000).left_ms(now_ms=17_000)
    (51000, 58000)
    """

    settings: ClockSettings
    remaining_ms: tuple[int, ...]
    running: int | None = None
    since_ms: int = 0
    """From when the running seat's time counts; may lie in the future, when a grace is granted."""

    @classmethod
    def of(cls, settings: ClockSettings, seats: int) -> "Clock":
        """Return a clock that stands, each seat with its initial time."""
        return cls(settings, (settings.initial_ms,) * seats)

    def left_ms(self, now_ms: int) -> tuple[int, ...]:
        """Return what each seat has left; never below 0."""
        used_ms = max(0, now_ms - self.since_ms)
        return tuple(
            max(0, left_ms - used_ms) if seat == self.running else left_ms
            for seat, left_ms in enumerate(self.remaining_ms)
        )

    @property
    def flag_falls_at_ms(self) -> int | None:
        """When the running seat's time will be used up, or None while the clock stands."""
        return None if self.running is None else self.since_ms + self.remaining_ms[self.running]

    def has_flag_fallen(self, now_ms: int) -> bool:
        """Return whether the running seat's time is used up."""
        return self.flag_falls_at_ms is not None and now_ms >= self.flag_falls_at_ms

    def run(self, seat: int, now_ms: int) -> "Clock":
        """Return the clock with a seat's time running from now."""
        return Clock(self.settings, self.left_ms(now_ms), seat, now_ms)

    def after_ply(self, next_seat: int, now_ms: int) -> "Clock":
        """Return the clock after a ply of the running seat: it gains its increment, and the next seat's time runs."""
        left_ms = tuple(
            left_ms + self.settings.increment_ms if seat == self.running else left_ms
            for seat, left_ms in enumerate(self.left_ms(now_ms))
        )
        return Clock(self.settings, left_ms, next_seat, now_ms)

    def stop(self, now_ms: int) -> "Clock":
        """Return the clock standing."""
        return Clock(self.settings, self.left_ms(now_ms))

    def resume(self, last_sign_of_life_ms: int, now_ms: int) -> "Clock":
        """Return the clock as the server found it when it came back: no time counts from its last sign of life until
        `GRACE_MS` from now."""
        frozen = replace(self, remaining_ms=self.left_ms(last_sign_of_life_ms))
        return replace(frozen, since_ms=now_ms + GRACE_MS)
