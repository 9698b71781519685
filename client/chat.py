"""The chat beside a match or a tournament: reading, writing and muting.

`Connection.chat` is a `ChatClient`. What names a match names its chat; `chat_of_tournament` names that of a tournament.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Protocol, Self

from millrace.protocol import (
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

from .errors import ClientError
from .feeds_by_match import FeedsByMatch
from .requests import Requests, new_id


class ChatConnection(Protocol):
    """What a chat feed needs of its connection."""

    def post(self, message: Message, /) -> None:
        """Send a message, if there is a connection at the moment."""

    def forget(self, feed: "ChatFeed") -> None:
        """Stop passing messages to the feed."""


class ChatFeed:
    """The lines of a chat, each once, starting with the latest hundred. Lines of muted players are left out.

    async with me.chat.listen(match) as feed:
        async for line in feed:
            print(line.player.name, line.text)
    """

    def __init__(self, connection: ChatConnection, match: MatchId) -> None:
        self.match = match
        self.room: ChatRoom | None = None
        """The room that you write to. None until the server has answered."""
        self.muted: frozenset[IdentityId] = frozenset()
        self._connection = connection
        self._received: set[int] = set()
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
        """Unsubscribe."""
        self._connection.post(WatchChat(self.match, on=False))
        self._connection.forget(self)

    async def latest(self) -> list[ChatLine]:
        """Return the lines so far that were not read yet, once they have arrived.

        Raises: ConnectionLostError, RefusedError.
        """
        while self.room is None and self._error is None:
            self._arrival.clear()
            await self._arrival.wait()
        if self._error is not None:
            raise self._error
        lines = [line for line in self._inbox if line.player.id not in self.muted]
        self._inbox.clear()
        return lines

    async def __aiter__(self) -> AsyncIterator[ChatLine]:
        """Yield lines as they arrive, without end. Raises: ConnectionLostError, RefusedError."""
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
        """Subscribe on a new socket."""
        self._connection.post(WatchChat(self.match))

    def receive(self, message: Chat | ChatLineAdded) -> None:
        """Receive a message from the server."""
        if isinstance(message, Chat):
            self.room, self.muted = message.room, frozenset(message.muted)
        for line in message.lines if isinstance(message, Chat) else (message.line,):
            if line.number not in self._received:
                self._received.add(line.number)
                self._inbox.append(line)
        self._arrival.set()

    def fail(self, error: ClientError) -> None:
        """Raise `error` in the reader after the lines that have arrived."""
        self._error = error
        self._arrival.set()


class ChatClient(FeedsByMatch[ChatFeed]):
    """Reads and writes chats."""

    receives = (Chat, ChatLineAdded)

    def __init__(self, requests: Requests, post: Callable[[Message], None]) -> None:
        super().__init__()
        self.post = post
        self._requests = requests

    async def say(self, match: MatchId, text: str) -> None:
        """Write a line: to the other players if you have a seat, otherwise to the spectators; in a tournament, to all.

        Raises: RefusedError.
        """
        await self._requests.ask(Say(new_id(), match, text), Done)

    async def mute(self, player: IdentityId, on: bool = True) -> None:
        """Hide the lines of a player from you, or show them again. Raises: RefusedError."""
        await self._requests.ask(Mute(new_id(), player, on), Done)

    def listen(self, match: MatchId) -> ChatFeed:
        """Subscribe to a chat. A connection has one such feed for each."""
        self._requests.raise_if_ended()
        return self._open(ChatFeed(self, match))

    # For the connection

    def receive(self, message: Chat | ChatLineAdded) -> None:
        """Pass a message to the feed of its match."""
        if (feed := self._feeds.get(message.match)) is not None:
            feed.receive(message)
