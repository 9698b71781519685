"""The throughput of a server: accepted moves per second, delivery time to the opponent, and the cost of a connection.

Run `python -m benchmarks.server --rooms 200 --rooms 1000`. A server with its durable journal runs on one core. This
process, on another core, plays random matches of Nine Men's Morris over the loopback, two connections for each room:
first as fast as answers arrive, then at a steady rate. The table also shows how busy both cores were: the figures are
those of the server only where its core is the busier one. With `--baseline`, the least that a server can do
(`benchmarks.baseline_server`) runs on the same cores in the same run, and the ratio is printed.
"""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.players import BaselineRoom, Pace, Room, Tally
from benchmarks.wire import connect
from tests.serving import ServerProcess

ROOMS_AT_ONCE = 25
"""Connections opened at a time."""
HEADINGS = ("moves/s", "p50 ms", "p99 ms", "server core", "client core", "server us/move")


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


class Figures(NamedTuple):
    """The figures of a row."""

    moves_per_s: float
    p50_ms: float
    p99_ms: float
    server_core: float
    client_core: float

    @property
    def cells(self) -> tuple[str, ...]:
        """The figures as text."""
        return (
            f"{self.moves_per_s:,.0f}",
            f"{self.p50_ms:.2f}",
            f"{self.p99_ms:.2f}",
            f"{self.server_core:.0%}",
            f"{self.client_core:.0%}",
            f"{self.server_us:.0f}",
        )

    @property
    def server_us(self) -> float:
        """Processor time of the server for each move, in microseconds."""
        return self.server_core / self.moves_per_s * 1e6


async def measure(tally: Tally, server_pid: int, warm_up_s: float, seconds: float) -> Figures:
    """Let all players play, and return the figures of a row."""
    await asyncio.sleep(warm_up_s)
    tally.empty()
    began, server_cpu, client_cpu = time.perf_counter(), cpu_seconds(server_pid), time.process_time()
    await asyncio.sleep(seconds)
    elapsed = time.perf_counter() - began
    return Figures(
        tally.accepted / elapsed,
        tally.delay_ms(0.5),
        tally.delay_ms(0.99),
        (cpu_seconds(server_pid) - server_cpu) / elapsed,
        (time.process_time() - client_cpu) / elapsed,
    )


def give_up_on_errors() -> None:
    """Cancel this task if a callback fails, rather than measure half of the players."""
    task = asyncio.current_task()
    assert task is not None

    def give_up(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        loop.default_exception_handler(context)
        task.cancel()

    asyncio.get_running_loop().set_exception_handler(give_up)


async def open_all(rooms: Sequence[Room | BaselineRoom], address: str, at_once: int = ROOMS_AT_ONCE) -> None:
    """Connect all players, the rooms `at_once` at a time."""
    for first in range(0, len(rooms), at_once):
        await asyncio.gather(*(room.open(partial(connect, address)) for room in rooms[first : first + at_once]))


class ConnectionCost(NamedTuple):
    """What a connection costs that has only said hello."""

    kib: float
    """Memory of the server."""
    cpu_us: float
    """Processor time of the server."""


async def weigh(server: ServerProcess, connections: int) -> ConnectionCost:
    """Return what connections cost that have only said hello."""
    rooms = [Room(Tally(), Pace(), random.Random()) for _ in range(connections // 2)]
    before_kib, before_s = memory_kib(server.pid), cpu_seconds(server.pid)
    await open_all(rooms, server.address)
    grown_kib, took_s = memory_kib(server.pid) - before_kib, cpu_seconds(server.pid) - before_s
    for room in rooms:
        room.close()
    return ConnectionCost(grown_kib / connections, took_s / connections * 1e6)


async def load(
    kind: type[Room | BaselineRoom],
    address: str,
    pid: int,
    number: int,
    steady_rate: float | None,
    warm_up_s: float,
    seconds: float,
) -> list[Figures]:
    """Return the figures for a number of rooms: as fast as the server can, then at the steady rate if there is one."""
    give_up_on_errors()
    tally, pace = Tally(), Pace()
    rooms = [kind(tally, pace, random.Random(seed)) for seed in range(number)]
    # The baseline's server seats players in the order in which they come.
    await open_all(rooms, address, 1 if kind is BaselineRoom else ROOMS_AT_ONCE)
    for room in rooms:
        room.begin()
    figures = [await measure(tally, pid, warm_up_s, seconds)]
    if steady_rate is not None:
        pace.longest_s = 2 * number / steady_rate
        figures.append(await measure(tally, pid, warm_up_s + pace.longest_s, seconds))
    for room in rooms:
        room.close()
    return figures


@contextmanager
def baseline_serving() -> Iterator[tuple[str, int]]:
    """Run the baseline's server on the first core while the context lasts; give its address and its process."""
    command = [sys.executable, "-m", "benchmarks.baseline_server"]
    with on_core(0):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"127.0.0.1:{int(process.stdout.readline())}", process.pid
    finally:
        process.kill()
        process.wait()


@contextmanager
def serving(database: str) -> Iterator[ServerProcess]:
    """Run a server on the first core, with compiled bots, while the context lasts."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = (
            "--address-factor",
            "1000000",
            "--limit",
            "messages.connection=4000000",
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
    connections: Annotated[int, typer.Option(min=200, help="Connections whose memory is measured.")] = 1000,
    database: Annotated[str, typer.Option(help="Database URL; SQLite in a new folder by default.")] = "",
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Also the least that a server can do, `benchmarks.baseline_server`.")
    ] = False,
) -> None:
    """Measure, and print the table."""
    table = Table("server", "rooms", "pace", *HEADINGS, title="A server on one core, its players on another")
    with serving(database) as server, on_core(1):
        cost = uvloop.run(weigh(server, connections))
    for number in rooms or [200]:
        with serving(database) as server, on_core(1):
            ours = uvloop.run(load(Room, server.address, server.pid, number, steady_rate, warm_up, seconds))
        rows = {"Millrace": ours}
        if baseline:
            with baseline_serving() as (address, pid), on_core(1):
                rows["baseline"] = uvloop.run(load(BaselineRoom, address, pid, number, steady_rate, warm_up, seconds))
        for name, figures in rows.items():
            for pace, row in zip(("full", "steady"), figures, strict=True):
                table.add_row(name, f"{number:,}", pace, *row.cells)
        if baseline:
            table.add_row(
                "ratio", f"{number:,}", "full", f"{ours[0].moves_per_s / rows['baseline'][0].moves_per_s:.2f}"
            )
    Console().print(
        table,
        f"A connection that has said hello: {cost.kib:.1f} KiB and {cost.cpu_us:.0f} us, "
        f"{1e6 / cost.cpu_us:,.0f} a second and core ({connections:,} were opened)",
        sep="\n",
    )


if __name__ == "__main__":
    typer.run(main)
