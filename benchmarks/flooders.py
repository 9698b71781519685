"""Floods, each from one or more addresses that are not those of the honest players: what attackers can send a server.

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

from millrace.engine.games import find_game
from millrace.engine.state import State

REFUSED_S = 0.05
"""Pause after a connection that was refused or closed."""
HANDSHAKE = (
    b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

_numbers = itertools.count()


class Target(NamedTuple):
    """What is attacked."""

    host: str
    port: int
    victim: str
    """The name of an honest player's account."""
    match: str
    """A match that honest players watch."""
    addresses: int = 1
    """The number of the attackers' addresses."""

    @property
    def socket(self) -> str:
        return f"ws://{self.host}:{self.port}/socket"

    def attacker(self) -> tuple[str, int]:
        """Return one of the attackers' addresses: the whole of 127.0.0.0/8 is this machine (Linux)."""
        return f"127.0.0.{2 + random.randrange(self.addresses)}", 0


Flood = Callable[[Target], Awaitable[None]]


@asynccontextmanager
async def attacker(target: Target, **options: object) -> AsyncIterator[ClientConnection]:
    """Connect a new guest, who reads whatever comes."""
    own = target.attacker()
    async with connect(target.socket, compression=None, local_addr=own, max_size=None, **options) as socket:  # type: ignore[arg-type]
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
                reader, writer = await _connect(target)
                await reader.read()
                writer.close()
            await asyncio.sleep(REFUSED_S)

    await asyncio.gather(*(one() for _ in range(500)))


async def _connect(target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(target.host, target.port, local_addr=target.attacker())


async def _fetch_without_end(number: int, target: Target, next_path: Callable[[], str], headers: str = "") -> None:
    """Have a number of clients at a time fetch pages without end."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await _connect(target)
                writer.write(f"GET {next_path()} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
                while await reader.read(1 << 16):
                    pass
                writer.close()

    await asyncio.gather(*(one() for _ in range(number)))


async def flood_requests(target: Target) -> None:
    """20 clients fetch the page without end."""
    await _fetch_without_end(20, target, lambda: "/")


async def flood_pages(target: Target) -> None:
    """50 clients fetch what is large or takes long: pages with previews, references, the archive, positions."""
    seeds = itertools.count()
    paths = itertools.cycle(
        ("/protocol.html", f"/player/{target.victim}", f"/match/{target.match}", "/archive.json", "/health", "/absent")
    )

    def next_path() -> str:
        seed = next(seeds)
        return next(paths) if seed % 2 else f"/position.txt?game=battlesheep&setup=seats=4+seed={seed}"

    await _fetch_without_end(50, target, next_path)


async def flood_pictures(target: Target) -> None:
    """50 clients fetch pictures of ever new pastures."""
    seeds = itertools.count()
    path = "/picture/analysis/battlesheep.png?position=seats%3D4+seed%3D"
    await _fetch_without_end(50, target, lambda: f"{path}{next(seeds)}")


async def flood_handshakes(target: Target) -> None:
    """50 clients open connections and sockets without end, and drop each at once."""
    sent = itertools.cycle((b"", b"GET /socket HTTP/1.1\r\nHost: loc", HANDSHAKE, HANDSHAKE))

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await _connect(target)
                beginning = next(sent)
                writer.write(beginning)
                if beginning == HANDSHAKE:
                    await reader.read(64)
                writer.transport.abort()

    await asyncio.gather(*(one() for _ in range(50)))


async def flood_studies(target: Target) -> None:
    """50 guests save studies of the greatest length without end."""
    text = long_study()
    await _again_and_again(50, target, lambda socket: _upload(socket, "save_study", text, 4_000, game="mingmang"))


async def flood_imports(target: Target) -> None:
    """50 guests import texts of twenty long matches without end."""
    matches = (
        f'[Game "mingmang"]\n[White "a{number}"]\n\n{long_match(number)} 1-0\n\n' for number in itertools.count()
    )
    text = ""
    while len(text) < 257_000 and text.count("[Game") < 20:
        text += next(matches)
    await _again_and_again(50, target, lambda socket: _upload(socket, "import_matches", text, 7_000))


async def _upload(socket: ClientConnection, type_: str, text: str, length: int, **fields: object) -> None:
    """Send a text in parts of a length."""
    name, parts = _id(), -(-len(text) // length)
    for part in range(parts):
        piece = text[part * length : (part + 1) * length]
        await say(socket, type_, id=_id(), upload=name, part=part, parts=parts, text=piece, **fields)


def long_match(seed: int, plies: int = 1_000) -> str:
    """Return the moves of a random match of Ming Mang, of at most so many plies."""
    chance, state = random.Random(seed), State.of(find_game("mingmang"))
    while state.ply < plies and state.outcome is None:
        state = state.play(chance.choice(state.legal_moves))
    return " ".join(state.move_texts) if state.outcome is None else long_match(seed + 1_000, plies)


def long_study() -> str:
    """Return a study of 47,000 characters, with a variation of several moves for each of its moves."""
    chance, state, text = random.Random(1), State.of(find_game("mingmang")), ""
    while len(text) < 47_000 and state.outcome is None:
        others = [state.format_move(move) for move in chance.sample(state.legal_moves, min(8, len(state.legal_moves)))]
        move = chance.choice(state.legal_moves)
        text += f"{state.format_move(move)} " + "".join(f"({other}) " for other in others)
        state = state.play(move)
    return text


async def flood_pings(target: Target) -> None:
    """50 guests send pings as fast as they can, as messages."""

    async def act(socket: ClientConnection) -> None:
        for _ in range(20):
            await say(socket, "ping", nonce=1)

    await _again_and_again(50, target, act)


async def flood_frames(target: Target) -> None:
    """20 guests send pings and parts of messages below the protocol's messages, ten thousand at a time."""
    kinds = itertools.cycle((b"\x89\x80\0\0\0\0" * 10_000, b"\x01\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * 10_000))

    async def act(socket: ClientConnection) -> None:
        if not socket.transport.is_closing() and socket.transport.get_write_buffer_size() < 1 << 20:
            socket.transport.write(next(kinds))
        await asyncio.sleep(0.001)

    await _again_and_again(20, target, act)


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
        "handshakes": flood_handshakes,
        "pages": flood_pages,
        "pictures": flood_pictures,
        "studies": flood_studies,
        "imports": flood_imports,
        "pings": flood_pings,
        "frames": flood_frames,
        "lookups": flood_lookups,
        "unread": flood_unread,
    }
)
