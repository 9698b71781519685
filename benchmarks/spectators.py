"""How soon a move reaches the opponent, and the last of very many spectators.

Run `python -m benchmarks.spectators --watchers 1000 --watchers 5000`. A server with its durable journal runs on one
core. Two players and, in a process of their own on another core, the spectators are connected over the loopback. The
players make random moves of Nine Men's Morris, each some time after the previous one has reached everyone. All clocks
are the machine's monotonic clock, so that the times of both processes can be compared.

The spectators read raw bytes: a spectator has the move when the event's number has arrived, which is searched for in
the bytes. The processor time of the server and the spectators for each move, including pings, is printed too: on a busy
machine it says more than the delays.
"""

import asyncio
import multiprocessing
import random
import resource
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from typing import Annotated, NamedTuple

import msgspec
import typer
import uvloop
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.players import Accepted, Turn
from benchmarks.server import cpu_seconds, give_up_on_errors, on_core, serving
from benchmarks.wire import Wire
from tests.serving import ServerProcess

AT_ONCE = 100
"""Spectators that connect at a time."""

PATIENCE_SECONDS = 60.0
HEADINGS = ("watchers", "opponent p50", "p99 ms", "last p50", "p99 ms", "server computes", "watchers compute")

_turns = msgspec.json.Decoder(Turn)
_answers = msgspec.json.Decoder(Accepted)


class Crowd:
    """Spectators of one match, in their own process."""

    def __init__(self, host: str, port: int, match: str, number: int) -> None:
        self._host, self._port, self._match, self._number = host, port, match, number
        self._seq = 0
        """The number of the awaited event."""
        self._missing = 0
        self._all_have_it = asyncio.Event()
        self._catching_up = asyncio.Semaphore(0)

    async def gather(self) -> None:
        """Connect all spectators, and return when all are watching."""
        loop = asyncio.get_running_loop()
        for first in range(0, self._number, AT_ONCE):
            wires = []
            for _ in range(min(AT_ONCE, self._number - first)):
                watcher = _Watcher(self)
                _, wire = await loop.create_connection(
                    partial(Wire, f"{self._host}:{self._port}", watcher.hear), self._host, self._port
                )
                await wire.is_upgraded
                wire.send(b'{"type":"hello","version":2,"client":"benchmark"}')
                wire.send(b'{"type":"watch","match":"%b"}' % self._match.encode())
                wires.append(wire)
            for _ in wires:
                await self._catching_up.acquire()

    def expect(self, seq: int) -> None:
        """Wait for the event with this number from now on."""
        self._seq, self._missing = seq, self._number
        self._all_have_it.clear()

    async def last_at(self) -> float:
        """Return the time when the last spectator had the event."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._all_have_it.wait()
        return time.monotonic()

    def note_watching(self) -> None:
        """Record that a spectator has caught up."""
        self._catching_up.release()

    def note_event(self, frame: bytes) -> None:
        """Record that a spectator has an event."""
        if self._missing and b'"seq":%d,' % self._seq in frame[:64]:
            self._missing -= 1
            if not self._missing:
                self._all_have_it.set()


class _Watcher:
    def __init__(self, crowd: Crowd) -> None:
        self._crowd = crowd

    def hear(self, frame: bytes) -> None:
        """Handle a frame by its first bytes."""
        if frame.startswith(b'{"type":"match_event"'):
            self._crowd.note_event(frame)
        elif frame.startswith(b'{"type":"match_events"'):
            self._crowd.note_watching()
        elif frame.startswith(b'{"type":"refused"'):
            raise RuntimeError(f"refused: {frame!r}")


def watch(pipe: Connection, host: str, port: int, match: str, number: int) -> None:
    """Run the spectators' process: given the number of an event, answer when the last one has it."""
    uvloop.run(_watch(pipe, Crowd(host, port, match, number)))


async def _watch(pipe: Connection, crowd: Crowd) -> None:
    give_up_on_errors()
    await crowd.gather()
    pipe.send(0.0)
    asked: asyncio.Queue[int] = asyncio.Queue()
    asyncio.get_running_loop().add_reader(pipe.fileno(), lambda: asked.put_nowait(pipe.recv()))
    while seq := await asked.get():
        crowd.expect(seq)
        pipe.send(0.0)
        pipe.send(await crowd.last_at())


@dataclass
class Delays:
    """The measurements, in seconds."""

    opponent: list[float] = field(default_factory=list)
    last_watcher: list[float] = field(default_factory=list)


