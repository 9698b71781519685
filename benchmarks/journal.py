"""How many events the journal stores durably in a second, how long each takes, and what CPU that costs.

Not used by the server. Run `python -m benchmarks.journal`; `--help` shows the options. Each appender is a match that
appends a move, waits until it is durable and appends the next; with `--work` the event loop is as busy as a server's.
`--by core` stores the same through SQLAlchemy Core and aiosqlite: why the server does not.
"""

import asyncio
import tempfile
import time
import uuid
from collections.abc import Sequence
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
import uvloop
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sqlalchemy import event, insert
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from millrace.server.journal.store import Entry, Journal, Origin
from millrace.server.protocol import CommandId, Created, MatchId, Moved
from millrace.server.storage import migrate, open_journal
from millrace.server.storage.address import SqliteAddress, parse_address
from millrace.server.storage.journal import DatabaseJournal
from millrace.server.storage.sqlite import SqliteDatabase
from millrace.server.storage.statements import BEGINNING
from millrace.server.storage.tables import events, matches
from millrace.server.storage.writer import Append, Outcome


class Way(StrEnum):
    """How events are stored."""

    SERVER = "server"
    """As the server does it."""
    CORE = "core"
    """Through SQLAlchemy Core and aiosqlite, in batches too, without a look at what is stored; SQLite only."""


class Figures(NamedTuple):
    """What a run of so many appenders showed."""

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


class CoreDatabase(SqliteDatabase):
    """Reads as the server does, and writes through SQLAlchemy Core over aiosqlite."""

    def __init__(self, path: Path):
        super().__init__(path)
        self._engine = create_async_engine(f"sqlite+aiosqlite:///{path}")
        event.listen(self._engine.sync_engine, "connect", lambda raw, _: raw.execute("PRAGMA synchronous = FULL"))
        self._core: AsyncConnection | None = None

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Store all of the appends, or none if one conflicts."""
        if self._core is None:
            self._core = await self._engine.connect()
        begun = [dict(zip(BEGINNING, append.match, strict=True)) for append in appends if append.match]
        rows = [dict(zip(events.c.keys(), row, strict=True)) for append in appends for row in append.events]
        if begun:
            await self._core.execute(insert(matches), begun)
        await self._core.execute(insert(events), rows)
        await self._core.commit()
        return [True] * len(appends)

    async def close(self) -> None:
        """Let go of the file."""
        if self._core is not None:
            await self._core.close()
        await self._engine.dispose()
        await super().close()


async def open_way(url: str, way: Way) -> Journal:
    """Open the journal that is to be measured."""
    if way is Way.SERVER:
        return await open_journal(url)
    await migrate(url)
    address = parse_address(url)
    if not isinstance(address, SqliteAddress):
        raise typer.BadParameter("only SQLite can be written through aiosqlite")
    database = CoreDatabase(address.path)
    return DatabaseJournal(database, database.statements)


async def fill(url: str, stored: int) -> None:
    """Store so many matches of 60 moves."""
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


async def measure(url: str, way: Way, appenders: int, seconds: float, work: float) -> Figures:
    """Append from so many matches at once for so long; `work` is what the event loop computes for each, in seconds."""
    journal = await open_way(url, way)
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


def main(
    appenders: Annotated[str, typer.Option(help="How many matches append at once; several runs divided by commas.")] = (
        "1,10,100,200,1000"
    ),
    seconds: Annotated[float, typer.Option(help="The length of each run.")] = 2.0,
    work: Annotated[float, typer.Option(help="Microseconds that the event loop computes for each append.")] = 0.0,
    database: Annotated[str, typer.Option(help="Its address; by default an SQLite file in a temporary folder.")] = "",
    stored: Annotated[int, typer.Option(help="Matches of 60 moves that are there before.")] = 0,
    by: Annotated[Way, typer.Option(help="How events are stored.")] = Way.SERVER,
) -> None:
    """Measure durable appends."""
    table = Table("appenders", "appends/s", "p50 ms", "p99 ms", "CPU s", "CPU us/append", title=f"journal, by {by}")
    for column in table.columns:
        column.justify = "right"
    with ExitStack() as stack:
        if not database:
            database = f"{stack.enter_context(tempfile.TemporaryDirectory())}/journal.db"
        uvloop.run(fill(database, stored))
        for number in track([int(text) for text in appenders.split(",")], "measuring", transient=True):
            table.add_row(*uvloop.run(measure(database, by, number, seconds, work / 1e6)).row(number))
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
