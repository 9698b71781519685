"""What is said beside a match, line by line: the client library's side of the chat.

`Connection.chat` is a `ChatClient`.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Protocol, Self

from millrace.server.protocol import (
    Chat,
    ChatLine,
    ChatLineAdded,
    ChatRoom,
    Done,
    IdentityId,
    MatchId,
    Message,
    Mute,
    Say,
    WatchChat,
)

from .asking import Requests, new_id
from .errors import ClientError
from .open_feeds import OpenFeeds


class ChatConnection(Protocol):
    """What a feed of talk needs of its connection."""

    def post(self, message: Message, /) -> None:
        """Send, if there is a connection just now."""

    def forget(self, feed: "ChatFeed") -> None:
        """Hand the feed no more messages."""


class ChatFeed:
    """The lines beside a match, each once, from the latest hundred on; those of people one has muted are left out.

    async with me.talk.listen(match) as feed:
        async for line in feed:
            print(line.player.name, line.text)
    """

    def __init__(self, link: ChatConnection, match: MatchId) -> None:
        self.match = match
        self.room: ChatRoom | None = None
        """Where what one says is heard; None before the server has told."""
        self.muted: frozenset[IdentityId] = frozenset()
        self._link = link
        self._heard: set[int] = set()
        self._inbox: deque[ChatLine] = deque()
        self._arrival = asyncio.Event()
        self._error: ClientError | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Listen no longer."""
        self._link.post(WatchChat(self.match, on=False))
        self._link.forget(self)

    async def __aiter__(self) -> AsyncIterator[ChatLine]:
        """Yield the lines without end. Raises: ConnectionLostError, RefusedError."""
        while True:
            while self._inbox:
                line = self._inbox.popleft()
                if line.player.id not in self.muted:
                    yield line
            if self._error is not None:
                raise self._error
            self._arrival.clear()
            await self._arrival.wait()

    # For the connection

    def resume(self) -> None:
        """Ask for the talk on a new socket."""
        self._link.post(WatchChat(self.match))

    def receive(self, message: Chat | ChatLineAdded) -> None:
        """Take in what the server has sent."""
        if isinstance(message, Chat):
            self.room, self.muted = message.room, frozenset(message.muted)
        for line in message.lines if isinstance(message, Chat) else (message.line,):
            if line.number not in self._heard:
                self._heard.add(line.number)
                self._inbox.append(line)
        self._arrival.set()

    def fail(self, error: ClientError) -> None:
        """Raise `error` in the reader when it has read what is there."""
        self._error = error
        self._arrival.set()


class ChatClient(OpenFeeds[ChatFeed]):
    """What a connection says and hears beside matches."""

    hears = (Chat, ChatLineAdded)

    def __init__(self, requests: Requests, post: Callable[[Message], None]) -> None:
        super().__init__()
        self.post = post
        self._requests = requests

    async def say(self, match: MatchId, text: str) -> None:
        """Say something beside a match: to the other players, or, without a seat, to the other watchers.

        Raises: RefusedError.
        """
        await self._requests.ask(Say(new_id(), match, text), Done)

    async def mute(self, player: IdentityId, on: bool = True) -> None:
        """Hear somebody no longer, or again. Raises: RefusedError."""
        await self._requests.ask(Mute(new_id(), player, on), Done)

    def listen(self, match: MatchId) -> ChatFeed:
        """Hear what is said beside a match. A connection has one such feed for a match."""
        self._requests.raise_if_ended()
        return self._open(ChatFeed(self, match))

    # For the connection

    def receive(self, message: Chat | ChatLineAdded) -> None:
        """Hand lines to the feed of their match."""
        if (feed := self._feeds.get(message.match)) is not None:
            feed.receive(message)
