"""The events that wait to be sent to other nodes: at most so many, and none while the bus is interrupted."""

import asyncio
from collections import deque
from collections.abc import Callable

from ..runtime import metrics

MAX_WAITING = 10_000
"""Maximum events that wait; further ones are dropped."""
MAX_BATCH = 500
"""Maximum events that are sent together."""

Message = tuple[str, bytes]
"""A channel and what is sent to it."""


class Outgoing:
    """A queue that never makes a publisher wait: it drops what it cannot take, and has the receivers told so."""

    def __init__(self, dropped: Callable[[], Message]) -> None:
        """`dropped` returns the message that tells the receivers that they have missed others."""
        self._dropped = dropped
        self._waiting: deque[Message] = deque()
        self._batch: list[Message] = []
        """The messages that are being sent."""
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
        """Wait for messages and return a batch of them; it counts as dropped unless `confirm` is called."""
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
        """Take messages, for a connection that has opened."""
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
        """Return once every message has been sent or dropped."""
        await self._is_empty.wait()

    def _drop(self, count: int) -> None:
        if count:
            self._has_dropped = True
            metrics.BUS_EVENTS_DROPPED.inc(count)
