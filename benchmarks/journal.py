"""Durable appends to the journal: events per second, latency, and CPU time.

Run `python -m benchmarks.journal`; `--help` shows the options. Each appender is a match that appends a move, waits
until it is durable, and appends the next. With `--work` the event loop is as busy as a server's.
"""

import asyncio
import os
import tempfile
import time
import uuid
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Annotated, NamedTuple

import typer
import uvloop
from rich.console import Console
from rich.progress import track
from rich.table import Table

from millrace.protocol import CommandId, Created, MatchId, Moved
from millrace.server.app.stores import open_journal
from millrace.server.journal.entries import Entry, Origin


class Figures(NamedTuple):
    """The result of a run."""

    appends: int
    seconds: float
    cpu_seconds: float
    latencies: Sequence[float]
    """In seconds, ascending."""

    def row(self, appenders: int) -> tuple[str, ...]:
        """Return the cells of the table."""
        return (
            f"{appenders:,}",
            f"{self.appends / self.seconds:,.0f}",
            *(f"{self.latencies[int(share * (len(self.latencies) - 1))] * 1e3:.2f}" for share in (0.5, 0.99)),
            f"{self.cpu_seconds:.2f}",
            f"{self.cpu_seconds / self.appends * 1e6:.1f}",
        )


async def fill(url: str, stored: int) -> None:
    """Store this many matches of 60 moves."""
    journal = await open_journal(url)
    created = Entry(Created("morris", "", (), None), 1_800_000_000_000)
    for first in track(range(0, stored, 100), "filling", transient=True):
        names = [MatchId(uuid.uuid4().hex[:12]) for _ in range(min(100, stored - first))]
        await asyncio.gather(
            *(
                journal.append(name, 0, [created, *map(moved, range(60))], Origin("benchmark", CommandId(name)))
                for name in names
            )
        )
    await journal.close()


def moved(seq: int) -> Entry:
    """Return a move with a command id of its own."""
    move = Moved(seq % 2, "a4-a7xd6", (299_000, 300_000))
    return Entry(move, 1_800_000_000_000 + seq, seq % 2, CommandId(uuid.uuid4().hex))


async def measure(url: str, appenders: int, seconds: float, work: float) -> Figures:
    """Append from several matches at once; `work` is the computing time of the event loop for each append, in
    seconds."""
    journal = await open_journal(url)
    names = [MatchId(uuid.uuid4().hex[:12]) for _ in range(appenders)]
    created = Entry(Created("morris", "", (), None), 1_800_000_000_000)
    await asyncio.gather(*(journal.append(name, 0, [created], Origin("benchmark", CommandId(name))) for name in names))
    latencies: list[float] = []
    started, cpu_started = time.perf_counter(), time.process_time()

    async def play(match: MatchId) -> None:
        seq = 1
        while (now := time.perf_counter()) < started + seconds:
            while time.perf_counter() < now + work:
                pass
            entry = moved(seq)
            asked = time.perf_counter()
            assert await journal.append(match, seq, [entry])
            latencies.append(time.perf_counter() - asked)
            seq += 1

    await asyncio.gather(*map(play, names))
    elapsed, cpu_elapsed = time.perf_counter() - started, time.process_time() - cpu_started
    await journal.close()
    return Figures(len(latencies), elapsed, cpu_elapsed, sorted(latencies))


def syncs_per_second(folder: str, writes: int = 300) -> float:
    """Return how often the file system makes 4 KiB durable, one after the other, in a file that does not grow."""
    descriptor = os.open(f"{folder}/syncs", os.O_CREAT | os.O_RDWR)
    os.write(descriptor, bytes(4096 * writes))
    os.fsync(descriptor)
    os.lseek(descriptor, 0, os.SEEK_SET)
    began_s = time.perf_counter()
    for _ in range(writes):
        os.write(descriptor, bytes(4096))
        os.fdatasync(descriptor)
    rate = writes / (time.perf_counter() - began_s)
    os.close(descriptor)
    return rate


def main(
    appenders: Annotated[str, typer.Option(help="Matches that append at once; comma-separated for several runs.")] = (
        "1,10,100,200,1000"
    ),
    seconds: Annotated[float, typer.Option(help="Length of each run, in seconds.")] = 2.0,
    work: Annotated[float, typer.Option(help="Microseconds that the event loop computes for each append.")] = 0.0,
    database: Annotated[str, typer.Option(help="Database URL; an SQLite file in a temporary folder by default.")] = "",
    stored: Annotated[int, typer.Option(help="Matches of 60 moves stored before the run.")] = 0,
) -> None:
    """Measure durable appends."""
    table = Table("appenders", "appends/s", "p50 ms", "p99 ms", "CPU s", "CPU us/append", title="journal")
    for column in table.columns:
        column.justify = "right"
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database = database or f"{folder}/journal.db"
        uvloop.run(fill(database, stored))
        for number in track([int(text) for text in appenders.split(",")], "measuring", transient=True):
            table.add_row(*uvloop.run(measure(database, number, seconds, work / 1e6)).row(number))
        table.caption = f"the file system makes {syncs_per_second(folder):,.0f} writes of 4 KiB a second durable"
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
