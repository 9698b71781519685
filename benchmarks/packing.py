"""Bytes before and after packing, by game and database, with all rows and indexes; and how long searches take.

Run `python -m benchmarks.packing [--postgres URL] [--game morris]`. Bots of levels 2 to 5 play matches, which are
stored as if people had played them at their pace: two of three matches are against a bot, as in `benchmarks.capacity`.
Each of the people plays forty. The sizes are those of tables and indexes as they have grown. The URL is that of a
PostgreSQL database whose user may create others.
"""

import asyncio
import random
import sqlite3
import tempfile
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated, NamedTuple

import asyncpg
import typer
from msgspec.structs import replace
from rich.progress import track

from benchmarks.engines.openings import usual_setups
from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.state import State
from millrace.protocol import (
    ClockSettings,
    CommandId,
    Created,
    Ended,
    Event,
    IdentityId,
    MatchId,
    Moved,
    Player,
    Rated,
    RatingChange,
    Seated,
    SeatPlan,
    SeatRating,
    Started,
)
from millrace.server.app.stores import Stores, open_storage
from millrace.server.archive.archive_query import ArchiveQuery
from millrace.server.archive.packer import pack_all
from millrace.server.callers.credentials import identify, new_token
from millrace.server.journal.entries import NO_SEAT, Entry, Origin
from millrace.server.journal.packed_form import MOST_SEATS
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.finish import finish_from
from millrace.server.matches.match_ids import ID_BITS, match_id_of

CLOCK = ClockSettings(300_000, 3_000)
LEVELS = ("2", "3", "4", "5")
MATCHES_OF_ONE = 30
"""Matches stored for each of the people, who have four thirds of a seat in one."""
TABLES = ("matches", "match_players", "events", "packed_matches")
AT_ONCE = 500
SHOWN, TIMES = 26, 200
"""Matches on a page of the archive, and how often each search is timed."""
WILD = 0.1
"""The share of plies made at random, as no two people play alike."""
THINKING_MS, LAG_MS, BOT_MS = 6_000, 40, 750
BEGAN_MS = 1_760_000_000_000
DAY_MS = 86_400_000

_SQLITE_SIZES = """
SELECT coalesce(tbl_name, 'other'), name, sum(pgsize) FROM dbstat LEFT JOIN sqlite_master USING (name) GROUP BY 1, 2
"""
_POSTGRES_SIZES = """
SELECT own.relname, own.relname, pg_table_size(own.oid) FROM pg_class own
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
UNION ALL SELECT own.relname, other.relname, pg_relation_size(other.oid) FROM pg_class own
JOIN pg_index ON indrelid = own.oid JOIN pg_class other ON other.oid = indexrelid
WHERE own.relkind = 'r' AND own.relnamespace = 'public'::regnamespace
"""


class Line(NamedTuple):
    """What a match consists of."""

    setup: str
    seats: int
    moves: Sequence[str]


def main(
    postgres: Annotated[str, typer.Option(help="A PostgreSQL database.")] = "",
    lines: Annotated[int, typer.Option(min=1, help="Matches that the bots play of each game.")] = 30,
    matches: Annotated[int, typer.Option(min=1, help="Matches that are stored of each game.")] = 600,
    seed: Annotated[int, typer.Option()] = 1,
    game: Annotated[list[str] | None, typer.Option(help="By default, each.")] = None,
) -> None:
    """Print the tables."""
    chance = random.Random(seed)
    for name in game or GAMES:
        played = [play(name, chance) for _ in track(range(lines), name, transient=True)]
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(f"sqlite:///{folder}/packing.sqlite3", name, played, matches, chance))
        if postgres:
            asyncio.run(measure_in_postgres(postgres, name, played, matches, chance))


def play(name: str, chance: random.Random) -> Line:
    """Play a match between bots."""
    game = find_game(name)
    setup = chance.choice(usual_setups(game)).replace("{seed}", str(chance.randrange(10**6)))
    state = State.of(game, setup)
    levels = [chance.choice(LEVELS) for _ in range(state.start.seats)]
    while state.outcome is None and state.ply < 160:
        if chance.random() < WILD:
            state = state.play(chance.choice(state.legal_moves))
        else:
            found = analyse_at_level(state, levels[state.seat], chance.randrange(10**6), perf_counter, None)
            assert found.best_move is not None
            state = state.play_text(found.best_move)
    return Line(setup, state.start.seats, state.move_texts)


