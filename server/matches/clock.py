"""A match's clock, as a value: what each seat has left, and whose time is running.

Pure: callers pass `now_ms`, milliseconds since 1970.

There are five kinds. Each ply adds an *increment*; or the first moments of each ply, the *delay*, do not count; or each
ply restores the whole initial time (`renews`, correspondence); or *periods* follow the initial time (byo-yomi); or none
of these.

What a seat has left always includes its periods: its flag falls when nothing is left. A seat with k periods of P ms is
in its main time while it has more than k P left, and has used up a period when at most (k - 1) P are left. A period
that was used up never comes back, also when the seat is given time, so the clock remembers how many there are.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from millrace.protocol import ClockSettings

GRACE_MS = 10_000
"""How long the running clock stands still after a restart of the server, so that players can come back."""

DAY_MS = 86_400_000
MAX_DAYS = 14
"""Maximum time for each ply in correspondence."""
MIN_MS = 1_000
"""Minimum main time of a clock without periods, and minimum length of a period."""


def find_fault(settings: ClockSettings) -> str | None:
    """Return a sentence that says what is wrong with clock settings, or None if they are valid.

    >>> find_fault(ClockSettings(3_600_000, renews=True))
    'A correspondence clock gives 1 to 14 whole days for each move.'
    """
    if settings.renews:
        return _fault_of_correspondence(settings)
    if settings.initial_ms > DAY_MS:
        return "A clock that is not renewed with each move starts with a day at most."
    if settings.periods or settings.period_ms:
        return _fault_of_periods(settings)
    if settings.increment_ms and settings.delay_ms:
        return "A clock has an increment or a delay, not both."
    return None if settings.initial_ms >= MIN_MS else "A clock without periods starts with at least a second."


def starting_ms(settings: ClockSettings) -> int:
    """Return what each seat has left at the start, its periods included.

    >>> starting_ms(ClockSettings(300_000, periods=3, period_ms=10_000))
    330000
    """
    return settings.initial_ms + settings.periods * settings.period_ms


class ClockFace(NamedTuple):
    """What a seat has left, as a clock shows it."""

    left_ms: int
    """Of the main time; in a period, of that period."""
    periods: int = 0
    """The periods that are left, including the one that the seat is in."""
    in_period: bool = False
    """Whether the main time is over."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat has left, and which seat's time runs since when.

    >>> clock = Clock.of(ClockSettings(60_000, 1_000), seats=2).run(0, now_ms=5_000)
    >>> clock.after_ply(next_seat=1, now_ms=15_000).left_ms(now_ms=17_000)
    (51000, 58000)
    """

    settings: ClockSettings
    remaining_ms: tuple[int, ...]
    """What each seat has left, its periods included; the running seat's at `since_ms`."""
    running: int | None = None
    since_ms: int = 0
    """From when the running seat's time counts; in the future during a delay or a grace period."""
    periods: tuple[int, ...] = ()
    """The periods that each seat has left, including the one that it is in; empty on a clock without periods."""
    increments_ms: tuple[int, ...] = ()
    """What each seat gets after a ply, where that differs between seats; empty if all get what the settings say."""

    @classmethod
    def of(cls, settings: ClockSettings, seats: int, initial_ms: Sequence[int | None] = ()) -> "Clock":
        """Return a stopped clock, each seat with its initial time; `initial_ms` has those that differ.

        >>> Clock.of(ClockSettings(60_000), 2, (None, 30_000)).remaining_ms
        (60000, 30000)
        """
        own = (settings.initial_ms if each is None else each for each in initial_ms or (None,) * seats)
        left_ms = tuple(each + settings.periods * settings.period_ms for each in own)
        return cls(settings, left_ms, periods=(settings.periods,) * seats if settings.periods else ())

    def set_to(self, left_ms: tuple[int, ...], running: int | None = None, since_ms: int = 0) -> "Clock":
        """Return the clock with other times left, by which it notices the periods that were used up meanwhile."""
        periods = self._periods_left(left_ms) if self.periods else ()
        return Clock(self.settings, left_ms, running, since_ms, periods, self.increments_ms)

    def face(self, seat: int, now_ms: int) -> ClockFace:
        """Return what the clock shows for a seat.

        >>> clock = Clock.of(ClockSettings(5_000, periods=3, period_ms=10_000), seats=2).run(0, now_ms=0)
        >>> clock.face(0, now_ms=2_000), clock.face(0, now_ms=16_000)
        (ClockFace(left_ms=3000, periods=3, in_period=False), ClockFace(left_ms=9000, periods=2, in_period=True))
        """
        left_ms = self.left_ms(now_ms)
        if not self.periods:
            return ClockFace(left_ms[seat])
        periods, period_ms = self._periods_left(left_ms)[seat], self.settings.period_ms
        main_ms = left_ms[seat] - periods * period_ms
        if main_ms > 0:
            return ClockFace(main_ms, periods)
        return ClockFace(main_ms + period_ms if periods else 0, periods, in_period=True)

    def left_ms(self, now_ms: int) -> tuple[int, ...]:
        """Return what each seat has left, its periods included; never below 0."""
        running, remaining_ms = self.running, self.remaining_ms
        if running is None:
            return remaining_ms
        left_ms = max(0, remaining_ms[running] - max(0, now_ms - self.since_ms))
        return (*remaining_ms[:running], left_ms, *remaining_ms[running + 1 :])

    def time_to_spend_ms(self, seat: int, now_ms: int) -> int:
        """Return how long a seat may take for a ply without losing a period, or else its flag."""
        left_ms, periods, in_period = self.face(seat, now_ms)
        return left_ms + self.settings.period_ms * (periods > 0 and not in_period)

    @property
    def flag_falls_at_ms(self) -> int | None:
        """When the running seat's time will be used up, or None while the clock is stopped."""
        return None if self.running is None else self.since_ms + self.remaining_ms[self.running]

    def has_flag_fallen(self, now_ms: int) -> bool:
        """Return whether the running seat's time is used up."""
        return self.flag_falls_at_ms is not None and now_ms >= self.flag_falls_at_ms

    def run(self, seat: int, now_ms: int) -> "Clock":
        """Return the clock with a seat's time running, after its delay."""
        return self.set_to(self.left_ms(now_ms), seat, now_ms + self.settings.delay_ms)

    def after_ply(self, next_seat: int, now_ms: int, compensated_ms: int = 0) -> "Clock":
        """Return the clock after a ply of the running seat: it gets its increment, or it or its period is renewed, and
        the next seat's time runs. Of the time that the ply took, `compensated_ms` do not count."""
        left_ms = self.left_ms(now_ms - compensated_ms)
        if self.running is not None:
            gained_ms = self._after_own_ply(self.running, left_ms)
            left_ms = (*left_ms[: self.running], gained_ms, *left_ms[self.running + 1 :])
        return self.set_to(left_ms, next_seat, now_ms + self.settings.delay_ms)

    def given(self, seats: Collection[int], given_ms: int, periods: tuple[int, ...] | None) -> "Clock":
        """Return the clock with more main time for some seats, and the periods that each has left at that moment."""
        left_ms = tuple(left + given_ms * (seat in seats) for seat, left in enumerate(self.remaining_ms))
        return replace(self, remaining_ms=left_ms, periods=periods or self.periods)

    def halved(self, seat: int, now_ms: int) -> "Clock":
        """Return the clock with half the time for a seat, and no increment from now on.

        >>> clock = Clock.of(ClockSettings(60_000, 1_000), seats=2).halved(1, now_ms=0)
        >>> clock.remaining_ms, clock.increments_ms
        ((60000, 30000), (1000, 0))
        """
        left_ms = self.left_ms(now_ms)
        half_ms = (*left_ms[:seat], left_ms[seat] // 2, *left_ms[seat + 1 :])
        return self.without_increment(seat).set_to(half_ms, self.running, max(now_ms, self.since_ms))

    def without_increment(self, seat: int) -> "Clock":
        """Return the clock without increment for a seat."""
        before = self.increments_ms or (self.settings.increment_ms,) * len(self.remaining_ms)
        return replace(self, increments_ms=(*before[:seat], 0, *before[seat + 1 :]))

    def periods_left(self, now_ms: int) -> tuple[int, ...]:
        """Return the periods that each seat has left, including the one that it is in; empty without periods."""
        return self._periods_left(self.left_ms(now_ms))

    def stop(self, now_ms: int) -> "Clock":
        """Return the clock stopped."""
        return self.set_to(self.left_ms(now_ms))

    def resume(self, last_sign_of_life_ms: int, now_ms: int) -> "Clock":
        """Return the clock after a restart of the server: no time counts from its last sign of life until `GRACE_MS`
        from now, plus what was left of a delay."""
        delay_left_ms = min(self.settings.delay_ms, max(0, self.since_ms - last_sign_of_life_ms))
        return self.set_to(self.left_ms(last_sign_of_life_ms), self.running, now_ms + GRACE_MS + delay_left_ms)

    def _after_own_ply(self, seat: int, left_ms: tuple[int, ...]) -> int:
        if self.periods:
            return max(left_ms[seat], self._periods_left(left_ms)[seat] * self.settings.period_ms)
        if self.settings.renews:
            return self.settings.initial_ms
        return left_ms[seat] + (self.increments_ms[seat] if self.increments_ms else self.settings.increment_ms)

    def _periods_left(self, left_ms: tuple[int, ...]) -> tuple[int, ...]:
        """Return the periods that are left to each seat once it has no more than this left."""
        period_ms = self.settings.period_ms
        return tuple([min(had, -(-left // period_ms)) for had, left in zip(self.periods, left_ms, strict=False)])


def _fault_of_periods(settings: ClockSettings) -> str | None:
    if not settings.periods or settings.period_ms < MIN_MS:
        return "A clock with periods has 1 to 10 of them, each of at least a second."
    if settings.increment_ms or settings.delay_ms:
        return "A clock with periods has no increment and no delay."
    return None


def _fault_of_correspondence(settings: ClockSettings) -> str | None:
    if settings.increment_ms or settings.delay_ms or settings.match_limit_ms is not None:
        return "A correspondence clock has no increment, no delay and no limit for the match."
    if settings.periods or settings.period_ms:
        return "A correspondence clock has no periods."
    if settings.initial_ms % DAY_MS or not settings.initial_ms:
        return f"A correspondence clock gives 1 to {MAX_DAYS} whole days for each move."
    return None