class Players:
    """Two players of one match."""

    def __init__(self) -> None:
        self.match = ""
        self.seq = 0
        self._wires: list[Wire] = []
        self._chance = random.Random(1)
        self._answered: asyncio.Queue[str] = asyncio.Queue()
        self._turn: asyncio.Queue[tuple[int, Mapping[str, object]]] = asyncio.Queue()
        self._mover = 0
        self._sent_at = 0.0
        self._delay: asyncio.Queue[float] = asyncio.Queue()
        self._commands = 0

    async def open(self, host: str, port: int) -> None:
        """Connect both players and begin a match."""
        loop = asyncio.get_running_loop()
        for player in range(2):
            _, wire = await loop.create_connection(
                partial(Wire, f"{host}:{port}", partial(self._hear, player)), host, port
            )
            self._wires.append(wire)
            await wire.is_upgraded
            wire.send(b'{"type":"hello","version":2,"client":"benchmark"}')
        await self.begin()

    async def begin(self) -> None:
        """Begin a match that both players follow."""
        self._command(0, "create", '"game":"morris","seats":[{"occupant":"me"},{"occupant":"open"}]')
        self.match, self.seq = await self._answered.get(), 0
        self._command(1, "join", f'"match":"{self.match}"')
        await self._answered.get()
        for wire in self._wires:
            wire.send(b'{"type":"watch","match":"%b"}' % self.match.encode())

    async def next_move(self) -> tuple[int, str]:
        """Return the seat to move and one of its moves."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            seat, tree = await self._turn.get()
        clicks = []
        branch: object = tree
        while isinstance(branch, dict):
            clicks.append(self._chance.choice(tuple(branch)))
            branch = branch[clicks[-1]]
        return seat, " ".join(clicks)

    async def play(self, seat: int, move: str) -> float:
        """Make a move, and return the time until the opponent had it, and when it was sent."""
        self._mover, self._sent_at = seat, time.monotonic()
        self._command(seat, "play", f'"match":"{self.match}","seat":{seat},"move":"{move}"')
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self._delay.get()

    @property
    def sent_at(self) -> float:
        """When the latest move was sent."""
        return self._sent_at

    def _hear(self, player: int, frame: bytes) -> None:
        if frame.startswith(b'{"type":"match_event"'):
            if self._sent_at and player != self._mover and b'"type":"moved"' in frame:
                self._delay.put_nowait(time.monotonic() - self._sent_at)
            if player == 0:
                self.seq = int(frame[: frame.index(b',"at_ms"')].rpartition(b":")[2])
        elif frame.startswith(b'{"type":"watching"'):
            self.seq = max(self.seq, int(frame[: frame.index(b',"board"')].rpartition(b":")[2]))
        elif frame.startswith(b'{"type":"turn"'):
            turn = _turns.decode(frame)
            self._turn.put_nowait((turn.seat, turn.moves))
        elif frame.startswith(b'{"type":"accepted"'):
            accepted = _answers.decode(frame)
            if not accepted.id.startswith("play"):
                self._answered.put_nowait(accepted.match)
        elif frame.startswith(b'{"type":"refused"'):
            raise RuntimeError(f"refused: {frame!r}")

    def _command(self, player: int, name: str, fields: str) -> None:
        self._commands += 1
        self._wires[player].send(f'{{"type":"{name}","id":"{name}{self._commands}",{fields}}}'.encode())


class Audience(NamedTuple):
    """What a number of spectators cost."""

    watchers: int
    delays: Delays
    server_ms: float
    """Processor time of the server for each move."""
    spectators_ms: float
    """The same of the spectators' process."""

    @property
    def cells(self) -> tuple[str, ...]:
        """The figures as text."""
        computed = (f"{each:.1f} ms/move" for each in (self.server_ms, self.spectators_ms))
        return (f"{self.watchers:,}", *_figures(self.delays), *computed)


async def measure(server: ServerProcess, watchers: int, moves: int, pause_s: float) -> Audience:
    """Return what a number of spectators cost."""
    give_up_on_errors()
    host, _, port = server.address.rpartition(":")
    players = Players()
    await players.open(host, int(port))
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    crowd = context.Process(target=watch, args=(theirs, host, int(port), players.match, watchers), daemon=True)
    crowd.start()
    await asyncio.to_thread(ours.recv)
    pids = (server.pid, crowd.pid or 0)
    before_s = [cpu_seconds(pid) for pid in pids]
    delays = Delays()
    for _ in track(range(moves), f"{watchers:,} watchers", transient=True):
        await asyncio.sleep(pause_s)
        seat, move = await players.next_move()
        ours.send(players.seq + 1)
        await asyncio.to_thread(ours.recv)
        delays.opponent.append(await players.play(seat, move))
        delays.last_watcher.append(await asyncio.to_thread(ours.recv) - players.sent_at)
    server_ms, spectators_ms = (
        (cpu_seconds(pid) - before) / moves * 1000 for pid, before in zip(pids, before_s, strict=True)
    )
    ours.send(0)
    crowd.join(PATIENCE_SECONDS)
    return Audience(watchers, delays, server_ms, spectators_ms)


def _figures(delays: Delays) -> tuple[str, ...]:
    return tuple(
        f"{sorted(each)[int(share * (len(each) - 1))] * 1000:.2f}"
        for each in (delays.opponent, delays.last_watcher)
        for share in (0.5, 0.99)
    )


def allow_files(number: int) -> None:
    """Raise the limit of open connections for this process and its children."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number + 1_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard) if hard > 0 else wanted, hard))


def main(
    watchers: Annotated[list[int] | None, typer.Option(help="Of one match; repeatable.", show_default="1000")] = None,
    moves: Annotated[int, typer.Option(help="How many are measured, at most 30 or so to a match.")] = 30,
    pause: Annotated[float, typer.Option(help="Seconds before each move.")] = 0.3,
    database: Annotated[str, typer.Option(help="A database URL; by default SQLite in a new folder.")] = "",
) -> None:
    """Measure, and print the table."""
    table = Table(*HEADINGS, title="A match with many watchers, from the sending of a move")
    for number in watchers or [1000]:
        allow_files(number)
        with serving(database) as server, on_core(1):
            table.add_row(*uvloop.run(measure(server, number, moves, pause)).cells)
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
