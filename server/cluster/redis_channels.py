"""The channels that one connection to Redis receives: requested together, and confirmed one by one."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable

from redis.asyncio.client import PubSub

MAX_UNINTERRUPTED = 100
"""Maximum messages received before other tasks get a turn."""


class RedisChannels:
    """Subscribes to channels and receives their messages. Every failure of Redis ends `change` and `receive`."""

    def __init__(self, pubsub: PubSub) -> None:
        self._pubsub = pubsub
        self._wanted: set[str] = set()
        self._asked: set[str] = set()
        """The channels requested from Redis."""
        self._changed: set[str] = set()
        """The channels whose request may have changed."""
        self._unconfirmed: Counter[str] = Counter()
        """The requested subscriptions that Redis has not confirmed, by channel."""
        self._waiting: dict[str, asyncio.Future[None]] = {}
        """Completed when a channel is confirmed."""
        self._has_changes = asyncio.Event()
        self._is_settled = asyncio.Event()
        self._is_closed = False

    @property
    def is_unconfirmed(self) -> bool:
        """Whether Redis has not confirmed every requested channel."""
        return bool(self._unconfirmed)

    def want(self, channels: Iterable[str]) -> None:
        """Start to receive channels."""
        for channel in channels:
            self._wanted.add(channel)
            self._note_change(channel)

    def unwant(self, channel: str) -> None:
        """Stop receiving a channel."""
        self._wanted.discard(channel)
        self._note_change(channel)

    async def wait_for(self, channel: str) -> None:
        """Return once the messages of a wanted channel arrive, it is no longer wanted, or the connection is lost."""
        if not self._is_closed and (channel in self._changed or channel in self._unconfirmed):
            if channel not in self._waiting:
                self._waiting[channel] = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._waiting[channel])

    async def wait_for_all(self) -> None:
        """Return once the messages of every wanted channel arrive."""
        while not self._is_settled.is_set():  # another may be wanted before this task gets its turn
            await self._is_settled.wait()

    async def change(self) -> None:
        """Subscribe to the wanted channels until cancelled. Raises: RedisError."""
        while True:
            await self._has_changes.wait()
            self._has_changes.clear()
            begin = [each for each in self._changed if each in self._wanted and each not in self._asked]
            end = [each for each in self._changed if each not in self._wanted and each in self._asked]
            self._unconfirmed.update(begin)
            self._asked.update(begin)
            self._asked.difference_update(end)
            changed, self._changed = self._changed, set()
            for channel in changed - self._unconfirmed.keys():
                self._confirm(channel)
            if begin:
                await self._pubsub.subscribe(*begin)
            if end:
                await self._pubsub.unsubscribe(*end)

    async def receive(self, message: Callable[[bytes], None]) -> None:
        """Call a function with each message, until cancelled. Raises: RedisError."""
        count = 0
        while True:
            received = await self._pubsub.get_message(timeout=None)
            if received["type"] == "message":
                message(received["data"])
            elif received["type"] == "subscribe":
                channel = received["channel"].decode()
                self._unconfirmed[channel] -= 1
                if not self._unconfirmed[channel]:
                    del self._unconfirmed[channel]
                    self._confirm(channel)
            count += 1
            if count % MAX_UNINTERRUPTED == 0:
                await asyncio.sleep(0)

    def close(self) -> None:
        """Release everything that waits for a confirmation."""
        self._is_closed = True
        for waiting in self._waiting.values():
            waiting.set_result(None)
        self._waiting.clear()

    def _note_change(self, channel: str) -> None:
        self._changed.add(channel)
        self._has_changes.set()
        self._is_settled.clear()

    def _confirm(self, channel: str) -> None:
        waiting = self._waiting.pop(channel, None)
        if waiting is not None:
            waiting.set_result(None)
        if not self._unconfirmed and not self._changed:
            self._is_settled.set()
