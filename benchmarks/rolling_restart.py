"""How long clients are away in a rolling restart: from the closing of a connection until the next node's welcome.

Run `python -m benchmarks.rolling_restart`. It starts PostgreSQL and Redis of its own, two nodes behind a stand-in for
the proxy, and connections of the Python client in this process and of the page's client in Node. Then it restarts one
node after the other. Both clients use their own pauses. Many connections wait for each other here, in two processes,
where players each have a machine.
"""

import asyncio
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from millrace.client.errors import ClientError
from millrace.client.reconnecting_socket import ReconnectingSocket, backoff_delays_s, socket_url
from millrace.protocol import ServerMessage
from tests.round_robin_proxy import RoundRobinProxy
from tests.server.postgres_servers import PostgresProcess
from tests.server.redis_servers import RedisProcess
from tests.serving import GENEROUS, ServerProcess

SCRIPT = Path(__file__).with_suffix(".mjs")
FIRST_VERSION_WITHOUT_FLAGS = 22
FLAGS = ("--experimental-websocket", "--experimental-detect-module")
POLL_S = 0.1
SETTLE_S = 3.0
"""After a restart: longer than any client that still moves should take."""


class PythonClient:
    """A connection of the Python client that notes how long it was away."""

    def __init__(self, address: str) -> None:
        self.away_ms: list[float] = []
        self._lost_s = 0.0
        self._socket = ReconnectingSocket(socket_url(address), "", "millrace-benchmark", self._delays_s, self)

    async def open(self) -> None:
        """Connect for the first time."""
        await self._socket.open()

    async def close(self) -> None:
        """Close the connection for good."""
        await self._socket.close()

    def opened(self) -> None:
        """Note a welcome."""
        if self._lost_s:
            self.away_ms.append(1000 * (time.perf_counter() - self._lost_s))
            self._lost_s = 0.0

    def received(self, message: ServerMessage) -> None:
        """Ignore a message."""

    def ended(self, error: ClientError) -> None:
        """Ignore the end."""

    def _delays_s(self) -> Iterable[float]:
        """Return the client's own pauses; it asks for them when a connection has been closed."""
        self._lost_s = time.perf_counter()
        return backoff_delays_s()


class PageClients:
    """Connections of the page's client, in a process of Node."""

    def __init__(self, node: str, address: str, count: int, output: Path) -> None:
        self._output = output
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        flags = FLAGS if int(re.findall(r"\d+", version)[0]) < FIRST_VERSION_WITHOUT_FLAGS else ()
        with output.open("w") as file:
            command = [node, "--no-warnings", *flags, str(SCRIPT), address, f"{count}"]
            self._process = subprocess.Popen(command, stdout=file)

    @property
    def away_ms(self) -> Sequence[float]:
        """How long connections were away so far."""
        return [float(line) for line in self._lines if line != "welcome"]

    def wait_for(self, count: int) -> None:
        """Return once so many connections have been welcomed."""
        while self._lines.count("welcome") < count:
            time.sleep(POLL_S)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    @property
    def _lines(self) -> list[str]:
        return self._output.read_text().splitlines()


@contextmanager
def two_nodes() -> Iterator[tuple[Sequence[ServerProcess], str]]:
    """Run two nodes while the context lasts; give them and the address of the proxy."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database, bus = stack.enter_context(PostgresProcess()), stack.enter_context(RedisProcess())
        arguments = ("--database", database.url, "--bus", bus.url, "--bot-workers", "1", *GENEROUS)
        nodes = [stack.enter_context(ServerProcess(folder / f"node{number}", *arguments)) for number in range(2)]
        proxy = stack.enter_context(RoundRobinProxy([node.port for node in nodes]))
        for node in nodes:
            node.wait_for_bots()
        yield nodes, proxy.address


async def measure(
    nodes: Sequence[ServerProcess], address: str, clients: int, pages: PageClients | None, expected_pages: int
) -> Sequence[float]:
    """Restart the nodes beside open connections, and return how long those of the Python client were away."""
    connections = [PythonClient(address) for _ in range(clients)]
    for each in connections:
        await each.open()
    if pages is not None:
        await asyncio.to_thread(pages.wait_for, expected_pages)
    for node in nodes:
        await asyncio.to_thread(node.stop_in_good_order)
        await asyncio.to_thread(node.start)
        await asyncio.to_thread(node.wait_for_bots)
        await asyncio.sleep(SETTLE_S)
    for each in connections:
        await each.close()
    return [away_ms for each in connections for away_ms in each.away_ms]


def cells(away_ms: Sequence[float]) -> Iterator[str]:
    """Yield the figures of a row as text."""
    yield f"{len(away_ms)}"
    yield f"{statistics.median(away_ms):,.0f}"
    yield f"{statistics.quantiles(away_ms, n=100, method='inclusive')[98]:,.0f}"
    yield f"{max(away_ms):,.0f}"


def main(
    clients: Annotated[int, typer.Option(help="Connections of the Python client.")] = 20,
    pages: Annotated[int, typer.Option(help="Connections of the page's client; none without Node.")] = 20,
) -> None:
    """Measure, and print the table."""
    table = Table("client", "moves", "p50 ms", "p99 ms", "longest ms", title="From a closing to the next welcome")
    with two_nodes() as (nodes, address), tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        node = shutil.which("node")
        in_node = None if node is None else PageClients(node, address, pages, Path(folder) / "pages")
        if in_node is not None:
            stack.callback(in_node.close)
        table.add_row("Python", *cells(asyncio.run(measure(nodes, address, clients, in_node, pages))))
        if in_node is not None:
            table.add_row("JavaScript", *cells(in_node.away_ms))
    Console(width=100).print(table)


if __name__ == "__main__":
    typer.run(main)
