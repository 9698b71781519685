"""Floods, each from one address that is not that of the honest players: what one attacker can send to a server.

Each is a coroutine that goes on until it is cancelled, whatever is refused. `benchmarks.floods` measures what the other
players notice.
"""

import asyncio
import itertools
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

ATTACKER = "127.0.0.2"
"""The attacker's address: the whole of 127.0.0.0/8 is this machine (Linux)."""
REFUSED_S = 0.05
"""Pause after a connection that was refused or closed."""

_numbers = itertools.count()


class Target(NamedTuple):
    """What is attacked."""

    host: str
    port: int
    victim: str
    """The name of an honest player's account."""
    match: str
    """A match that honest players watch."""

    @property
    def socket(self) -> str:
        return f"ws://{self.host}:{self.port}/socket"


Flood = Callable[[Target], Awaitable[None]]


@asynccontextmanager
async def attacker(target: Target, **options: object) -> AsyncIterator[ClientConnection]:
    """Connect a new guest, who reads whatever comes."""
    async with connect(target.socket, compression=None, local_addr=(ATTACKER, 0), max_size=None, **options) as socket:  # type: ignore[arg-type]
        await say(socket, "hello", version=2)
        yield socket


async def say(socket: ClientConnection, type_: str, **fields: object) -> None:
    """Send a message."""
    await socket.send(json.dumps({"type": type_, **fields}))


async def _read(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


async def _again_and_again(number: int, target: Target, act: Callable[[ClientConnection], Awaitable[None]]) -> None:
    """Have a number of guests at a time act without end, each on a new connection whenever the old one is closed."""

    async def one() -> None:
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                async with attacker(target) as socket:
                    reading = asyncio.create_task(_read(socket))
                    try:
                        while not reading.done():
                            await act(socket)
                    finally:
                        reading.cancel()
            await asyncio.sleep(REFUSED_S)

    await asyncio.gather(*(one() for _ in range(number)))


def _id() -> str:
    return f"f{next(_numbers)}"


async def flood_seeks(target: Target) -> None:
    """60 guests create seeks without end."""

    async def act(socket: ClientConnection) -> None:
        seats = [{"occupant": "me"}, {"occupant": "open"}]
        await say(socket, "create", id=_id(), game="morris", seats=seats, listed=True)
        await asyncio.sleep(0.01)

    await _again_and_again(60, target, act)


async def flood_bot_matches(target: Target) -> None:
    """20 guests create matches between the strongest bots and watch them."""

    async def act(socket: ClientConnection) -> None:
        seats = [{"occupant": "bot", "level": 8}] * 2
        await say(socket, "create", id=_id(), game="morris", seats=seats)
        await say(socket, "watch_live")
        await asyncio.sleep(0.02)

    await _again_and_again(20, target, act)


async def flood_challenges(target: Target) -> None:
    """30 guests challenge one player without end."""

    async def act(socket: ClientConnection) -> None:
        seats = [{"occupant": "me"}, {"occupant": "open"}]
        await say(socket, "create", id=_id(), game="morris", seats=seats, invited=target.victim)
        await asyncio.sleep(0.01)

    await _again_and_again(30, target, act)


async def flood_chat(target: Target) -> None:
    """60 guests write in the chat of one match."""

    async def act(socket: ClientConnection) -> None:
        await say(socket, "say", id=_id(), match=target.match, text=f"line {next(_numbers)}")
        await asyncio.sleep(0.01)

    await _again_and_again(60, target, act)


async def flood_passwords(target: Target) -> None:
    """30 guests guess the password of one player."""

    async def act(socket: ClientConnection) -> None:
        await say(socket, "sign_in", id=_id(), name=target.victim, password="guess guess guess", browser=False)
        await asyncio.sleep(0.01)

    await _again_and_again(30, target, act)


async def flood_silence(target: Target) -> None:
    """500 sockets send nothing, and are opened again when they are cut."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(target.host, target.port, local_addr=(ATTACKER, 0))
                await reader.read()
                writer.close()
            await asyncio.sleep(REFUSED_S)

    await asyncio.gather(*(one() for _ in range(500)))


async def flood_requests(target: Target) -> None:
    """20 clients fetch the page without end."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(target.host, target.port, local_addr=(ATTACKER, 0))
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                await reader.read()
                writer.close()

    await asyncio.gather(*(one() for _ in range(20)))


async def flood_pings(target: Target) -> None:
    """50 guests send pings as fast as they can."""

    async def act(socket: ClientConnection) -> None:
        for _ in range(20):
            await say(socket, "ping", nonce=1)

    await _again_and_again(50, target, act)


async def flood_lookups(target: Target) -> None:
    """50 guests ask for what costs most: searches of the archive, profiles, and positions on new pastures."""

    async def act(socket: ClientConnection) -> None:
        await say(socket, "search_matches", id=_id(), player=target.victim)
        await say(socket, "get_profile", id=_id(), name=target.victim)
        seed = random.randrange(10**6)
        await say(socket, "explore", id=_id(), line={"game": "battlesheep", "setup": f"seats=4 seed={seed}"})

    await _again_and_again(50, target, act)


async def flood_unread(target: Target) -> None:
    """150 watchers ask for a match again and again, and read nothing."""

    async def one() -> None:
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                async with attacker(target, max_queue=1) as socket:
                    while True:
                        await asyncio.wait_for(say(socket, "watch", match=target.match), 1)
                        await asyncio.sleep(0.02)
            await asyncio.sleep(REFUSED_S)

    await asyncio.gather(*(one() for _ in range(150)))


FLOODS: Mapping[str, Flood] = MappingProxyType(
    {
        "seeks": flood_seeks,
        "bot matches": flood_bot_matches,
        "challenges": flood_challenges,
        "chat lines": flood_chat,
        "passwords": flood_passwords,
        "silent sockets": flood_silence,
        "requests": flood_requests,
        "pings": flood_pings,
        "lookups": flood_lookups,
        "unread": flood_unread,
    }
)
