"""A match's clock, as a value: what each seat has left, and whose time is running.

Pure: callers pass `now_ms`, milliseconds since 1970.

There are four kinds. Each ply adds an *increment*; or the first moments of each ply, the *delay*, do not count; or each
ply restores the whole initial time (`renews`, correspondence); or none of these.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from ..protocol import ClockSettings

GRACE_MS = 10_000
"""How long the running clock stands still after a restart of the server, so that players can come back."""

DAY_MS = 86_400_000
MAX_DAYS = 14
"""Maximum time for each ply in correspondence."""


def find_fault(settings: ClockSettings) -> str | None:
    """Return a sentence that says what is wrong with clock settings, or None if they are valid.

    >>> find_fault(ClockSettings(3_600_000, renews=True))
    'A correspondence clock gives 1 to 14 whole days for each move.'
    """
    if not settings.renews:
        if settings.initial_ms > DAY_MS:
            return "A clock that is not renewed with each move starts with a day at most."
        if settings.increment_ms and settings.delay_ms:
            return "A clock has an increment or a delay, not both."
        return None
    if settings.increment_ms or settings.delay_ms or settings.match_limit_ms is not None:
        return "A correspondence clock has no increment, no delay and no limit for the match."
    if settings.initial_ms % DAY_MS:
        return f"A correspondence clock gives 1 to {MAX_DAYS} whole days for each move."
    return None


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat has left, and which seat's time runs since when.

    >>> clock = Clock.of(ClockSettings(60_000, 1_000), seats=2).run(0, now_ms=5_000)
    >>> clock.after_ply(next_seat=1, now_ms=15_000).left_ms(now_ms=17_000)
    (51000, 58000)
    """

    settings: ClockSettings
    remaining_ms: tuple[int, ...]
    running: int | None = None
    since_ms: int = 0
    """From when the running seat's time counts; in the future during a delay or a grace period."""

    @classmethod
    def of(cls, settings: ClockSettings, seats: int) -> "Clock":
        """Return a stopped clock, each seat with its initial time."""
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
        """When the running seat's time will be used up, or None while the clock is stopped."""
        return None if self.running is None else self.since_ms + self.remaining_ms[self.running]

    def has_flag_fallen(self, now_ms: int) -> bool:
        """Return whether the running seat's time is used up."""
        return self.flag_falls_at_ms is not None and now_ms >= self.flag_falls_at_ms

    def run(self, seat: int, now_ms: int) -> "Clock":
        """Return the clock with a seat's time running, after its delay."""
        return Clock(self.settings, self.left_ms(now_ms), seat, now_ms + self.settings.delay_ms)

    def after_ply(self, next_seat: int, now_ms: int, compensated_ms: int = 0) -> "Clock":
        """Return the clock after a ply of the running seat: it gets its increment or is renewed, and the next seat's
        time runs. Of the time that the ply took, `compensated_ms` do not count."""
        left_ms = self.left_ms(now_ms - compensated_ms)
        if self.running is not None:
            gained_ms = self._after_own_ply(left_ms[self.running])
            left_ms = (*left_ms[: self.running], gained_ms, *left_ms[self.running + 1 :])
        return Clock(self.settings, left_ms, next_seat, now_ms + self.settings.delay_ms)

    def given(self, seats: Collection[int], given_ms: int) -> "Clock":
        """Return the clock with more time for some seats."""
        left_ms = tuple(left + given_ms * (seat in seats) for seat, left in enumerate(self.remaining_ms))
        return replace(self, remaining_ms=left_ms)

    def stop(self, now_ms: int) -> "Clock":
        """Return the clock stopped."""
        return Clock(self.settings, self.left_ms(now_ms))

    def resume(self, last_sign_of_life_ms: int, now_ms: int) -> "Clock":
        """Return the clock after a restart of the server: no time counts from its last sign of life until `GRACE_MS`
        from now, plus what was left of a delay."""
        frozen = replace(self, remaining_ms=self.left_ms(last_sign_of_life_ms))
        delay_left_ms = min(self.settings.delay_ms, max(0, self.since_ms - last_sign_of_life_ms))
        return replace(frozen, since_ms=now_ms + GRACE_MS + delay_left_ms)

    def _after_own_ply(self, left_ms: int) -> int:
        return self.settings.initial_ms if self.settings.renews else left_ms + self.settings.increment_ms
