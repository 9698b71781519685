"""What the full screen costs a slow link: bytes painted for each move, and the time until a move is seen; and what
watching a fast match paints.

Run `python -m benchmarks.terminal`. A server and `millrace play` run on this machine; the terminal reaches the server
through a relay that delays each direction by half of the round trip. Moves are typed at a pseudo-terminal in a match at
one device. A move is seen when the news beside the board say so. Bytes are what the program writes to the terminal from
Enter until it is quiet: over `ssh`, what the link carries.

The watched match is played at 20 moves a second. A screen flickers if it is erased or painted as a whole; so the table
has what was erased, and the most that was painted within a fifteenth of a second beside what opening the match painted.
"""

import asyncio
import fcntl
import itertools
import os
import pty
import re
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from millrace.client import ME, Connection, connect
from millrace.protocol import Line
from tests.serving import ServerProcess

QUIET_S = 0.6
"""When nothing has been painted for this long, all of a move has been."""
PATIENCE_S = 180.0
WATCHED_PER_S = 20
BURST_S = 1 / 15
_ERASING = re.compile(rb"\x1b\[[0-3]?[JK]")
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])")
MATCHES = {"morris": ("", ""), "battlesheep": ("for 4 from seed=7 seats=4", "seed=7 seats=4"), "mingmang": ("", "")}
"""Of each game: the options that are typed after its name, and the set-up."""


class Cost(NamedTuple):
    """What a move costs."""

    bytes: int
    seen_ms: float


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, file: int, pid: int) -> None:
        self.painted = bytearray()
        """What the program has written since this was cleared."""
        self.chunks: list[tuple[float, int]] = []
        """When it has written, and how many bytes, since this was cleared."""
        self._pid = pid
        self._file = file
        self._changed = asyncio.Event()
        asyncio.get_running_loop().add_reader(file, self._read)

    def send(self, text: str) -> None:
        """Type."""
        os.write(self._file, text.encode())

    async def see(self, text: str) -> None:
        """Return once a text has been painted in one piece."""
        async with asyncio.timeout(PATIENCE_S):
            while text.encode() not in _ESCAPES.sub(b"", bytes(self.painted)):
                self._changed.clear()
                await self._changed.wait()

    async def rest(self) -> None:
        """Return once nothing is painted any more."""
        before = -1
        while before != len(self.painted):
            before = len(self.painted)
            await asyncio.sleep(QUIET_S)

    def end(self) -> None:
        """End the program."""
        asyncio.get_running_loop().remove_reader(self._file)
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._file)

    def _read(self) -> None:
        chunk = os.read(self._file, 65_536)
        self.painted += chunk
        self.chunks.append((time.perf_counter(), len(chunk)))
        self._changed.set()


def start_terminal(arguments: Sequence[str], columns: int, lines: int) -> Terminal:
    """Run `millrace` on a pseudo-terminal of a size."""
    pid, file = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        os.execve(sys.executable, [sys.executable, "-m", "millrace.server.app.cli", *arguments], environment)
    return Terminal(file, pid)


