"""An arena at full size: thousands join within a second, and hundreds play it by themselves.

Run `python -m benchmarks.arena`. A server with its usual limits runs on the first core. On the second, 2,000 players
on as many connections, from 250 addresses of this machine, look at an arena and join it within a second. Then 500
others, in a process of low priority, play an arena of some minutes at the pace of fast people, and five pairs of guests
play their own matches beside it, at a steady rate; the delay of their moves is measured before, during and after the
arena.
"""

import asyncio
import json
import multiprocessing
import os
import random
import tempfile
import time
import urllib.request
from collections.abc import Coroutine, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
import uvloop
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.arena_players import Arena, ArenaPlayer, Spectator
from benchmarks.floods import NICENESS, SETTINGS
from benchmarks.players import Pace, Room, Tally
from benchmarks.server import cpu_seconds, give_up_on_errors, on_core, open_all
from benchmarks.spectators import allow_files
from millrace.protocol.tournaments import PAGE_ROWS
from millrace.server.app.stores import open_storage
from tests.server.players.profiles.stored_accounts import signed_in_account
from tests.serving import ServerProcess

ADDRESSES = 250
AT_ONCE = 50
"""Connections opened at a time."""
JOINING_S = 1.0
CLOCK = {"initial_ms": 60_000, "increment_ms": 0}
"""Bullet: a wave every eleven seconds."""
PAIRS, PAIRS_RATE = 5, 50.0
"""Pairs beside the arena, and their moves per second."""
QUIET_S = 15.0
"""Time that the pairs are measured before and after the arena."""
AFTER_END_S = 5.0
"""Time in which the last standings arrive."""


async def register(database: str, number: int) -> list[str]:
    """Store accounts, which have no passwords, and return their sessions' tokens."""
    stores = await open_storage(database)
    numbers = track(range(number), f"{number:,} accounts", transient=True)
    tokens = [await signed_in_account(stores, f"Player{each:05}") for each in numbers]
    await stores.close()
    return tokens


def source(number: int) -> str:
    """Return an address of this machine: the whole of 127.0.0.0/8 is (Linux)."""
    return f"127.0.1.{1 + number % ADDRESSES}"


async def in_portions(acts: Sequence[Coroutine[None, None, None]], title: str) -> None:
    """Do much, some of it at a time."""
    for first in track(range(0, len(acts), AT_ONCE), title, transient=True):
        await asyncio.gather(*acts[first : first + AT_ONCE])


async def gather_players(arena: Arena, address: str, tokens: Sequence[str]) -> list[ArenaPlayer]:
    """Connect the players of an arena."""
    players = [ArenaPlayer(arena, token, random.Random(number)) for number, token in enumerate(tokens)]
    opened = [player.open(address, source(number)) for number, player in enumerate(players)]
    await in_portions(opened, f"{len(players):,} connections")
    return players


async def announce(arena: Arena, by: ArenaPlayer, starts_in_s: float, minutes: int) -> None:
    """Create the arena, which starts so much later."""
    starts_at_ms = int((time.time() + starts_in_s) * 1000)
    plan = {
        "name": "Benchmark",
        "game": "morris",
        "clock": CLOCK,
        "starts_at_ms": starts_at_ms,
        "minutes": minutes,
        "rated": False,
    }
    answer = await by.ask("create_tournament", f'"plan":{json.dumps(plan)}')
    assert answer.tournament, answer
    arena.tournament = answer.tournament
    arena.began_at = time.perf_counter() + starts_in_s


def figures(seconds: Sequence[float]) -> tuple[str, str, str]:
    """Return the median, the 99th percentile and the maximum in milliseconds, as text."""
    ordered = sorted(seconds) or [0.0]
    return tuple(f"{ordered[int(share * (len(ordered) - 1))] * 1000:,.1f}" for share in (0.5, 0.99, 1))  # type: ignore[return-value]


async def join_at_once(server: ServerProcess, tokens: Sequence[str]) -> Table:
    """Let all players join within a second; return how long they waited for their answers."""
    give_up_on_errors()
    arena = Arena(think_s=0)
    players = await gather_players(arena, server.address, tokens)
    await announce(arena, players[0], starts_in_s=3_600, minutes=20)
    for player in players:
        player.watch()
    await asyncio.sleep(3)
    began, cpu_s = time.perf_counter(), cpu_seconds(server.pid)

    async def join(number: int, player: ArenaPlayer) -> None:
        await asyncio.sleep(number * JOINING_S / len(players))
        await player.join()

    await asyncio.gather(*(join(number, player) for number, player in enumerate(players)))
    took_s, cpu_s = time.perf_counter() - began, cpu_seconds(server.pid) - cpu_s
    in_standings = await asyncio.to_thread(standings_of, server, arena.tournament)
    assert in_standings == len(players), f"only {in_standings} are in the standings"
    for player in players:
        player.close()
    table = Table("players", "all answered s", "p50 ms", "p99 ms", "max ms", "in standings", "server s")
    table.add_row(f"{len(players):,}", f"{took_s:.2f}", *figures(arena.answered), f"{in_standings:,}", f"{cpu_s:.2f}")
    return table


def standings_of(server: ServerProcess, tournament: str) -> int:
    """Return how many players are in the standings."""
    with urllib.request.urlopen(f"{server.url}/tournament/{tournament}.json") as answer:
        return len(json.load(answer)["standings"])


