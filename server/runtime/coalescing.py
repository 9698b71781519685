"""Coalescing: frequent changes are sent at once a few times in an interval, and then once at its end.

Pure except for the event loop's timers.
"""

import asyncio
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)

AT_ONCE: Final = 5
"""Number of changes in an interval that are sent at once: changes by one or two people are never late."""


class Coalescing(Generic[K]):
    """Sends changes, by keys such as a player."""

    def __init__(self, seconds: float, send: Callable[[K], None]) -> None:
        self._seconds = seconds
        self._send = send
        self._changes: dict[K, int] = {}
        """The number of changes of each key in the interval that began with its first change."""

    def note(self, key: K) -> None:
        """Note a change, and send it now or at the end of the interval."""
        changes = self._changes.get(key, 0)
        if not changes:
            asyncio.get_running_loop().call_later(self._seconds, self._end, key)
        self._changes[key] = changes + 1
        if changes < AT_ONCE:
            self._send(key)

    def close(self) -> None:
        """Stop sending."""
        self._changes = dict.fromkeys(self._changes, 1)

    def _end(self, key: K) -> None:
        if self._changes.pop(key) > AT_ONCE:
            self.note(key)
