"""How long players wait for bots when many play at once, against twice the levels' times, and the processor time used.

    python -m benchmarks.bots [--people N] [--levels 3,6,8] [--workers W] [--seconds S] [--pause S] [--clock S]

Each simulated player plays one match after another against a bot of one level, levels in turn, and answers each move by
a random one after a pause (exponentially distributed). The bots are the server's: its process pool, with queue and
schedule. `time` is the time of a move of the level without load, measured first. `promise` is twice that, at least half
a second, and `late` counts the answers after it. `worker s/s` is the number of processors that the level keeps busy.
With `--clock`, a bot has this many seconds for a match, and `flagged` counts matches lost on time. A hundred weak bots:
`--people 100 --levels 1,2,3`; bullet against players who never think: `--people 14 --levels 8 --pause 0.01 --clock 60
--seconds 300`.
"""

import asyncio
import random
import time
from collections import defaultdict
from math import inf
from statistics import median, quantiles
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from millrace.engine.games import GAMES
from millrace.engine.state import State
from millrace.engine.time_management import plan_time
from millrace.engine.warm_up import warm_up_rules
from millrace.server.bots.pool import BotPool
from millrace.server.bots.requests import BotRequest
from millrace.server.bots.schedule import PATIENCE_SECONDS
from millrace.server.rooms.bot_moves import MOVETIME_MS
from millrace.server.runtime import metrics

LONE_MOVES = 5
"""Moves that are timed for a level without load."""

RANDOM_PLIES = 6
"""Random plies at the start of a match."""


class Person:
    """A simulated player who plays bots of one level, one match after another."""

    def __init__(self, name: str, level: int, seed: int, clock_seconds: float = inf) -> None:
        self.name = name
        self.level = level
        self.chance = random.Random(seed)
        self.clock_seconds = clock_seconds
        self.state = self._start()
        self.waits: list[float] = []
        self.flagged = 0

    async def play(self, bots: BotPool, until: float, pause_seconds: float) -> None:
        """Play until a moment of `time.monotonic`."""
        await asyncio.sleep(self.chance.expovariate(1 / pause_seconds))
        while time.monotonic() < until:
            await self.be_answered(bots)
            await asyncio.sleep(self.chance.expovariate(1 / pause_seconds))

    async def be_answered(self, bots: BotPool) -> None:
        """Wait for the bot's move, and answer it."""
        state = self.state
        budget = None if self.clock_seconds == inf else plan_time(self.left_seconds * 1000)
        request = BotRequest(
            state.game.name,
            "",
            state.move_texts,
            self.level,
            state.ply,
            movetime_ms=None if budget is None else max(1.0, min(budget.hard_ms, MOVETIME_MS)),
            soft_ms=None if budget is None else budget.soft_ms,
            last_ms=None if budget is None else budget.last_ms,
            owner=self.name,
            table=self.name,
        )
        asked_at = time.monotonic()
        move = await bots.choose(request)
        self.waits.append(time.monotonic() - asked_at)
        self.left_seconds -= self.waits[-1]
        if self.left_seconds <= 0:
            self.flagged += 1
            self.state = self._start()
        else:
            self.state = self._answered(state.play_text(move))

    def _answered(self, state: State) -> State:
        if state.outcome is None:
            state = state.play(self.chance.choice(state.legal_moves))
        return state if state.outcome is None else self._start()

    def _start(self) -> State:
        self.left_seconds = self.clock_seconds
        state = State.of(self.chance.choice([game for game in GAMES.values() if 2 in game.seats]))
        for _ in range(RANDOM_PLIES):
            state = state.play(self.chance.choice(state.legal_moves))
        return state


def main(
    people: Annotated[int, typer.Option(min=1)] = 24,
    levels: str = "3,6,8",
    workers: Annotated[int, typer.Option(min=1)] = 2,
    seconds: Annotated[float, typer.Option(min=1)] = 30,
    pause: Annotated[float, typer.Option(min=0.01)] = 3,
    clock: Annotated[float, typer.Option(min=1)] = inf,
    seed: int = 1,
) -> None:
    """Print how long players wait for bots."""
    parsed = [int(level) for level in levels.split(",")]
    # Or else the people of this process would compile while they play, and all would wait for them.
    for game in GAMES.values():
        warm_up_rules(game)
    crowd = [Person(f"person {n}", parsed[n % len(parsed)], seed + n, clock) for n in range(people)]
    table = asyncio.run(measure(crowd, workers, seconds, pause))
    Console(width=110).print(table)


async def measure(crowd: list[Person], workers: int, seconds: float, pause_seconds: float) -> Table:
    """Return the table of waiting times."""
    bots = BotPool(workers)
    with Console(stderr=True).status("Compiling ...") as status:
        await bots.start()
        alone = {level: await _time_alone(bots, level) for level in sorted({person.level for person in crowd})}
        before = {level: _thought(level) for level in alone}
        status.update(f"{len(crowd)} people play for {seconds:.0f} s ...")
        until = time.monotonic() + seconds
        await asyncio.gather(*(person.play(bots, until, pause_seconds) for person in crowd))
        busy = {level: (_thought(level) - before[level]) / seconds for level in alone}
    await bots.close()
    return _table_of(crowd, alone, busy, workers)


async def _time_alone(bots: BotPool, level: int) -> float:
    """Return the seconds that a level takes for a move without load."""
    person = Person("alone", level, 0)
    for _ in range(LONE_MOVES):
        await person.be_answered(bots)
    return median(person.waits)


def _thought(level: int) -> float:
    """Return how long workers have searched for a level."""
    (family,) = metrics.BOT_SEARCH_SECONDS.labels("move", level).collect()
    return next(sample.value for sample in family.samples if not sample.name.endswith("_created"))


def _table_of(crowd: list[Person], alone: dict[int, float], busy: dict[int, float], workers: int) -> Table:
    table = Table(title=f"{len(crowd)} people, {workers} workers; milliseconds")
    for name in (
        "level",
        "people",
        "answers",
        "time",
        "promise",
        "p50",
        "p99",
        "worst",
        "late",
        "flagged",
        "worker s/s",
    ):
        table.add_column(name, justify="right")
    waits = defaultdict[int, list[float]](list)
    for person in crowd:
        waits[person.level] += person.waits
    for level, seconds in alone.items():
        promise = 2 * max(seconds, PATIENCE_SECONDS)
        of_level = sorted(waits[level]) or [0.0]
        *_, p99 = quantiles(of_level, n=100) if len(of_level) > 1 else of_level
        times = (seconds, promise, median(of_level), min(p99, of_level[-1]), of_level[-1])
        table.add_row(
            str(level),
            str(sum(person.level == level for person in crowd)),
            str(len(waits[level])),
            *(f"{each * 1000:.0f}" for each in times),
            str(sum(wait > promise for wait in of_level)),
            str(sum(person.flagged for person in crowd if person.level == level)),
            f"{busy[level]:.2f}",
        )
    return table


if __name__ == "__main__":
    typer.run(main)
