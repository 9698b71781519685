"""Coalescing: something that changes often is sent at once, and then at most once in an interval.

Pure but for the event loop's timers.
"""

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Coalescing(Generic[K]):
    """Sends what has changed, by keys such as a player: the first change at once, later ones after the interval."""

    def __init__(self, seconds: float, send: Callable[[K], None]) -> None:
        self._seconds = seconds
        self._send = send
        self._waits: dict[K, bool] = {}
        """The keys that were sent within the interval, each with whether it has changed since."""

    def note(self, key: K) -> None:
        """Note that something has changed, and send it now or when the interval is over."""
        if key in self._waits:
            self._waits[key] = True
        else:
            self._begin(key)

    def close(self) -> None:
        """Send nothing more."""
        self._waits = dict.fromkeys(self._waits, False)

    def _begin(self, key: K) -> None:
        self._waits[key] = False
        asyncio.get_running_loop().call_later(self._seconds, self._end, key)
        self._send(key)

    def _end(self, key: K) -> None:
        if self._waits.pop(key):
            self._begin(key)
