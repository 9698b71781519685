"""The throughput of a server: accepted moves per second, delivery time to the opponent, and the cost of a connection.

Run `python -m benchmarks.server --rooms 200 --rooms 1000`. A server with its durable journal runs on one core. This
process, on another core, plays random matches of Nine Men's Morris over the loopback, two connections for each room:
first as fast as answers arrive, then at a steady rate. The table also shows how busy both cores were: the figures are
those of the server only where its core is the busier one.
"""

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.wire import Wire
from tests.serving import ServerProcess

ROOMS_AT_ONCE = 25
"""Connections opened at a time."""
HEADINGS = ("moves/s", "p50 ms", "p99 ms", "server core", "client core")


class Turn(msgspec.Struct):
    """The part of a `Turn` that is read."""

    seat: int
    moves: Mapping[str, object]


class Accepted(msgspec.Struct):
    """The part of an `Accepted` that is read."""

    id: str
    match: str


_turns = msgspec.json.Decoder(Turn)
_answers = msgspec.json.Decoder(Accepted)


@dataclass
class Tally:
    """Counts since the last reset."""

    accepted: int = 0
    delays_s: list[float] = field(default_factory=list)
    """Time from sending a move to the opponent's receipt of its event."""

    def empty(self) -> None:
        """Reset the counts."""
        self.accepted = 0
        self.delays_s.clear()

    def delay_ms(self, share: float) -> float:
        """Return the delay that this share of moves does not exceed."""
        return sorted(self.delays_s)[int(share * (len(self.delays_s) - 1))] * 1000


@dataclass
class Pace:
    """Time that players wait before they move."""

    longest_s: float = 0.0


class Room:
    """Two players who play one match after another."""

    def __init__(self, tally: Tally, pace: Pace, chance: random.Random) -> None:
        self.greeted = asyncio.Semaphore(0)
        self._tally = tally
        self._pace = pace
        self._chance = chance
        self._wires: list[Wire] = []
        self._commands = 0
        self._match = ""
        self._mover = 0
        self._sent_at = 0.0

    async def open(self, host: str, port: int) -> None:
        """Connect both players and wait until they are greeted."""
        loop = asyncio.get_running_loop()
        for player in range(2):
            _, wire = await loop.create_connection(
                partial(Wire, f"{host}:{port}", partial(self._receive, player)), host, port
            )
            self._wires.append(wire)
            await wire.is_upgraded
            wire.send(b'{"type":"hello","version":2,"client":"benchmark"}')
            await self.greeted.acquire()

    def begin(self) -> None:
        """Create a match."""
        self._command(0, "create", '"game":"morris","seats":[{"occupant":"me"},{"occupant":"open"}]')

    def close(self) -> None:
        """Close the connections."""
        for wire in self._wires:
            wire.close()

    def _receive(self, player: int, frame: bytes) -> None:
        if frame.startswith(b'{"type":"match_event"'):
            self._note_event(player, frame)
        elif frame.startswith(b'{"type":"accepted"'):
            self._note_answer(_answers.decode(frame))
        elif frame.startswith(b'{"type":"turn"'):
            self._take_turn(player, _turns.decode(frame))
        elif frame.startswith(b'{"type":"welcome"'):
            self.greeted.release()
        elif frame.startswith(b'{"type":"refused"'):
            raise RuntimeError(f"refused: {frame!r}")

    def _note_event(self, player: int, frame: bytes) -> None:
        if self._sent_at and player != self._mover:
            self._tally.delays_s.append(time.perf_counter() - self._sent_at)
            self._sent_at = 0.0
        if b'"type":"ended"' in frame:
            self._wires[player].send(b'{"type":"unwatch","match":"%b"}' % self._match.encode())
            if player == 0:
                self.begin()

    def _note_answer(self, accepted: Accepted) -> None:
        if accepted.id.startswith("play"):
            self._tally.accepted += 1
        elif accepted.id.startswith("create"):
            self._match = accepted.match
            self._command(1, "join", f'"match":"{self._match}"')
        else:
            for wire in self._wires:
                wire.send(b'{"type":"watch","match":"%b"}' % self._match.encode())

    def _take_turn(self, player: int, turn: Turn) -> None:
        tree: object = turn.moves
        clicks = []
        while isinstance(tree, dict):
            clicks.append(self._chance.choice(tuple(tree)))
            tree = tree[clicks[-1]]
        fields = f'"match":"{self._match}","seat":{turn.seat},"move":"{" ".join(clicks)}"'
        if self._pace.longest_s:
            delay_s = self._chance.uniform(0, self._pace.longest_s)
            asyncio.get_running_loop().call_later(delay_s, self._play, player, fields)
        else:
            self._play(player, fields)

    def _play(self, player: int, fields: str) -> None:
        self._mover, self._sent_at = player, time.perf_counter()
        self._command(player, "play", fields)

    def _command(self, player: int, name: str, fields: str) -> None:
        self._commands += 1
        self._wires[player].send(f'{{"type":"{name}","id":"{name}{self._commands}",{fields}}}'.encode())


