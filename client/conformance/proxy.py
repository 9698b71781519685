"""A relay between a bot and the server: it sees what both say, and can cut their connection.

It changes nothing of what is said.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple, Self

import msgspec
from websockets.asyncio.client import connect as open_socket
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from millrace.server.protocol import MAX_FRAME_BYTES

from ..reconnecting_socket import MAX_SERVER_FRAME_BYTES, socket_url

_POLICY = 1008


class RefusedPly(NamedTuple):
    """A ply that the bot wanted to make and that was refused."""

    move: str
    code: str
    message: str


class _Frame(msgspec.Struct):
    """What of a frame the relay looks at."""

    type: str = ""
    id: str | None = None
    move: str = ""
    code: str = ""
    message: str = ""
    refused: dict[str, object] = {}


class RecordingProxy:
    """Passes the frames of any number of connections on, both ways."""

    def __init__(self, server_address: str) -> None:
        self._url = socket_url(server_address)
        self._open: set[ServerConnection] = set()
        self._changed = asyncio.Event()
        self._plies: dict[str, str] = {}
        self.port = 0
        """Where the bot connects."""
        self.refused: list[RefusedPly] = []
        """What was refused, in order."""
        self.bans = 0
        """So many turns of the bot came with moves that the ban on repetition forbids."""
        self.rejection = ""
        """Why the server closed the connection of the bot last, in its words; empty if it was not for a fault."""

    @classmethod
    @asynccontextmanager
    async def before(cls, server_address: str) -> AsyncIterator[Self]:
        """Run a relay before a server while the context lasts."""
        relay = cls(server_address)
        async with serve(relay._pass_on, "127.0.0.1", 0, compression=None, max_size=None) as listening:
            relay.port = next(iter(listening.sockets)).getsockname()[1]
            yield relay

    @property
    def is_connected(self) -> bool:
        """Whether the bot has a connection."""
        return bool(self._open)

    async def connected(self) -> None:
        """Wait until the bot has a connection."""
        while not self._open:
            self._changed.clear()
            await self._changed.wait()

    def cut(self) -> None:
        """Cut every connection of the bot as a lost network does, without a word."""
        for connection in self._open:
            connection.transport.abort()
        self._open.clear()

    async def _pass_on(self, bot: ServerConnection) -> None:
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
            self.rejection = server.close_reason or "a breach of the protocol"
            await bot.close(_POLICY, server.close_reason or "")

    async def _pump(self, source: Connection, target: Connection) -> None:
        try:
            async for frame in source:
                self._look_at(frame)
                await target.send(frame)
        except ConnectionClosed:
            return

    def _look_at(self, text: str | bytes) -> None:
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
            self.bans += 1
