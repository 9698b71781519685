"""Budgets that refill steadily (en.wikipedia.org/wiki/Token_bucket). Pure: the time is an argument."""

from typing import Final

MAX_KEYS: Final = 100_000
"""Beyond this number of keys, the longest unused ones are forgotten early."""


class Budget:
    """An amount of `burst`, which refills steadily from empty to full in `refill_ms`."""

    __slots__ = ("_burst", "_refill_per_ms", "at_ms", "left")

    def __init__(self, burst: float, refill_ms: int, now_ms: int) -> None:
        self._burst = burst
        self._refill_per_ms = burst / refill_ms
        self.left = burst
        """The amount left at the last refill; negative after an overdraft."""
        self.at_ms = now_ms
        """When it was last refilled."""

    def spend(self, amount: float, now_ms: int) -> bool:
        """Spend an amount, and return whether there was enough. If not, the budget is overdrawn."""
        if now_ms > self.at_ms:
            self.left = min(self._burst, self.left + (now_ms - self.at_ms) * self._refill_per_ms)
            self.at_ms = now_ms
        self.left -= amount
        return self.left >= 0

    def put_back(self, amount: float) -> None:
        """Undo a spending."""
        self.left = min(self._burst, self.left + amount)


class TokenBucket:
    """Gives each key a budget of `burst`, which refills steadily from empty to full in `refill_ms`.

    Keys are kept in two generations. The older one is dropped when the younger one is twice the refill time old: its
    budgets are full again by then, so forgetting them changes nothing.
    """

    def __init__(self, burst: float, refill_ms: int) -> None:
        self.burst = burst
        self.refill_ms = refill_ms
        self._young: dict[str, Budget] = {}
        self._old: dict[str, Budget] = {}
        self._since_ms = 0
        """When the younger generation began."""

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def left(self, key: str, now_ms: int) -> float:
        """Return the amount left; negative after an overdraft."""
        budget = self._find(key, now_ms)
        return self.burst if budget is None else budget.left

    def spend(self, key: str, amount: float, now_ms: int) -> bool:
        """Spend an amount, and return whether there was enough. If not, the budget is overdrawn."""
        budget = self._find(key, now_ms)
        if budget is None:
            budget = Budget(self.burst, self.refill_ms, now_ms)
        self._young[key] = budget
        return budget.spend(amount, now_ms)

    def put_back(self, key: str, amount: float, now_ms: int) -> None:
        """Undo a spending."""
        budget = self._find(key, now_ms)
        if budget is not None:
            budget.put_back(amount)

    def wait_ms(self, key: str, amount: float, now_ms: int) -> int:
        """Return the milliseconds until an amount can be spent; at most twice the refill time."""
        missing = max(0.0, amount - self.left(key, now_ms))
        return int(min(2 * self.refill_ms, missing * self.refill_ms / self.burst)) if self.burst else self.refill_ms

    def _find(self, key: str, now_ms: int) -> Budget | None:
        """Return the refilled budget of a key; None if it is full because it was never used."""
        if now_ms - self._since_ms >= 2 * self.refill_ms or len(self._young) >= MAX_KEYS:
            is_old_full = now_ms - self._since_ms >= 4 * self.refill_ms
            self._old, self._young, self._since_ms = {} if is_old_full else self._young, {}, now_ms
        budget = self._young.get(key) or self._old.get(key)
        if budget is not None:
            budget.spend(0, now_ms)
        return budget
