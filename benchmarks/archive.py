"""The time of archive searches in a very large database.

Run `python -m benchmarks.archive --matches 1000000`; `--database postgresql://...` for an empty database there,
`--explain` for the query plans. It fills the database with short matches of players and bots, a few of whom have played
far more than all others, and times each search. Some thousands of matches are stored as a server stores them; the
database copies these with other times.
"""

import asyncio
import random
import secrets
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sqlalchemy import Table as SqlTable
from sqlalchemy.ext.asyncio import AsyncEngine

from millrace.engine.levels.opponents import OPPONENTS
from millrace.protocol import (
    ClockSettings,
    CommandId,
    Created,
    Ended,
    Event,
    IdentityId,
    Moved,
    Player,
    Seated,
    SeatPlan,
    Started,
)
from millrace.server.app.opening import open_storage
from millrace.server.app.stores import Stores
from millrace.server.archive.archive_store import (
    ArchiveQuery,
    ArchiveStore,
    Cursor,
    conditions_of,
    search_parameters,
    search_statement,
)
from millrace.server.journal.entries import Entry, Origin
from millrace.server.journal.journal_store import Journal, events, match_players, matches
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.finish import finish_from
from millrace.server.matches.match_ids import ID_BITS, match_id_of
from millrace.server.storage.address import parse_address
from millrace.server.storage.database import open_engine

PAGE = 25
AT_ONCE = 500
MOST_STORED = 10_000
"""Matches that are stored one by one; the rest are copies."""
START_MS = 1_700_000_000_000
MINUTE_MS = 60_000
GAMES = {"morris": ("a7", "g1", "d7", "g4"), "mingmang": ("a1-a2",), "battlesheep": ()}
BOTS = tuple(bot_player(name) for name in OPPONENTS)


def players(count: int) -> list[Player]:
    return [Player(IdentityId(f"person-{number}"), f"Person_{number}", registered=True) for number in range(count)]


def events_of(chance: random.Random, people: Sequence[Player]) -> list[Event]:
    """Return a short match; the first players and bots play far more often than others."""
    game = chance.choices(tuple(GAMES), (90, 9, 1))[0]
    # Squared, the numbers crowd at the beginning.
    one = people[int(chance.random() ** 3 * len(people))]
    other = chance.choice(BOTS) if chance.random() < 0.5 else people[int(chance.random() ** 3 * len(people))]
    seats = (one, other) if chance.random() < 0.5 else (other, one)
    ranks = chance.choices(((1, 2), (2, 1), (1, 1), None), (48, 48, 3, 1))[0]
    rated = one.level is None and other.level is None and chance.random() < 0.5
    plans = (SeatPlan("open"), SeatPlan("open"))
    events: list[Event] = [Created(game, "", plans, ClockSettings(300_000, 2_000), rated=rated)]
    events += [Seated(seat, player) for seat, player in enumerate(seats)]
    events.append(Started())
    events += [Moved(ply % 2, move, (300_000, 300_000)) for ply, move in enumerate(GAMES[game])]
    events.append(Ended(ranks, "resignation" if ranks else "aborted", "it is over", 0))
    return events


async def store(journal: Journal, number: int, events: Sequence[Event]) -> None:
    match, at_ms = match_id_of(secrets.randbits(ID_BITS)), START_MS + number * MINUTE_MS
    entries = [Entry(event, at_ms) for event in events]
    finish = finish_from(match, entries)
    assert await journal.append(match, 0, entries, Origin("benchmark", CommandId(match)), finish=finish)