class Beside(NamedTuple):
    """Moves of the pairs that are not in the arena."""

    p50_ms: float
    p99_ms: float
    server_core: float


async def measure(tally: Tally, pid: int, seconds: float, title: str) -> Beside:
    """Return the delays of the pairs' moves for some time."""
    tally.empty()
    cpu_s, began = cpu_seconds(pid), time.perf_counter()
    for _ in track(range(int(seconds)), title, transient=True):
        await asyncio.sleep(1)
    share = (cpu_seconds(pid) - cpu_s) / (time.perf_counter() - began)
    return Beside(tally.delay_ms(0.5), tally.delay_ms(0.99), share)


class Played(NamedTuple):
    """What the players of an arena and its spectators have seen."""

    waits: list[float]
    standing_delays: list[float]
    matches: int
    plies: int
    refused: dict[str, int]


def play_arena(pipe: Connection, address: str, tokens: Sequence[str], minutes: int, think_s: float) -> None:
    """Run the process of an arena's players: announce its start once all have joined, then send what they have seen."""
    os.nice(NICENESS)
    uvloop.run(_play_arena(pipe, address, tokens, minutes, think_s))


async def _play_arena(pipe: Connection, address: str, tokens: Sequence[str], minutes: int, think_s: float) -> None:
    give_up_on_errors()
    arena = Arena(think_s)
    players = await gather_players(arena, address, tokens)
    pipe.send("ready")
    await asyncio.to_thread(pipe.recv)
    await announce(arena, players[0], starts_in_s=10, minutes=minutes)
    await in_portions([player.join() for player in players], "joining")
    playing = dict[object, str]()
    spectators = [Spectator(arena, page, playing) for page in range(-(-len(players) // PAGE_ROWS))]
    for page, spectator in enumerate(spectators):
        await spectator.open(address, source(page))
    await asyncio.sleep(max(0, arena.began_at - time.perf_counter()))
    pipe.send("begun")
    await asyncio.sleep(minutes * 60 + AFTER_END_S)
    pipe.send(Played(arena.waits, arena.standing_delays, len(arena.ends), arena.plies, dict(arena.refused)))
    for player in players:
        player.close()
    for spectator in spectators:
        spectator.close()


async def play(server: ServerProcess, tokens: Sequence[str], minutes: int, think_s: float) -> list[Table]:
    """Let all players play an arena; return what they and others have waited for."""
    give_up_on_errors()
    tally = Tally()
    rooms = [Room(tally, Pace(2 * PAIRS / PAIRS_RATE), random.Random(seed)) for seed in range(PAIRS)]
    await open_all(rooms, server.address)
    for room in rooms:
        room.begin()
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=play_arena, args=(theirs, server.address, tokens, minutes, think_s), daemon=True)
    process.start()
    await asyncio.to_thread(ours.recv)
    before = await measure(tally, server.pid, QUIET_S, "before the arena")
    ours.send("announce")
    await asyncio.to_thread(ours.recv)
    during = await measure(tally, server.pid, minutes * 60, "the arena")
    played: Played = await asyncio.to_thread(ours.recv)
    process.join()
    after = await measure(tally, server.pid, QUIET_S, "after the arena")
    for room in rooms:
        room.close()
    waits = Table("", "number", "p50 ms", "p99 ms", "max ms", title=f"{len(tokens)} players, {minutes} minutes")
    waits.add_row("waits for a match", f"{len(played.waits):,}", *figures(played.waits))
    waits.add_row("results to spectators", f"{len(played.standing_delays):,}", *figures(played.standing_delays))
    beside = Table("moves beside it", "p50 ms", "p99 ms", "server core")
    for name, row in (("before", before), ("during", during), ("after", after)):
        beside.add_row(name, f"{row.p50_ms:.2f}", f"{row.p99_ms:.2f}", f"{row.server_core:.0%}")
    ratios = (getattr(during, name) / max(getattr(before, name), getattr(after, name)) for name in ("p50_ms", "p99_ms"))
    beside.add_row("ratio", *(f"{ratio:.2f}" for ratio in ratios), "")
    print(f"{played.matches:,} matches, {played.plies / minutes / 60:.0f} moves/s, refused {played.refused}")
    return [waits, beside]


def main(
    joining: Annotated[int, typer.Option(min=0, help="Players who join within a second.")] = 2_000,
    players: Annotated[int, typer.Option(min=0, help="Players who play an arena.")] = 500,
    minutes: Annotated[int, typer.Option(min=1, help="How long they play.")] = 5,
    think: Annotated[float, typer.Option(help="Mean seconds that a player takes for a move.")] = 1.0,
) -> None:
    """Measure, and print the tables."""
    allow_files(joining + players)
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/millrace.db"
        tokens = asyncio.run(register(database, joining + players))
        server = ServerProcess(
            Path(folder), *("--database", database, "--bot-workers", "1", "--least-arena-minutes", "1"), *SETTINGS
        )
        with on_core(0):
            server.start()
        try:
            server.wait_for_bots()
            print(f"the server is process {server.pid}", flush=True)
            with on_core(1):
                if joining:
                    Console().print(uvloop.run(join_at_once(server, tokens[:joining])))
                if players:
                    Console().print(*uvloop.run(play(server, tokens[joining:], minutes, think)))
        finally:
            server.kill()


if __name__ == "__main__":
    typer.run(main)
