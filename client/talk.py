"""What is said beside a match, line by line: the client library's side of the chat.

It sends nothing but that it listens; speaking is a command of `client.connection`, which imports this.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Protocol, Self

from client.errors import ClientError
from server.protocol import Chat, ChatLine, IdentityId, MatchId, Message, Said, TalkRoom, WatchChat


class TalkLink(Protocol):
    """What a feed of talk needs of its connection."""

    def post(self, message: Message) -> None:
        """Send, if there is a connection just now."""

    def stop_listening(self, feed: "TalkFeed") -> None:
        """Hand the feed no more messages."""


class TalkFeed:
    """The lines beside a match, each once, from the latest hundred on; those of people one has muted are left out.

    async with me.listen(match) as feed:
        async for line in feed:
            print(line.player.name, line.text)
    """

    def __init__(self, link: TalkLink, match: MatchId) -> None:
        self.match = match
        self.room: TalkRoom | None = None
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
        self._link.stop_listening(self)

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

    def receive(self, message: Chat | Said) -> None:
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
