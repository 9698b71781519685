"""A thousand watchers of a match that two people play in the page: everybody hears everything once and in order."""

import asyncio
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import msgspec
from playwright.sync_api import expect

from benchmarks.wire import Wire
from tests.browser.visitor import Visit, begin_match
from tests.serving import PATIENCE_S, Site

WATCHERS = 1_000
FILES = 4_096
AT_ONCE = 50
MOVES = ("a7", "d7", "g7", "a4", "g4", "a1")
"""Without a mill."""


class Told(msgspec.Struct):
    """What is read of an event."""

    seq: int = 0
    events: tuple["Told", ...] = ()


class Crowd:
    """Watchers at the bare socket, in a thread of their own."""

    def __init__(self, server: Site, match: str) -> None:
        self._host, _, port = server.address.rpartition(":")
        self._port = int(port)
        self._match = match
        self._heard: list[list[int]] = [[] for _ in range(WATCHERS)]
        self._wires: list[Wire] = []
        self._decoder = msgspec.json.Decoder(Told)

    def have_heard(self, seq: int) -> bool:
        """Whether all have heard every event up to one, each once and in order."""
        return all(heard == list(range(1, seq + 1)) for heard in self._heard)

    async def gather(self) -> None:
        """Connect, and watch."""
        loop = asyncio.get_running_loop()
        for first in range(0, WATCHERS, AT_ONCE):
            await asyncio.gather(*(self._connect(loop, heard) for heard in self._heard[first : first + AT_ONCE]))

    async def _connect(self, loop: asyncio.AbstractEventLoop, heard: list[int]) -> None:
        make = partial(Wire, f"{self._host}:{self._port}", partial(self._hear, heard))
        _, wire = await loop.create_connection(make, self._host, self._port)
        await wire.is_upgraded
        wire.send(b'{"type":"hello","version":2}')
        wire.send(b'{"type":"watch","match":"%b"}' % self._match.encode())
        self._wires.append(wire)

    async def leave(self) -> None:
        """Close every connection."""
        for wire in self._wires:
            wire.close()
        # Transports close their sockets in the next turn of the event loop.
        await asyncio.sleep(0)

    def _hear(self, heard: list[int], frame: bytes) -> None:
        if frame.startswith((b'{"type":"match_event"', b'{"type":"match_events"')):
            told = self._decoder.decode(frame)
            heard += [event.seq for event in told.events or (told,)]


@contextmanager
def watching(server: Site, match: str) -> Iterator[Crowd]:
    """Have a thousand watch a match while the context lasts."""
    crowd, loop = Crowd(server, match), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(crowd.gather(), loop).result(PATIENCE_S)
        yield crowd
    finally:
        asyncio.run_coroutine_threadsafe(crowd.leave(), loop).result(PATIENCE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()


def allow_files() -> None:
    """Let this process have a connection for each watcher."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES if hard < 0 else min(FILES, hard), hard))


def test_two_players_and_a_thousand_spectators_receive_everything(visit: Visit) -> None:
    allow_files()
    host, guest = begin_match(visit)
    path = host.path
    started_at = 4
    with watching(host.server, path.removeprefix("/match/")) as crowd:
        for ply, move in enumerate(MOVES):
            (host, guest)[ply % 2].play(move)
            expect((guest, host)[ply % 2].moves).to_have_count(ply + 1)
        host.wait_until(lambda: crowd.have_heard(started_at + len(MOVES)))
        expect(guest.page.locator(".about")).to_contain_text(f"{WATCHERS} watching")
