"""Subscriptions to lists, which the server sends now and after every change. Readers get only the latest version."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable
from typing import Generic, TypeVar

from millrace.protocol import Message

from .errors import ClientError

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
List = TypeVar("List", bound=Message)


class Latest(Generic[Value]):
    """The latest value, for any number of readers."""

    def __init__(self) -> None:
        self.value: Value | None = None
        """None before the first value."""
        self._changed = asyncio.Event()
        self._error: ClientError | None = None

    def set(self, value: Value | None) -> None:
        """Replace the value."""
        self.value = value
        self._changed.set()

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        self._error = error
        self._changed.set()

    async def read(self) -> AsyncGenerator[Value, None]:
        """Yield the latest value, now and after each change. Raises: ConnectionLostError."""
        seen: Value | None = None
        while True:
            if self._error is not None:
                raise self._error
            if self.value is not None and self.value is not seen:
                seen = self.value
                yield seen
                # The value may have changed while the reader was busy.
                continue
            self._changed.clear()
            await self._changed.wait()


class LatestOfEach(Generic[Key, Value]):
    """The latest values of several subjects, such as tournaments, each for as long as its one reader reads."""

    def __init__(self, post: Callable[[Message], None]) -> None:
        self._post = post
        self._values: dict[Key, Latest[Value]] = {}
        self._begun: dict[Key, Message] = {}

    def get(self, key: Key) -> Latest[Value] | None:
        """Return the latest value of a subject; None if nobody reads it."""
        return self._values.get(key)

    async def read(self, key: Key, begin: Message, end: Message) -> AsyncGenerator[Value, None]:
        """Send `begin`, yield the latest value now and after each change, and send `end`; a later reader takes over."""
        self._begun[key] = begin
        latest = self._values[key] = Latest[Value]()
        self._post(begin)
        values = latest.read()
        try:
            async for value in values:
                yield value
        finally:
            await values.aclose()
            if self._begun.get(key) is begin:
                del self._begun[key], self._values[key]
                self._post(end)

    # For the connection

    def refuse(self, error: ClientError) -> None:
        """Raise an error in the readers that have received nothing."""
        for latest in self._values.values():
            if latest.value is None:
                latest.fail(error)

    def resume(self) -> None:
        """Subscribe again on a new connection."""
        for begin in self._begun.values():
            self._post(begin)

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        for latest in self._values.values():
            latest.fail(error)


class FollowingClient(Generic[Key, Value]):
    """Commands about subjects that can be followed live, such as studies."""

    def __init__(self, post: Callable[[Message], None]) -> None:
        self._followed = LatestOfEach[Key, Value](post)

    # For the connection

    def refuse(self, error: ClientError) -> None:
        """Raise an error in the readers of subjects that have not arrived."""
        self._followed.refuse(error)

    def resume(self) -> None:
        """Subscribe again on a new connection."""
        self._followed.resume()

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        self._followed.fail(error)


class ListSubscription:
    """A subscription to one or more lists, for as long as any of them is read."""

    def __init__(self, post: Callable[[Message], None], begin: Message, end: Message, *kinds: type[Message]) -> None:
        self.receives = kinds
        self._post = post
        self._begin = begin
        self._end = end
        self._lists = {kind: Latest[Message]() for kind in kinds}
        self._readers = 0

    async def read(self, kind: type[List]) -> AsyncGenerator[List, None]:
        """Yield a list, now and after each change; a slow reader gets only the latest version."""
        self._readers += 1
        self._post(self._begin)
        lists = self._lists[kind].read()
        try:
            async for message in lists:
                assert isinstance(message, kind)
                yield message
        finally:
            await lists.aclose()
            self._readers -= 1
            if not self._readers:
                self._post(self._end)
                for each in self._lists.values():
                    each.set(None)

    # For the connection

    def receive(self, message: Message) -> None:
        """Receive a list from the server. Lists that arrive while nobody reads are dropped."""
        if self._readers:
            self._lists[type(message)].set(message)

    def resume(self) -> None:
        """Subscribe again on a new connection, if any list is being read."""
        if self._readers:
            self._post(self._begin)

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        for each in self._lists.values():
            each.fail(error)