async def measure_in_postgres(url: str, game: str, lines: Sequence[Line], matches: int, chance: random.Random) -> None:
    """Measure in a new database, which is dropped."""
    name = f"packing_{uuid.uuid4().hex}"
    admin = await asyncpg.connect(url)
    await admin.execute(f"CREATE DATABASE {name}")
    try:
        await measure(f"{url.rpartition('/')[0]}/{name}", game, lines, matches, chance)
    finally:
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await admin.close()


async def measure(url: str, game: str, lines: Sequence[Line], matches: int, chance: random.Random) -> None:
    """Store matches, pack them, and print a row."""
    stores = await open_storage(url)
    people = [identify(new_token("guest")) for _ in range(max(MOST_SEATS, matches // MATCHES_OF_ONE))]
    stored = [entries_of(game, chance.choice(lines), people, chance) for _ in range(matches)]
    await store(stores, stored, chance)
    plies = sum(isinstance(entry.event, Moved) for entries in stored for entry in entries)
    before, slow = await sizes_of(url), await times_of(stores, game, people)
    packed = [each async for each in pack_all(stores.packing, BEGAN_MS + DAY_MS)]
    assert all(packed), "some were not packed"
    after, fast = await sizes_of(url), await times_of(stores, game, people)
    ply_bytes = await bytes_of_plies(url)
    await stores.close()
    database = "SQLite" if url.startswith("sqlite") else "PostgreSQL"
    print(f"\n{game}, {database}: {plies / matches:.0f} plies a match, {ply_bytes / plies:.2f} bytes a packed ply")
    print("\n| bytes a match | before | packed |\n|---|---:|---:|")
    for name in sorted({*before, *after}, key=lambda each: -before.get(each, 0)):
        print(f"| {name} | {before.get(name, 0) / matches:,.0f} | {after.get(name, 0) / matches:,.0f} |")
    total, rest = sum(before.values()), sum(after.values()) - ply_bytes
    print(f"| all, a ply | {total / plies:,.0f} | {(rest + ply_bytes) / plies:.1f} |")
    print(f"| all but the plies, a match | | {rest / matches:,.0f} |")
    print("\n| ms | before | packed |\n|---|---:|---:|")
    for name, slow_ms in slow.items():
        print(f"| {name} | {slow_ms:.2f} | {fast[name]:.2f} |", flush=True)


async def times_of(stores: Stores, game: str, people: Sequence[Player]) -> Mapping[str, float]:
    """Return the median milliseconds of what is asked about finished matches."""
    archive, journal = stores.archive, stores.journal
    bot = bot_player(5).id
    questions: dict[str, Callable[[IdentityId], Awaitable[object]]] = {
        "the latest": lambda _: archive.search(ArchiveQuery(), SHOWN),
        "the latest drawn of a game": lambda _: archive.search(ArchiveQuery(game=game, result="drawn"), SHOWN),
        "a player's latest": lambda player: archive.search(ArchiveQuery(player), SHOWN),
        "a player's latest rated ones": lambda player: archive.search(ArchiveQuery(player, rated=True), SHOWN),
        "a player's against a bot": lambda player: archive.search(ArchiveQuery(player, bot), SHOWN),
        "a player's results": archive.scores_of,
        "the results of a player and a bot": lambda player: archive.crosstable(player, bot),
        "a bot's results": lambda _: archive.scores_of(bot),
        "all matches of a player": journal.matches_of,
    }
    times = {}
    for name, ask in questions.items():
        taken = []
        for player in islice(cycle(people), TIMES):
            began = perf_counter()
            await ask(player.id)
            taken.append(perf_counter() - began)
        times[name] = median(taken) * 1_000
    return times


async def store(stores: Stores, stored: Sequence[Sequence[Entry]], chance: random.Random) -> None:
    """Store matches, as rooms do with their last events."""
    appended = []
    for number, entries in enumerate(stored):
        match: MatchId = match_id_of(chance.getrandbits(ID_BITS))
        origin = Origin(str(number), CommandId(f"{chance.getrandbits(48):012x}-{number}"))
        appended.append(stores.journal.append(match, 0, entries, origin, finish=finish_from(match, entries)))
    assert all(await asyncio.gather(*appended))
    while due := await stores.openings.due(AT_ONCE):
        assert await stores.openings.add(due, ())


def entries_of(game: str, line: Line, people: Sequence[Player], chance: random.Random) -> list[Entry]:
    """Return the events of a match of people, or of one against bots."""
    kind = chance.choice(("bots", "bots", "rated" if chance.random() < 0.5 else "guests"))
    players = chance.sample(people, line.seats)
    if kind == "bots":
        players[1:] = [bot_player(5)] * (line.seats - 1)
    elif kind == "rated":
        players = [replace(each, name=f"Player{chance.randrange(10**4)}", registered=True) for each in players]
    at_ms = BEGAN_MS + chance.randrange(DAY_MS // 2)
    plans = tuple(SeatPlan("open" if player.level is None else "bot", player.level) for player in players)
    rating = SeatRating(1500) if kind == "rated" else None
    created = Created(game, line.setup, plans, CLOCK, rated=kind == "rated")
    opening: list[Event] = [
        created,
        *(Seated(seat, player, rating) for seat, player in enumerate(players)),
        Started(30_000),
    ]
    entries = [Entry(event, at_ms) for event in opening]
    entries += plies_of(line, players, at_ms, chance)
    ranks = (1, *(2 for _ in range(line.seats - 1)))
    entries.append(Entry(Ended(ranks, "resignation", "Black resigned", 1), entries[-1].at_ms + 900, NO_SEAT))
    if rating is not None:
        changes = tuple(RatingChange(1500, 1500 + chance.randrange(-12, 12)) for _ in players)
        entries.append(Entry(Rated(changes), entries[-1].at_ms + 20))
    return entries


def plies_of(line: Line, players: Sequence[Player], at_ms: int, chance: random.Random) -> list[Entry]:
    """Return the plies at the pace of people and bots, whose clocks are compensated for their lag."""
    left_ms = [CLOCK.initial_ms] * line.seats
    ids = [(f"{chance.getrandbits(48):012x}", chance.randrange(50)) for _ in players]
    entries = []
    for ply, move in enumerate(line.moves):
        seat = ply % line.seats
        is_bot = players[seat].level is not None
        lag_ms = 0 if is_bot else round(chance.gauss(LAG_MS, 3))
        spent_ms = round(chance.gauss(BOT_MS, 30)) if is_bot else 400 + round(chance.expovariate(1 / THINKING_MS))
        at_ms += spent_ms
        if ply >= line.seats:
            left_ms[seat] += CLOCK.increment_ms - max(0, spent_ms - lag_ms)
        begins, number = ids[seat]
        ids[seat] = begins, number + 1 + (chance.random() < 0.1)
        command_id = None if is_bot else CommandId(f"{begins}-{number}")
        event = Moved(seat, move, tuple(left_ms))
        entries.append(Entry(event, at_ms, NO_SEAT if is_bot else seat, command_id))
    return entries


async def sizes_of(url: str) -> Mapping[str, int]:
    """Return the bytes of the tables of matches and of their indexes that have rows."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(Path(url.removeprefix("sqlite:///")))) as file:
            found = file.execute(_SQLITE_SIZES).fetchall()
            filled = {name for name in TABLES if file.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone()}
    else:
        connection = await asyncpg.connect(url)
        await connection.execute("VACUUM ANALYZE")
        found = await connection.fetch(_POSTGRES_SIZES)
        filled = {name for name in TABLES if await connection.fetchval(f"SELECT 1 FROM {name} LIMIT 1")}
        await connection.close()
    return {name: size for table, name, size in found if table in filled}


async def bytes_of_plies(url: str) -> int:
    """Return the bytes of the packed plies alone."""
    statement = "SELECT sum(length(plies)) FROM packed_matches"
    if not url.startswith("sqlite"):
        connection = await asyncpg.connect(url)
        total = int(await connection.fetchval(statement))
        await connection.close()
        return total
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
        return int(file.execute(statement).fetchone()[0])


if __name__ == "__main__":
    typer.run(main)
