"""A proxy between a bot and the server: it records refusals and can cut the connection. It changes no message."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple, Self

import msgspec
from websockets.asyncio.client import connect as open_socket
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from millrace.protocol import MAX_FRAME_BYTES

from ..reconnecting_socket import MAX_SERVER_FRAME_BYTES, socket_url

_POLICY = 1008


class RefusedPly(NamedTuple):
    """A move of the bot that the server refused."""

    move: str
    code: str
    message: str


class _Frame(msgspec.Struct):
    """The fields of a message that the proxy reads."""

    type: str = ""
    id: str | None = None
    move: str = ""
    code: str = ""
    message: str = ""
    refused: dict[str, object] = {}


class RecordingProxy:
    """Forwards the messages of any number of connections, in both directions."""

    def __init__(self, server_address: str) -> None:
        self._url = socket_url(server_address)
        self._open: set[ServerConnection] = set()
        self._changed = asyncio.Event()
        self._plies: dict[str, str] = {}
        self.port = 0
        """The port to which the bot connects."""
        self.refused: list[RefusedPly] = []
        """The refused moves, in order."""
        self.repetition_turns = 0
        """Number of the bot's turns in which the rule against repetition forbade a move."""
        self.rejection = ""
        """The server's reason for closing the bot's connection; empty if the bot did nothing wrong."""

    @classmethod
    @asynccontextmanager
    async def before(cls, server_address: str) -> AsyncIterator[Self]:
        """Run a proxy in front of a server while the context lasts."""
        proxy = cls(server_address)
        async with serve(proxy._forward, "127.0.0.1", 0, compression=None, max_size=None) as listening:
            proxy.port = next(iter(listening.sockets)).getsockname()[1]
            yield proxy

    @property
    def is_connected(self) -> bool:
        """Whether the bot is connected."""
        return bool(self._open)

    async def connected(self) -> None:
        """Wait until the bot is connected."""
        while not self._open:
            self._changed.clear()
            await self._changed.wait()

    def cut(self) -> None:
        """Abort every connection of the bot, as a network failure does."""
        for connection in self._open:
            connection.transport.abort()
        self._open.clear()

    async def _forward(self, bot: ServerConnection) -> None:
        """Serve one connection of the bot."""
        assert bot.request is not None
        token = bot.request.headers.get("Authorization")
        headers = {} if token is None else {"Authorization": token}
        async with open_socket(
            self._url, additional_headers=headers, compression=None, max_size=MAX_SERVER_FRAME_BYTES
        ) as server:
            self._open.add(bot)
            self._changed.set()
            pumps = (asyncio.create_task(self._pump(bot, server)), asyncio.create_task(self._pump(server, bot)))
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._open.discard(bot)
                for pump in pumps:
                    pump.cancel()
        if server.close_code == _POLICY:
            self.rejection = server.close_reason or "a protocol error"
            await bot.close(_POLICY, server.close_reason or "")

    async def _pump(self, source: Connection, target: Connection) -> None:
        try:
            async for frame in source:
                self._record(frame)
                await target.send(frame)
        except ConnectionClosed:
            return

    def _record(self, text: str | bytes) -> None:
        if len(text) > MAX_FRAME_BYTES:
            return
        try:
            frame = msgspec.json.decode(text, type=_Frame)
        except msgspec.DecodeError:
            return
        if frame.type == "play" and frame.id is not None:
            self._plies[frame.id] = frame.move
        elif frame.type == "refused" and frame.id in self._plies:
            self.refused.append(RefusedPly(self._plies[frame.id], frame.code, frame.message))
        elif frame.type == "turn" and frame.refused:
            self.repetition_turns += 1