@asynccontextmanager
async def relay(port: int, round_trip_s: float) -> AsyncIterator[str]:
    """Give the address of a relay to a port of this machine, which delays what passes."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
        for source, target in ((reader, there_writer), (there_reader, writer)):
            task = asyncio.create_task(_pass_on(source, target, round_trip_s / 2))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter, delay_s: float) -> None:
    loop = asyncio.get_running_loop()
    while chunk := await source.read(65_536):
        loop.call_later(delay_s, target.write, chunk)
    loop.call_later(delay_s, target.close)


async def measure(address: str, me: Connection, game: str, size: tuple[int, int], moves: int) -> list[Cost]:
    """Play some moves, and return what each costs."""
    terminal = start_terminal(["play", address], *size)
    try:
        await terminal.see("Type a move")
        await terminal.rest()
        options, setup = MATCHES[game]
        terminal.send(f"here {game} {options}\r")
        await terminal.see("is to move")
        await terminal.rest()
        costs: list[Cost] = []
        line = Line(game=game, setup=setup)
        for ply in itertools.count(1):
            legal = await me.analysis.legal_moves(line)
            if ply > moves or not legal:
                return costs
            move = legal[(7 * ply) % len(legal)].move
            terminal.send(move)
            await terminal.rest()
            terminal.painted.clear()
            began = time.perf_counter()
            terminal.send("\r")
            await terminal.see(f": {move}")
            seen_ms = (time.perf_counter() - began) * 1000
            await terminal.rest()
            costs.append(Cost(len(terminal.painted), seen_ms))
            line = Line(game=game, setup=setup, moves=(*line.moves, move))
        return costs
    finally:
        terminal.end()


async def watch(address: str, me: Connection, game: str, size: tuple[int, int], moves: int) -> tuple[str, ...]:
    """Play moves at one device while a terminal watches, and return a row about what it paints."""
    options, setup = MATCHES[game]
    seats = 4 if options else 2
    match = (await me.create(game, [ME] * seats, setup=setup)).match
    terminal = start_terminal(["play", address], *size)
    try:
        await terminal.see("Type a move")
        terminal.send(f"open {match}\r")
        await terminal.see("is to move")
        await terminal.rest()
        whole = len(terminal.painted)
        terminal.painted.clear()
        terminal.chunks.clear()
        began, plies = time.perf_counter(), 0
        async for turn in me.watch(match).turns():
            await asyncio.sleep(max(0.0, began + plies / WATCHED_PER_S - time.perf_counter()))
            if plies == moves:
                break
            await turn.play(turn.moves[(7 * plies) % len(turn.moves)])
            plies += 1
        took_s = time.perf_counter() - began
        await terminal.rest()
        erased = len(_ERASING.findall(bytes(terminal.painted)))
        size_text = "{}x{}".format(*size)
        return (
            *(game, size_text, f"{plies / took_s:.0f}", f"{len(terminal.painted) / max(1, plies):,.0f}"),
            *(f"{largest_burst(terminal.chunks):,}", f"{whole:,}", str(erased)),
        )
    finally:
        terminal.end()


def largest_burst(chunks: Sequence[tuple[float, int]]) -> int:
    """Return the most bytes that were written within a fifteenth of a second.

    >>> largest_burst([(0.0, 5), (0.05, 7), (0.1, 4), (0.9, 10)])
    12
    """
    return max(
        (sum(size for at_s, size in chunks if first_s <= at_s < first_s + BURST_S) for first_s, _ in chunks), default=0
    )


async def run_watching(server: ServerProcess, moves: int) -> Table:
    """Return the table of watching all games, on a large and on a small screen."""
    table = Table("game", "screen", "moves/s", "bytes a move", "most at once", "bytes to open", "erased")
    async with connect(server.address) as me:
        for game, size in itertools.product(MATCHES, ((120, 40), (80, 24))):
            table.add_row(*await watch(server.address, me, game, size, moves))
    return table


async def run(server: ServerProcess, round_trip_ms: float, moves: int) -> Table:
    """Return the table of all games, on a large and on a small screen."""
    table = Table("game", "screen", "bytes a move", "most", "seen after ms", "longest")
    async with connect(server.address) as me, relay(server.port, round_trip_ms / 1000) as address:
        for game, size in itertools.product(MATCHES, ((120, 40), (80, 24))):
            costs = await measure(address, me, game, size, moves)
            painted, seen = [cost.bytes for cost in costs], [cost.seen_ms for cost in costs]
            cells = (statistics.median(painted), max(painted), statistics.median(seen), max(seen))
            table.add_row(game, "{}x{}".format(*size), *(f"{cell:,.0f}" for cell in cells))
    return table


def main(
    round_trip_ms: Annotated[float, typer.Option(help="Round trip of the link.")] = 300.0,
    moves: Annotated[int, typer.Option(help="Moves of each match.")] = 12,
    watched_moves: Annotated[int, typer.Option(help="Moves of each match that is watched.")] = 60,
) -> None:
    """Measure, and print the table."""
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder)) as server:
        server.wait_for_rules()
        table = asyncio.run(run(server, round_trip_ms, moves))
        watched = asyncio.run(run_watching(server, watched_moves))
    Console().print(table)
    Console().print(watched)


if __name__ == "__main__":
    typer.run(main)
