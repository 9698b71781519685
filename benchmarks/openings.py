"""The time of a look-up in the opening explorer, and of counting matches, with a large archive.

Run `python -m benchmarks.openings --matches 100000`; `--database postgresql://...` for an empty database there. The
matches are random play of Nine Men's Morris in which good points are preferred, so that they branch off from each
other as real ones do. All of them are counted as a server counts them, and then each position on the way of some
matches is looked up.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace
from rich.console import Console
from rich.progress import track
from rich.table import Table

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import Created, Ended, IdentityId, MatchId, Player, SeatPlan
from millrace.server.app.opening import open_storage
from millrace.server.app.stores import Stores
from millrace.server.learning.openings.counting import counts_of, summed
from millrace.server.learning.openings.opening_store import MoveCount
from millrace.server.learning.openings.positions import find_position
from millrace.server.matches.match import Match

PLIES = 24
AT_ONCE = 20
LOOKED_UP = 200
"""Matches whose positions are looked up."""
CREATED = Created("morris", "", (SeatPlan("open"), SeatPlan("open")), None)
PLAYERS = (Player(IdentityId("ann"), "Ann"), Player(IdentityId("ben"), "Ben"))


def random_line(chance: random.Random) -> State:
    """Return a line of play in which some moves are far more common than others."""
    state = State.of(find_game("morris"))
    while state.ply < PLIES and state.outcome is None:
        moves = state.legal_moves
        state = state.play(moves[int(len(moves) * chance.random() ** 4)])
    return state


async def fill(stores: Stores, matches: int, chance: random.Random) -> tuple[list[State], float]:
    """Count matches, and return the ends of some of them, and the seconds for a match."""
    kept: list[State] = []
    taken = 0.0
    for begin in track(range(0, matches, AT_ONCE), "Counting", console=Console(stderr=True)):
        lines = [random_line(chance) for _ in range(AT_ONCE)]
        kept = lines if begin == 0 else kept if len(kept) >= LOOKED_UP else kept + lines
        began = time.perf_counter()
        counts: list[MoveCount] = []
        for number, state in enumerate(lines, begin):
            ranks = chance.choice(((1, 2), (2, 1), (1, 1)))
            match = Match.of(MatchId(f"m{number}"), CREATED)
            match = replace(match, state=state, players=PLAYERS, ended=Ended(ranks, "resignation", ""))
            counts += counts_of(match, 1, number)
        assert await stores.openings.add([], summed(counts))
        taken += time.perf_counter() - began
    return kept, taken / matches


async def time_look_ups(stores: Stores, ends: Sequence[State]) -> dict[int, list[float]]:
    """Return the times of look-ups in milliseconds, by the ply of the position."""
    taken: dict[int, list[float]] = {}
    for end in ends:
        for state in end.line[:-1]:
            position = find_position(state)
            assert position is not None
            began = time.perf_counter()
            found = await stores.openings.moves(position.number, people=False)
            taken.setdefault(state.ply, []).append(1000 * (time.perf_counter() - began))
            assert found
    return taken


async def run(address: str, matches: int) -> None:
    stores = await open_storage(address)
    ends, seconds = await fill(stores, matches, random.Random(1))
    console = Console()
    console.print(f"{matches:,} matches counted, {1000 * seconds:.2f} ms each")
    table = Table("ply", "look-ups", "p50 ms", "p99 ms", "max ms")
    for ply, times in sorted((await time_look_ups(stores, ends)).items()):
        ordered = sorted(times)
        p50, p99 = ordered[len(ordered) // 2], ordered[int(0.99 * len(ordered))]
        table.add_row(str(ply), str(len(times)), f"{p50:.2f}", f"{p99:.2f}", f"{ordered[-1]:.2f}")
    console.print(table)
    await stores.close()


def main(
    matches: Annotated[int, typer.Option(min=AT_ONCE, help="Matches to count.")] = 100_000,
    database: Annotated[str, typer.Option(help="The address of an empty database; a temporary file by default.")] = "",
) -> None:
    """Print the times."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(database or f"sqlite:///{Path(folder) / 'openings.sqlite3'}", matches))


if __name__ == "__main__":
    typer.run(main)
