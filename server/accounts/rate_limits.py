"""How often something may be tried: so many times by one key in any stretch of time of a given length.

Pure: told the time.
"""

from collections import deque
from typing import Final

KEYS_KEPT: Final = 10_000
"""Past so many keys, those whose attempts are over are forgotten."""


class Attempts:
    """Counts attempts by key: a name, an address.

    An attempt counts from when it begins, so that many at once are no way around the limit; one that succeeds is
    given back.
    """

    def __init__(self, most: int, window_ms: int) -> None:
        self._most = most
        self._window_ms = window_ms
        self._at_ms: dict[str, deque[int]] = {}

    def may_try(self, key: str, now_ms: int) -> bool:
        """Return whether the key has an attempt left."""
        return len(self._recent(key, now_ms)) < self._most

    def begin(self, key: str, now_ms: int) -> None:
        """Count an attempt."""
        if len(self._at_ms) >= KEYS_KEPT:
            self._forget_old(now_ms)
        self._at_ms.setdefault(key, deque()).append(now_ms)

    def give_back(self, key: str) -> None:
        """Count the latest attempt no longer."""
        times_ms = self._at_ms.get(key)
        if times_ms:
            times_ms.pop()
        if not times_ms:
            self._at_ms.pop(key, None)

    def _recent(self, key: str, now_ms: int) -> deque[int]:
        times_ms = self._at_ms.get(key, deque())
        while times_ms and times_ms[0] <= now_ms - self._window_ms:
            times_ms.popleft()
        return times_ms

    def _forget_old(self, now_ms: int) -> None:
        self._at_ms = {key: times_ms for key, times_ms in self._at_ms.items() if self._recent(key, now_ms)}
