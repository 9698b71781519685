"""Rate limits: how often, or how much, a player or an address may do something. Pure: the time is an argument.

`SlidingWindow` counts events, such as wrong passwords in a minute. `TokenBucket` refills steadily and measures any
amount, such as messages or milliseconds of processor time (en.wikipedia.org/wiki/Token_bucket).
"""

from collections import deque
from typing import Final

MAX_KEYS: Final = 10_000
"""With more keys than this, those that have not used anything lately are forgotten."""


class SlidingWindow:
    """Allows each key, such as a name or an address, a number of events in any stretch of time of a given length."""

    def __init__(self, limit: int, window_ms: int) -> None:
        self.limit = limit
        self.window_ms = window_ms
        self._events_ms: dict[str, deque[int]] = {}

    def has_room(self, key: str, now_ms: int) -> bool:
        """Return whether another event is within the limit."""
        return len(self._recent(key, now_ms)) < self.limit

    def add(self, key: str, now_ms: int) -> None:
        """Count an event, even past the limit."""
        if len(self._events_ms) >= MAX_KEYS:
            self._events_ms = {each: times for each, times in self._events_ms.items() if self._recent(each, now_ms)}
        self._events_ms.setdefault(key, deque()).append(now_ms)

    def try_add(self, key: str, now_ms: int) -> bool:
        """Count an event if it is within the limit, and return whether it is."""
        if not self.has_room(key, now_ms):
            return False
        self.add(key, now_ms)
        return True

    def undo(self, key: str) -> None:
        """Uncount the latest event, for example a sign-in that succeeded.

        Counting before the outcome is known keeps simultaneous attempts within the limit.
        """
        times_ms = self._events_ms.get(key)
        if times_ms:
            times_ms.pop()
        if not times_ms:
            self._events_ms.pop(key, None)

    def _recent(self, key: str, now_ms: int) -> deque[int]:
        times_ms = self._events_ms.get(key, deque())
        while times_ms and times_ms[0] <= now_ms - self.window_ms:
            times_ms.popleft()
        return times_ms


class Budget:
    """An amount of `burst`, which refills steadily from empty to full in `refill_ms`."""

    __slots__ = ("_burst", "_refill_per_ms", "at_ms", "left")

    def __init__(self, burst: float, refill_ms: int, now_ms: int) -> None:
        self._burst = burst
        self._refill_per_ms = burst / refill_ms
        self.left = burst
        """What was left when it was last refilled; negative after an overdraft."""
        self.at_ms = now_ms
        """When it was last refilled."""

    def refill(self, now_ms: int) -> None:
        """Add what the time has brought."""
        if now_ms > self.at_ms:
            self.left = min(self._burst, self.left + (now_ms - self.at_ms) * self._refill_per_ms)
            self.at_ms = now_ms

    def spend(self, amount: float, now_ms: int) -> bool:
        """Spend an amount, and return whether there was enough. If not, the budget is overdrawn."""
        self.refill(now_ms)
        self.left -= amount
        return self.left >= 0


class TokenBucket:
    """Gives each key a budget of `burst`, which refills steadily from empty to full in `refill_ms`."""

    def __init__(self, burst: float, refill_ms: int) -> None:
        self.burst = burst
        self.refill_ms = refill_ms
        self._budgets: dict[str, Budget] = {}

    def left(self, key: str, now_ms: int) -> float:
        """Return what is left to spend; negative after an overdraft."""
        return self._budget(key, now_ms).left

    def spend(self, key: str, amount: float, now_ms: int) -> bool:
        """Spend an amount, and return whether there was enough. If not, the budget is overdrawn."""
        return self._budget(key, now_ms).spend(amount, now_ms)

    def wait_ms(self, key: str, amount: float, now_ms: int) -> int:
        """Return in how many milliseconds there will be an amount to spend."""
        missing = amount - self._budget(key, now_ms).left
        return max(0, int(missing * self.refill_ms / self.burst))

    def _budget(self, key: str, now_ms: int) -> Budget:
        budget = self._budgets.get(key)
        if budget is None:
            if len(self._budgets) >= MAX_KEYS:
                self._forget_full(now_ms)
            budget = self._budgets[key] = Budget(self.burst, self.refill_ms, now_ms)
        budget.refill(now_ms)
        return budget

    def _forget_full(self, now_ms: int) -> None:
        """Forget the keys whose last use is so long ago that an empty budget would be full again."""
        since_ms = now_ms - self.refill_ms
        self._budgets = {key: budget for key, budget in self._budgets.items() if budget.at_ms > since_ms}
