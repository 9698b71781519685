"""How much more an answer costs from a Dask cluster than from the pool of the server's own machine.

    python -m benchmarks.dask_bots [--answers N]

Starts both on this machine, the cluster as two more processes: a scheduler and `millrace bot-worker`. The weakest level
is asked for a move, by turns of the pool and the cluster, one request at a time. It searches for a millisecond, so that
what the table shows is nearly all messages. `pairs` is the difference between an answer of the cluster and the pool's
just before.
"""

import asyncio
import signal
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from millrace.server.bots.answering import AnsweringBots
from millrace.server.bots.dask.cluster_bots import ClusterBots
from millrace.server.bots.pool import BotPool
from millrace.server.bots.requests import BotRequest

PRELOAD = "millrace.server.bots.dask.preload"

FIRST_ANSWERS = 20
"""Answers of each that are not counted."""

NEVER_SECONDS = 1e6


def main(answers: Annotated[int, typer.Option(min=100, help="Answers of each.")] = 1_000) -> None:
    """Print how long the pool and the cluster take to answer."""
    Console(width=100).print(asyncio.run(measure(answers)))


async def measure(answers: int) -> Table:
    """Return the table of waiting times."""
    pool = BotPool(1)
    with Console(stderr=True).status("Starting the pool and the cluster ..."):
        await pool.start()
        async with _cluster() as address:
            cluster = ClusterBots(address, lambda: pool, fallback_seconds=NEVER_SECONDS)
            await cluster.start()
            pairs = [(await _answer_ms(pool, n), await _answer_ms(cluster, n)) for n in range(FIRST_ANSWERS + answers)]
            await cluster.close()
    await pool.close()
    return _table_of(pairs[FIRST_ANSWERS:])


async def _answer_ms(bots: AnsweringBots, seed: int) -> float:
    began = time.perf_counter()
    await bots.choose(BotRequest("morris", "", (), 1, seed, movetime_ms=None))
    return (time.perf_counter() - began) * 1000


@asynccontextmanager
async def _cluster() -> AsyncIterator[str]:
    """Run a scheduler and a worker with one process; yields the scheduler's address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w") as log:
        commands = (
            (
                "-m",
                "dask",
                "scheduler",
                "--host",
                "127.0.0.1",
                "--port",
                str(port),
                "--no-dashboard",
                "--preload",
                PRELOAD,
            ),
            (
                "-m",
                "millrace.server.app.cli",
                "bot-worker",
                address,
                "--processes",
                "1",
                "--no-tablebases",
                "--data-dir",
                folder,
            ),
        )
        processes = [
            await asyncio.create_subprocess_exec(sys.executable, *command, stdout=log, stderr=log)
            for command in commands
        ]
        try:
            yield address
        finally:
            for process in reversed(processes):
                process.send_signal(signal.SIGTERM)
                await process.wait()


def _table_of(pairs: list[tuple[float, float]]) -> Table:
    table = Table(title=f"{len(pairs)} answers of each; milliseconds")
    table.add_column("")
    for name in ("p50", "p90", "p99"):
        table.add_column(name, justify="right")
    rows = {
        "pool": [pool for pool, _ in pairs],
        "cluster": [cluster for _, cluster in pairs],
        "pairs": [cluster - pool for pool, cluster in pairs],
    }
    for name, times in rows.items():
        parts = quantiles(times, n=100)
        table.add_row(name, *(f"{parts[percent - 1]:.1f}" for percent in (50, 90, 99)))
    return table


if __name__ == "__main__":
    typer.run(main)