@contextmanager
def on_core(core: int) -> Iterator[None]:
    """Restrict this process and its children to one core, where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(allowed)[core % len(allowed)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_kib(pid: int) -> int:
    """Return the resident memory of a process (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


async def measure(tally: Tally, server_pid: int, warm_up_s: float, seconds: float) -> tuple[str, ...]:
    """Let all players play, and return the figures of a row."""
    await asyncio.sleep(warm_up_s)
    tally.empty()
    began, server_cpu, client_cpu = time.perf_counter(), cpu_seconds(server_pid), time.process_time()
    await asyncio.sleep(seconds)
    elapsed = time.perf_counter() - began
    return (
        f"{tally.accepted / elapsed:,.0f}",
        f"{tally.delay_ms(0.5):.2f}",
        f"{tally.delay_ms(0.99):.2f}",
        f"{(cpu_seconds(server_pid) - server_cpu) / elapsed:.0%}",
        f"{(time.process_time() - client_cpu) / elapsed:.0%}",
    )


def give_up_on_errors() -> None:
    """Cancel this task if a callback fails, rather than measure half of the players."""
    task = asyncio.current_task()
    assert task is not None

    def give_up(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        loop.default_exception_handler(context)
        task.cancel()

    asyncio.get_running_loop().set_exception_handler(give_up)


async def open_all(rooms: list[Room], server: ServerProcess) -> None:
    """Connect all players, some at a time."""
    host, _, port = server.address.rpartition(":")
    for first in range(0, len(rooms), ROOMS_AT_ONCE):
        await asyncio.gather(*(room.open(host, int(port)) for room in rooms[first : first + ROOMS_AT_ONCE]))


async def weigh(server: ServerProcess, connections: int) -> float:
    """Return the memory of a connection that has only said hello, in KiB."""
    rooms = [Room(Tally(), Pace(), random.Random()) for _ in range(connections // 2)]
    before_kib = memory_kib(server.pid)
    await open_all(rooms, server)
    cost_kib = (memory_kib(server.pid) - before_kib) / connections
    for room in rooms:
        room.close()
    return cost_kib


async def load(
    server: ServerProcess, number: int, steady_rate: float, warm_up_s: float, seconds: float
) -> list[tuple[str, ...]]:
    """Return the rows for a number of rooms."""
    give_up_on_errors()
    tally, pace = Tally(), Pace()
    rooms = [Room(tally, pace, random.Random(seed)) for seed in range(number)]
    await open_all(rooms, server)
    for room in rooms:
        room.begin()
    full = await measure(tally, server.pid, warm_up_s, seconds)
    pace.longest_s = 2 * number / steady_rate
    steady = await measure(tally, server.pid, warm_up_s + pace.longest_s, seconds)
    for room in rooms:
        room.close()
    return [(f"{number:,}", "full", *full), (f"{number:,}", "steady", *steady)]


@contextmanager
def serving(database: str) -> Iterator[ServerProcess]:
    """Run a server on the first core, with compiled bots, while the context lasts."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = (
            "--message-rate",
            "1000000",
            "--guest-joins",
            "1000000",
            "--database",
            database,
            "--bot-workers",
            "1",
        )
        with on_core(0):
            server = ServerProcess(Path(folder), *arguments)
            server.start()
        try:
            server.wait_for("Bots are ready")
            yield server
        finally:
            server.kill()


def main(
    rooms: Annotated[list[int] | None, typer.Option(help="Matches at once; repeatable.", show_default="200")] = None,
    seconds: Annotated[float, typer.Option(help="Seconds that each row is measured.")] = 10.0,
    warm_up: Annotated[float, typer.Option(help="Seconds of warm-up before each row.")] = 3.0,
    steady_rate: Annotated[float, typer.Option(help="Moves per second in the steady rows.")] = 400.0,
    connections: Annotated[int, typer.Option(help="Connections whose memory is measured.")] = 1000,
    database: Annotated[str, typer.Option(help="Database URL; SQLite in a new folder by default.")] = "",
) -> None:
    """Measure, and print the table."""
    table = Table("rooms", "pace", *HEADINGS, title="A server on one core, its players on another")
    with serving(database) as server, on_core(1):
        cost_kib = uvloop.run(weigh(server, connections))
    for number in rooms or [200]:
        with serving(database) as server, on_core(1):
            for line in uvloop.run(load(server, number, steady_rate, warm_up, seconds)):
                table.add_row(*line)
    Console().print(table, f"{cost_kib:.1f} KiB a connection: {connections:,} that have said hello", sep="\n")


if __name__ == "__main__":
    typer.run(main)
