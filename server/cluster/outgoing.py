"""The events waiting to be sent to other nodes: a bounded number, and none while the bus is interrupted."""

import asyncio
from collections import deque
from collections.abc import Callable

from ..runtime import metrics

MAX_WAITING = 10_000
"""Maximum number of waiting events; further ones are dropped."""
MAX_BATCH = 500
"""Maximum number of events sent together."""

Message = tuple[str, bytes]
"""A channel and its content."""


class Outgoing:
    """A queue that never makes a publisher wait: if it is full, it drops events and informs the receivers."""

    def __init__(self, dropped: Callable[[], Message]) -> None:
        """`dropped` returns the message that informs the receivers of missed events."""
        self._dropped = dropped
        self._waiting: deque[Message] = deque()
        self._batch: list[Message] = []
        """The messages being sent."""
        self._has_messages = asyncio.Event()
        self._is_empty = asyncio.Event()
        self._is_empty.set()
        self._is_open = True
        self._has_dropped = False

    def add(self, message: Message) -> None:
        """Queue a message, or drop it."""
        if self._is_open and len(self._waiting) < MAX_WAITING:
            self._waiting.append(message)
            self._has_messages.set()
            self._is_empty.clear()
        else:
            self._drop(1)

    async def take(self) -> list[Message]:
        """Wait for messages and return a batch; it counts as dropped unless `confirm` is called."""
        await self._has_messages.wait()
        self._batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_BATCH))]
        if self._has_dropped and not self._waiting:
            self._batch.append(self._dropped())
            self._has_dropped = False
        if not self._waiting:
            self._has_messages.clear()
        return self._batch

    def confirm(self) -> None:
        """Count the batch as sent."""
        metrics.BUS_EVENTS_SENT.inc(len(self._batch))
        self._batch = []
        if not self._waiting:
            self._is_empty.set()

    def open(self) -> None:
        """Accept messages, for a connection that has opened."""
        self._is_open = True
        if self._has_dropped:
            self._has_messages.set()

    def close(self) -> None:
        """Drop everything until `open` is called."""
        self._is_open = False
        self._drop(len(self._batch) + len(self._waiting))
        self._batch = []
        self._waiting.clear()
        self._has_messages.clear()
        self._is_empty.set()

    async def wait_until_empty(self) -> None:
        """Return after every message has been sent or dropped."""
        await self._is_empty.wait()

    def _drop(self, count: int) -> None:
        if count:
            self._has_dropped = True
            metrics.BUS_EVENTS_DROPPED.inc(count)
