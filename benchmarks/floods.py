"""How much players notice of a flood from other addresses: the delay of moves, quiet and during each flood.

Run `python -m benchmarks.floods`. A server with its usual limits runs on the first core, its bots too. On the second
core 40 players play 20 matches of Nine Men's Morris at a steady rate, and a process of low priority floods the server
from other addresses of this machine (`benchmarks.flooders`). The delay is the time from sending a move to the
opponent's receipt of its event. Quiet times before and after each flood are measured too, since a busy machine changes.
"""

import multiprocessing
import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.flooders import FLOODS, Target
from benchmarks.players import Pace, Room, Tally
from benchmarks.server import give_up_on_errors, measure, memory_kib, on_core, open_all
from millrace.client import ME, connect
from tests.serving import ServerProcess

ROOMS = 20
NICENESS = 10
"""The priority of the flood, so that it does not slow the players' own process down."""
VICTIM, PASSWORD = "Beatrix", "a long password"
SETTINGS = ("--limit", "guest_joins.guests=1000000", "--limit", "matches_created.address=1000000")
"""The honest players of all matches share an address and play more than people would."""


def run_flood(name: str, target: Target) -> None:
    """Flood a server until this process is ended."""
    os.nice(NICENESS)
    uvloop.run(_flood(name, target))


async def _flood(name: str, target: Target) -> None:
    await FLOODS[name](target)


@contextmanager
def flooding(name: str, target: Target) -> Iterator[None]:
    """Flood a server from a process of its own while the context lasts."""
    process = multiprocessing.get_context("spawn").Process(target=run_flood, args=(name, target), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


async def compare(server: ServerProcess, names: list[str], seconds: float, rate: float, addresses: int) -> Table:
    """Return the table of all floods."""
    give_up_on_errors()
    table = Table("flood", "moves/s", "p50 ms", "p99 ms", "quiet p99", "ratio", "server core", "memory")
    tally, pace = Tally(), Pace(2 * ROOMS / rate)
    rooms = [Room(tally, pace, random.Random(seed)) for seed in range(ROOMS)]
    await open_all(rooms, server.address)
    for room in rooms:
        room.begin()
    async with connect(server.address) as victim:
        await victim.account.register(VICTIM, PASSWORD)
        match = (await victim.create("morris", [ME, ME])).match
        host, _, port = server.address.rpartition(":")
        target = Target(host, int(port), VICTIM, match, addresses)
        for name in names:
            before = await measure(tally, server.pid, 2, seconds)
            with flooding(name, target):
                during = await measure(tally, server.pid, 3, seconds)
                memory = memory_kib(server.pid)
            after = await measure(tally, server.pid, 2, seconds)
            quiet_ms = max(before.p99_ms, after.p99_ms)
            ratio = f"{during.p99_ms / quiet_ms:.2f}"
            delays = (f"{during.p50_ms:.2f}", f"{during.p99_ms:.2f}", f"{quiet_ms:.2f}", ratio)
            cells = (f"{during.moves_per_s:.0f}", *delays)
            table.add_row(name, *cells, f"{during.server_core:.0%}", f"{memory / 1024:.0f} MiB")
            print(name, *cells, flush=True)
    for room in rooms:
        room.close()
    return table


def main(
    flood: Annotated[list[str] | None, typer.Option(help="A flood; repeatable.", show_default="all")] = None,
    seconds: Annotated[float, typer.Option(help="Seconds of each measurement.")] = 8.0,
    rate: Annotated[float, typer.Option(help="Moves per second of the honest players.")] = 200.0,
    addresses: Annotated[int, typer.Option(help="Addresses that a flood comes from.", min=1, max=250)] = 1,
) -> None:
    """Measure, and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), "--bot-workers", "1", *SETTINGS)
        with on_core(0):
            server.start()
        try:
            server.wait_for_bots()
            with on_core(1):
                table = uvloop.run(compare(server, flood or list(FLOODS), seconds, rate, addresses))
        finally:
            server.kill()
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
