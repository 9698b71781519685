"""How soon a server on a new machine can be used, and how soon it stops.

Run `python -m benchmarks.start --busy 0 --busy 4`. Each row is a server with an empty kernel cache, beside so many busy
processes. Times count from the page's first answer: until two players have both moved, until a bot of level 1 has
moved, until the bots of the first game and of all games are ready. The last two columns are the times from SIGTERM to
the end, once while everything compiles and once when it is done.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.request import urlopen

import typer
from rich.console import Console
from rich.table import Table

from millrace.client import ME, OPEN, Connection, bot, connect
from millrace.engine.games import GAMES
from millrace.engine.kernel_cache import VARIABLE
from millrace.protocol import MatchId
from tests.processes import end_with_tests
from tests.serving import BOTS, ServerProcess

HEADINGS = (
    *("busy processes", "first moves s", "first bot s", "first game's bots s", "all bots s"),
    *("stop, compiling s", "stop s"),
)


class Figures(NamedTuple):
    """The seconds of one start, and of two stops."""

    first_moves: float
    first_bot: float
    first_bots: float
    all_bots: float
    stop_compiling: float
    stop: float


def main(
    busy: Annotated[list[int] | None, typer.Option(min=0, help="Busy processes; repeatable.")] = None,
) -> None:
    table = Table(*HEADINGS)
    for number in busy or [0]:
        with busy_processes(number):
            table.add_row(str(number), *(f"{figure:.1f}" for figure in measure()))
    Console(width=120).print(table)


@contextmanager
def busy_processes(number: int) -> Iterator[None]:
    """Keep processors busy."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [
        subprocess.Popen(command, preexec_fn=end_with_tests)  # noqa: PLW1509  # it only looks up what was loaded before
        for _ in range(number)
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def measure() -> Figures:
    """Start a server twice, each time with an empty cache."""
    with new_machine() as server:
        began = time.perf_counter()
        server.wait_for("Starting the bots")
        asyncio.run(play_first_moves(server.address))
        first_moves = time.perf_counter() - began
        asyncio.run(await_first_bot(server.address))
        first_bot = time.perf_counter() - began
        server.wait_for(f"Bots play {next(iter(GAMES.values())).title}")
        first_bots = time.perf_counter() - began
        server.wait_for(BOTS)
        all_bots = time.perf_counter() - began
        stop = seconds_to_stop(server)
    with new_machine() as server:
        server.wait_for("Starting the bots")
        return Figures(first_moves, first_bot, first_bots, all_bots, seconds_to_stop(server), stop)


@contextmanager
def new_machine() -> Iterator[ServerProcess]:
    """Start a server without data and kernels; yield it when its page has answered for the first time."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ[VARIABLE] = str(Path(folder) / "kernels")
        server = ServerProcess(Path(folder) / "data")
        server.start(is_awaited=False)
        try:
            with urlopen(server.url) as page:
                page.read()
            yield server
        finally:
            server.kill()


def seconds_to_stop(server: ServerProcess) -> float:
    began = time.perf_counter()
    server.stop()
    return time.perf_counter() - began


async def play_first_moves(address: str) -> None:
    """Return when both of two players have moved in the first game."""
    async with connect(address) as ann, connect(address) as eve:
        match = (await ann.create(next(iter(GAMES)), [ME, OPEN])).match
        await eve.join(match)
        await asyncio.gather(move_once(ann, match), move_once(eve, match))


async def await_first_bot(address: str) -> None:
    """Return when a weak bot has moved in the first game."""
    async with connect(address) as player:
        feed = player.watch((await player.create(next(iter(GAMES)), [bot(1), ME])).match)
        await feed.my_turn()


async def move_once(player: Connection, match: MatchId) -> None:
    async with player.watch(match) as feed:
        turn = await feed.my_turn()
        assert turn is not None
        await turn.play(turn.moves[0])


if __name__ == "__main__":
    typer.run(main)
