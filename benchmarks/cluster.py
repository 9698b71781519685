"""The throughput of several nodes on one PostgreSQL database, beside one node with SQLite, and what bounds it.

Run `python -m benchmarks.cluster`. It starts PostgreSQL and Redis of its own, and servers as processes: one with
SQLite, one, two and three nodes, and `--processes 2` behind one port. Then this process plays random matches of Nine
Men's Morris, first as fast as answers arrive, then at a steady rate. Opponents are on the same node or on different
ones; behind one port the system chooses. Nothing is tied to a core: the columns "cores" show who used how much of the
machine, and where their sum is that of the machine, its processors are what bounds the row.
"""

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import asyncpg
import redis
import typer
import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.players import Pace, Room, Tally
from benchmarks.server import ROOMS_AT_ONCE, cpu_seconds, give_up_on_errors
from benchmarks.wire import connect
from tests.processes import processes_of_session
from tests.server.postgres_servers import PostgresProcess
from tests.server.redis_servers import RedisProcess
from tests.serving import ServerProcess

GENEROUS = ("--address-factor", "1000000", "--limit", "messages.connection=4000000", "--bot-workers", "1")


class Layout(NamedTuple):
    """Servers, and how players are spread over them."""

    name: str
    nodes: int
    opponents: str
    """On which nodes: the same, different ones, or by chance, where one port leads to several processes."""
    is_shared: bool = True
    """Whether they use PostgreSQL and Redis."""
    processes: int = 1
    """Processes of each node that share its port."""


LAYOUTS = (
    Layout("1 node, SQLite", 1, "same", is_shared=False),
    Layout("1 node", 1, "same"),
    Layout("2 nodes", 2, "same"),
    Layout("2 nodes", 2, "different"),
    Layout("3 nodes", 3, "same"),
    Layout("3 nodes", 3, "different"),
    Layout("--processes 2", 1, "by chance", processes=2),
)


class Use(NamedTuple):
    """What has been used since the start: processor time in seconds, and counts."""

    nodes_s: float = 0.0
    database_s: float = 0.0
    redis_s: float = 0.0
    players_s: float = 0.0
    statements: float = 0.0
    wal_bytes: float = 0.0
    """Written to PostgreSQL's log."""
    redis_commands: float = 0.0
    redis_bytes: float = 0.0
    """Sent to Redis and by it."""

    def since(self, earlier: "Use") -> "Use":
        """Return what was used in between."""
        return Use(*(now - then for now, then in zip(self, earlier, strict=True)))


@dataclass
class Services:
    """PostgreSQL and Redis."""

    postgres: PostgresProcess
    redis: RedisProcess


class Figures(NamedTuple):
    """The figures of a row."""

    moves_per_s: float
    p50_ms: float
    p99_ms: float
    seconds: float
    use: Use

    @property
    def cells(self) -> Iterable[str]:
        """The figures as text."""
        moves = self.moves_per_s * self.seconds
        yield f"{self.moves_per_s:,.0f}"
        yield f"{self.p50_ms:.2f}"
        yield f"{self.p99_ms:.1f}"
        for seconds in self.use[:4]:
            yield f"{seconds / self.seconds:.2f}"
        yield f"{self.use.nodes_s / moves * 1e6:.0f}"
        yield f"{self.use.statements / moves:.2f}"
        yield f"{self.use.wal_bytes / moves:,.0f}"
        yield f"{self.use.redis_commands / moves:.2f}"
        yield f"{self.use.redis_bytes / moves:,.0f}"


HEADINGS = (
    "moves/s",
    "p50 ms",
    "p99 ms",
    "node cores",
    "database cores",
    "Redis cores",
    "player cores",
    "node us/move",
    "statements/move",
    "WAL bytes/move",
    "Redis commands/move",
    "Redis bytes/move",
)


@contextmanager
def serving(layout: Layout, services: Services) -> Iterator[list[ServerProcess]]:
    """Run the servers of a layout, with compiled bots, while the context lasts."""
    arguments = list(GENEROUS)
    if layout.is_shared:
        arguments += ["--database", services.postgres.url, "--bus", services.redis.url]
    if layout.processes > 1:
        arguments += ["--processes", f"{layout.processes}", "--bot-workers", f"{layout.processes}"]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = [
            stack.enter_context(ServerProcess(folder / f"node{number}", *arguments)) for number in range(layout.nodes)
        ]
        for server in servers:
            for number in range(layout.processes):
                server.wait_for(f"[{number + 1}] Bots are ready" if layout.processes > 1 else "Bots are ready")
        yield servers
        for server in servers:
            server.stop()


