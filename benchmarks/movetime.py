"""How well an engine keeps to the time that it is given for a move.

    python -m benchmarks.movetime [--moves N] [--movetime MS ...] [--game NAME ...] [ENGINE]

Positions are drawn at random, some near the start and some far from it, the same for each seed; the engine is one that
speaks the line protocol, by default this project's. A move *misses* its time when it comes more than 5% or 20 ms late,
whichever is larger. Coming early is no fault: a forced move or a win seen to its end needs no more thought.

Time is measured from writing `go` to reading `bestmove`, so it has the pipes and the scheduler in it: the table is only
worth something where the machine has nothing else to do. The usual 1,000 moves take seven minutes.
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
"""After so many the engine is told that another match begins: tables are neither always empty nor always full."""


def main(
    engine: Annotated[str, typer.Argument(help="The command of an engine.")] = "millrace engine {game}",
    moves: Annotated[int, typer.Option(min=1, help="How many in all.")] = 1000,
    movetime: Annotated[list[int] | None, typer.Option(help="Milliseconds; by default 30, 100 and 1000.")] = None,
    game: Annotated[list[str] | None, typer.Option(help="Which games; by default all.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="NAME=VALUE, an option of the engine.")] = None,
    seed: Annotated[int, typer.Option(help="What positions follow from.")] = 1,
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
    """Return for each time what each of so many moves took, in milliseconds. Raises: EngineFailure."""
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
    """Print how late moves came and return how many missed their time."""
    late = [elapsed - movetime for elapsed in elapsed_ms]
    hundredths = quantiles(late, n=100, method="inclusive")
    p50, p90, p99 = (hundredths[share - 1] for share in (50, 90, 99))
    missed = count_missed(movetime, elapsed_ms)
    print(
        f"{name:<12} {movetime:>5} {len(late):>5} | {p50:>15.1f} {p90:>6.1f} {p99:>6.1f} {max(late):>6.1f} | {missed}"
    )
    return missed


def count_missed(movetime: int, elapsed_ms: Iterable[float]) -> int:
    """Return how many moves came later than is tolerated."""
    return sum(elapsed > movetime + max(TOLERANCE * movetime, TOLERANCE_MS) for elapsed in elapsed_ms)


if __name__ == "__main__":
    try:
        typer.run(main)
    except (EngineError, EngineFailure, ValueError) as error:
        raise SystemExit(f"error: {error}") from None
