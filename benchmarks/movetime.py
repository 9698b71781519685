"""How well an engine keeps the time for a move.

    python -m benchmarks.movetime [--moves N] [--movetime MS ...] [--game NAME ...] [ENGINE]

Positions are random, at all distances from the start, and the same for each seed. The engine is one that speaks the
line protocol, by default this project's. A move *misses* its time when it is late by more than 5% or 20 ms, whichever
is larger. Early moves are no fault: a forced move or a proven win needs no more thought. Time is measured from writing
`go` to reading `bestmove`, including pipes and scheduler, so that the machine must be idle. The default of 1,000 moves
takes seven minutes.
"""

import asyncio
import random
from collections.abc import Iterable, Iterator
from itertools import islice
from statistics import quantiles
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, TaskID

from benchmarks.engines.openings import usual_setups, wander
from benchmarks.engines.process import Engine, EngineFailure, Limit, program_of
from millrace.engine.game import EngineError, Game
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State

MOST_PLIES = 40
TOLERANCE = 0.05
TOLERANCE_MS = 20.0
TIMEOUT_S = 60.0
MOVES_A_MATCH = 10
"""Moves after which a new match begins, so that tables are neither always empty nor always full."""


def main(
    engine: Annotated[str, typer.Argument(help="Command of the engine.")] = "millrace engine {game}",
    moves: Annotated[int, typer.Option(min=1, help="Total number of moves.")] = 1000,
    movetime: Annotated[list[int] | None, typer.Option(help="Milliseconds; 30, 100 and 1000 by default.")] = None,
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="NAME=VALUE, an option of the engine.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the positions.")] = 1,
) -> None:
    games = [find_game(name) for name in game or GAMES]
    times = movetime or [30, 100, 1000]
    each = max(-(-moves // (len(games) * len(times))), 2)
    print(f"{'game':<12} {'ms':>5} {'moves':>5} | ms late: {'p50':>6} {'p90':>6} {'p99':>6} {'most':>6} | missed")
    missed = 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("moves", total=each * len(games) * len(times))
        for chosen in games:
            player = Engine(program_of("engine", engine, chosen.name, None, option or ()))
            for elapsed, milliseconds in asyncio.run(measure(player, chosen, times, each, seed, progress, task)):
                missed += print_row(chosen.name, milliseconds, elapsed)
    print(f"missed {missed} of {each * len(games) * len(times)}")


async def measure(
    engine: Engine, game: Game, times: Iterable[int], moves: int, seed: int, progress: Progress, task: TaskID
) -> list[tuple[list[float], int]]:
    """Return the milliseconds of each move for each move time. Raises: EngineFailure."""
    rows = []
    try:
        for milliseconds in times:
            limit = Limit("movetime", milliseconds, TIMEOUT_S)
            elapsed = []
            for number, position in enumerate(islice(draw_positions(game, random.Random(seed)), moves)):
                if number % MOVES_A_MATCH == 0:
                    await engine.begin_match()
                elapsed.append((await engine.choose(position, [], limit)).elapsed_ms)
                progress.advance(task)
            rows.append((elapsed, milliseconds))
    finally:
        await engine.close()
    return rows


def draw_positions(game: Game, chance: random.Random) -> Iterator[str]:
    """Yield position texts at all distances from the start, without end."""
    while True:
        setup = chance.choice(usual_setups(game)).replace("{seed}", str(chance.randrange(10**9)))
        state = wander(State.of(game, setup), chance.randrange(MOST_PLIES), chance)
        if state is not None:
            yield state.position_text


def print_row(name: str, movetime: int, elapsed_ms: list[float]) -> int:
    """Print how late moves were, and return how many missed their time."""
    late = [elapsed - movetime for elapsed in elapsed_ms]
    hundredths = quantiles(late, n=100, method="inclusive")
    p50, p90, p99 = (hundredths[share - 1] for share in (50, 90, 99))
    missed = count_missed(movetime, elapsed_ms)
    print(
        f"{name:<12} {movetime:>5} {len(late):>5} | {p50:>15.1f} {p90:>6.1f} {p99:>6.1f} {max(late):>6.1f} | {missed}"
    )
    return missed


def count_missed(movetime: int, elapsed_ms: Iterable[float]) -> int:
    """Return how many moves were later than tolerated."""
    return sum(elapsed > movetime + max(TOLERANCE * movetime, TOLERANCE_MS) for elapsed in elapsed_ms)


if __name__ == "__main__":
    try:
        typer.run(main)
    except (EngineError, EngineFailure, ValueError) as error:
        raise SystemExit(f"error: {error}") from None