async def used(servers: Sequence[ServerProcess], services: Services, statistics: asyncpg.Connection) -> Use:
    """Return what has been used so far."""
    row = await statistics.fetchrow(
        "SELECT (SELECT sum(calls) FROM pg_stat_statements), (SELECT wal_bytes FROM pg_stat_wal)"
    )
    with redis.Redis.from_url(services.redis.url) as client:
        info = client.info()
    return Use(
        _cpu_seconds(pid for server in servers for pid in processes_of_session(server.pid)),
        _cpu_seconds(services.postgres.pids),
        info["used_cpu_user"] + info["used_cpu_sys"],
        time.process_time(),
        float(row[0] or 0),
        float(row[1]),
        info["total_commands_processed"],
        info["total_net_input_bytes"] + info["total_net_output_bytes"],
    )


def _cpu_seconds(pids: Iterable[int]) -> float:
    total = 0.0
    for pid in pids:
        try:
            total += cpu_seconds(pid)
        except FileNotFoundError:  # it has ended
            continue
    return total


async def measure(tally: Tally, use: Callable[[], Awaitable[Use]], warm_up_s: float, seconds: float) -> Figures:
    """Let all players play, and return the figures of a row."""
    await asyncio.sleep(warm_up_s)
    before = await use()
    tally.empty()
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    elapsed, accepted = time.perf_counter() - began, tally.accepted
    p50_ms, p99_ms = tally.delay_ms(0.5), tally.delay_ms(0.99)
    return Figures(accepted / elapsed, p50_ms, p99_ms, elapsed, (await use()).since(before))


async def load(
    layout: Layout,
    servers: Sequence[ServerProcess],
    services: Services,
    number: int,
    steady_rate: float,
    warm_up_s: float,
    seconds: float,
) -> list[Figures]:
    """Return the figures as fast as the servers can, then at the steady rate."""
    give_up_on_errors()
    tally, pace = Tally(), Pace()
    rooms = [Room(tally, pace, random.Random(seed)) for seed in range(number)]
    addresses = [server.address for server in servers]
    apart = 1 if layout.opponents == "different" else 0

    async def open_room(index: int) -> None:
        first, second = (addresses[(index + offset) % len(addresses)] for offset in (0, apart))
        await rooms[index].open(partial(connect, first), partial(connect, second))

    for start in range(0, number, ROOMS_AT_ONCE):
        await asyncio.gather(*map(open_room, range(start, min(start + ROOMS_AT_ONCE, number))))
    for room in rooms:
        room.begin()
    statistics = await asyncpg.connect(services.postgres.url)
    try:
        use = partial(used, servers, services, statistics)
        figures = [await measure(tally, use, warm_up_s, seconds)]
        pace.longest_s = 2 * number / steady_rate
        figures.append(await measure(tally, use, warm_up_s + pace.longest_s, seconds))
    finally:
        await statistics.close()
    for room in rooms:
        room.close()
    return figures


async def _extend(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    finally:
        await connection.close()


def main(
    rooms: Annotated[int, typer.Option(help="Matches at once.")] = 200,
    seconds: Annotated[float, typer.Option(help="Seconds that each row is measured.")] = 10.0,
    warm_up: Annotated[float, typer.Option(help="Seconds of warm-up before each row.")] = 3.0,
    steady_rate: Annotated[float, typer.Option(help="Moves per second in the steady rows.")] = 400.0,
) -> None:
    """Measure, and print the table."""
    console = Console(width=200)
    table = Table(
        "servers",
        "opponents",
        "pace",
        *HEADINGS,
        title=f"{rooms} matches at once; servers, database, Redis and players share {os.cpu_count()} cores",
    )
    for layout in LAYOUTS:
        with (
            PostgresProcess({"shared_preload_libraries": "pg_stat_statements"}) as postgres,
            RedisProcess() as bus,
            console.status(f"{layout.name}, {layout.opponents} ..."),
        ):
            asyncio.run(_extend(postgres.url))
            services = Services(postgres, bus)
            with serving(layout, services) as servers:
                rows = uvloop.run(load(layout, servers, services, rooms, steady_rate, warm_up, seconds))
        for pace, figures in zip(("full", "steady"), rows, strict=True):
            table.add_row(layout.name, layout.opponents, pace, *figures.cells)
    console.print(table)


if __name__ == "__main__":
    typer.run(main)