async def fill(stores: Stores, engine: AsyncEngine, matches: int, people: Sequence[Player]) -> int:
    """Store at least this many matches, and return their number."""
    times = -(-matches // MOST_STORED)
    stored = -(-matches // times)
    await store_all(stores.journal, stored, people)
    await copy_all(engine, stored, times)
    return stored * times


async def copy_all(engine: AsyncEngine, stored: int, times: int) -> None:
    """Multiply the stored matches, each copy later than the one before."""
    tables = (matches, match_players, events)
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        for table in tables:
            await connection.exec_driver_sql(f"CREATE TABLE stored_{table.name} AS SELECT * FROM {table.name}")
        for time_over in track(range(1, times), "Copying", console=Console(stderr=True)):
            for table in tables:
                await connection.exec_driver_sql(copying(table, time_over, time_over * stored * MINUTE_MS))
        for table in tables:
            await connection.exec_driver_sql(f"DROP TABLE stored_{table.name}")
            if engine.name == "postgresql":
                await connection.exec_driver_sql(f"VACUUM ANALYZE {table.name}")


def copying(table: SqlTable, time_over: int, later_ms: int) -> str:
    """Return the statement that copies the stored matches."""
    names = [f'"{name}"' for name in table.c.keys()]  # noqa: SIM118  # a collection of columns is no mapping
    values = [
        f"{name} || '.{time_over}'"
        if name in ('"id"', '"match"', '"origin_command"')
        else f"{name} + {later_ms}"
        if name.endswith('_ms"')
        else name
        for name in names
    ]
    return f"INSERT INTO {table.name} ({', '.join(names)}) SELECT {', '.join(values)} FROM stored_{table.name}"


async def store_all(journal: Journal, matches: int, people: Sequence[Player]) -> None:
    chance = random.Random(1)
    numbers: Iterator[int] = iter(range(matches))
    for _ in track(range(-(-matches // AT_ONCE)), "Storing", console=Console(stderr=True)):
        batch = [store(journal, number, events_of(chance, people)) for number in islice(numbers, AT_ONCE)]
        await asyncio.gather(*batch)


def searches(people: Sequence[Player], matches: int) -> dict[str, ArchiveQuery]:
    often, seldom = people[0].id, people[-1].id
    bot, other_bot = BOTS[0].id, BOTS[1].id
    middle_ms = START_MS + matches // 2 * MINUTE_MS
    return {
        "everything": ArchiveQuery(),
        "before a day": ArchiveQuery(cursor=Cursor(middle_ms)),
        "a game": ArchiveQuery(game="morris"),
        "a rare game": ArchiveQuery(game="battlesheep"),
        "drawn": ArchiveQuery(result="drawn"),
        "a rare game, drawn, rated": ArchiveQuery(game="battlesheep", result="drawn", rated=True),
        "who plays often": ArchiveQuery(often),
        "who plays seldom": ArchiveQuery(seldom),
        "a bot": ArchiveQuery(bot),
        "a bot, drawn in a rare game": ArchiveQuery(bot, game="battlesheep", result="drawn"),
        "a bot, since a day": ArchiveQuery(bot, since_ms=middle_ms),
        "often against a bot": ArchiveQuery(often, bot),
        "seldom against often": ArchiveQuery(seldom, often),
        "two bots, who never met": ArchiveQuery(bot, other_bot),
    }


async def time_search(archive: ArchiveStore, wanted: ArchiveQuery, repeats: int) -> tuple[int, float, float]:
    """Return the number of matches found, and the median and longest time in milliseconds."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        found = await archive.search(wanted, PAGE + 1)
        taken.append(1000 * (time.perf_counter() - began))
    return len(found), sorted(taken)[len(taken) // 2], max(taken)


async def plan_of(engine: AsyncEngine, wanted: ArchiveQuery) -> list[str]:
    """Return the query plan of a search."""
    search = search_statement(conditions_of(wanted)).params(search_parameters(wanted, PAGE))
    statement = search.compile(engine, compile_kwargs={"literal_binds": True})
    word = "EXPLAIN QUERY PLAN" if engine.name == "sqlite" else "EXPLAIN ANALYZE"
    async with engine.connect() as connection:
        return [str(row[-1]) for row in await connection.exec_driver_sql(f"{word} {statement}")]


async def run(address: str, matches: int, people_count: int, repeats: int, explain: bool) -> None:
    stores, engine = await open_storage(address), open_engine(parse_address(address))
    people = players(people_count)
    began = time.perf_counter()
    matches = await fill(stores, engine, matches, people)
    console = Console()
    console.print(f"{matches:,} matches stored in {time.perf_counter() - began:.0f} s")
    table = Table("search", "found", "p50 ms", "max ms")
    for name, wanted in searches(people, matches).items():
        count, middle, longest = await time_search(stores.archive, wanted, repeats)
        table.add_row(name, str(count), f"{middle:.1f}", f"{longest:.1f}")
        if explain:
            console.print(name, *await plan_of(engine, wanted), sep="\n  ", markup=False)
    began = time.perf_counter()
    scores = await stores.archive.crosstable(people[0].id, BOTS[0].id)
    table.add_row(
        "crosstable: often, a bot",
        str(sum(each.won + each.drawn + each.lost for each in scores)),
        f"{1000 * (time.perf_counter() - began):.1f}",
        "",
    )
    console.print(table)
    await stores.close()
    await engine.dispose()


def main(
    matches: Annotated[int, typer.Option(min=100)] = 100_000,
    people: Annotated[int, typer.Option(min=2, help="Who play them, beside bots.")] = 10_000,
    repeats: Annotated[int, typer.Option(min=1, help="How often each search is timed.")] = 20,
    database: Annotated[
        str, typer.Option(help="An empty database; by default a file that is deleted afterwards.")
    ] = "",
    explain: Annotated[bool, typer.Option(help="Print the databases' plans.")] = False,
) -> None:
    """Fill a database with matches, and time the archive's searches."""
    with tempfile.TemporaryDirectory() as folder:
        address = database or f"sqlite:///{Path(folder) / 'archive.sqlite3'}"
        asyncio.run(run(address, matches, people, repeats, explain))


if __name__ == "__main__":
    typer.run(main)
