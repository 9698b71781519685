"""Matches between two engines: which plays better, and by how much, as Elo with its error.

    python -m benchmarks.match "millrace engine {game}" "millrace engine {game}" --folder-b ../older \\
        --game morris --games 400 --movetime 100

Both commands must speak the line protocol of `docs/engine.md`, as `millrace engine` does. A first word `millrace` runs
it with this Python from `--folder-a` or `--folder-b`, so that another checkout can be the opponent. The two matches of
a pair begin alike, with seats swapped; openings depend on `--seed`. With `--nodes` or `--depth`, nothing depends on the
load of the machine. The last line is the result as JSON, from A's view.
"""

import asyncio
import json
import math
import os
import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from benchmarks.engines.elo import PAIR_SCORES, SequentialTest, estimate, kind_of_pair, log_likelihood_ratio
from benchmarks.engines.match_play import LONGEST_MATCH, Played, play_match
from benchmarks.engines.openings import USUAL_PLIES, draw_openings
from benchmarks.engines.process import Answer, Engine, EngineFailure, Limit, Program, program_of
from millrace.engine.game import EngineError, Game
from millrace.engine.games import find_game

FAILURES_SHOWN = 10
USUAL_NODES = 20_000

Option = typer.Option


@dataclass
class Score:
    """The results so far, from A's view."""

    names: tuple[str, str]
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * len(PAIR_SCORES))
    """The number of pairs of each kind of `PAIR_SCORES`."""
    plies: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """The number of matches by how they ended: a code, or a sentence where an engine failed."""
    failures: list[Played] = field(default_factory=list)
    answers: tuple[list[Answer], list[Answer]] = field(default_factory=lambda: ([], []))
    """The moves of A and of B with what they took."""

    def add(self, first: Played, second: Played) -> None:
        """Count a pair: A has seat 0 in the first match and seat 1 in the second."""
        scores = (first.scores[0], second.scores[1])
        for score in scores:
            self.wins += score == 1
            self.draws += score == 0.5
            self.losses += score == 0
        self.pairs[kind_of_pair(*scores)] += 1
        for played, seat_of_a in ((first, 0), (second, 1)):
            self.plies += len(played.moves)
            self.reasons[played.reason] = self.reasons.get(played.reason, 0) + 1
            self.answers[0].extend(played.answers[seat_of_a])
            self.answers[1].extend(played.answers[1 - seat_of_a])
            if played.has_failed:
                self.failures.append(played)

    @property
    def matches(self) -> int:
        """The number of matches counted."""
        return self.wins + self.draws + self.losses


def main(
    a: Annotated[str, typer.Argument(metavar="A", help="Command of engine A.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Command of engine B.")],
    game: Annotated[str, Option(help="Game to play.")] = "morris",
    games: Annotated[int, Option(min=2, help="Number of matches, rounded up to pairs.")] = 100,
    movetime: Annotated[int | None, Option(min=1, help="Milliseconds for a move.")] = None,
    nodes: Annotated[int | None, Option(min=1, help="Nodes for a move.", show_default=f"{USUAL_NODES}")] = None,
    depth: Annotated[int | None, Option(min=1, help="Plies for a move.")] = None,
    name_a: Annotated[str, Option(help="Name of A.")] = "A",
    name_b: Annotated[str, Option(help="Name of B.")] = "B",
    folder_a: Annotated[str | None, Option("--folder-a", "--cwd-a", help="Working directory of A.")] = None,
    folder_b: Annotated[str | None, Option("--folder-b", "--cwd-b", help="Working directory of B.")] = None,
    option_a: Annotated[list[str] | None, Option(help="NAME=VALUE, an option of A; repeatable.")] = None,
    option_b: Annotated[list[str] | None, Option(help="NAME=VALUE, an option of B; repeatable.")] = None,
    concurrency: Annotated[int | None, Option(min=1, help="Matches at once.", show_default="cores")] = None,
    seed: Annotated[int, Option(help="Seed of the openings.")] = 1,
    plies: Annotated[int, Option("--openings", min=0, help="Random plies of each opening.")] = USUAL_PLIES,
    setup: Annotated[list[str] | None, Option(help="Set-ups to begin with; {seed} is replaced by a number.")] = None,
    longest: Annotated[int, Option(min=2, help="Maximum plies of a match.")] = LONGEST_MATCH,
    timeout: Annotated[float, Option(help="Seconds beyond its time after which an engine loses.")] = 60,
    sprt: Annotated[tuple[float, float] | None, Option(help="Two Elo differences; stop when one is accepted.")] = None,
    record: Annotated[Path | None, Option(help="A file to which each match is appended as JSON.")] = None,
) -> None:
    chosen = find_game(game)
    programs = (
        program_of(name_a, a, game, folder_a, option_a or ()),
        program_of(name_b, b, game, folder_b, option_b or ()),
    )
    limit = limit_of(movetime, nodes, depth, timeout)
    openings = draw_openings(chosen, random.Random(seed), plies, setup or ())
    test = SequentialTest(*sprt) if sprt is not None else None
    with ExitStack() as stack:
        kept = stack.enter_context(record.open("a", encoding="utf-8")) if record is not None else None
        tournament = Tournament(chosen, programs, limit, (games + 1) // 2, openings, longest, test, kept)
        score = asyncio.run(tournament.play(concurrency or os.cpu_count() or 1))
    print_score(score, game, limit, test)


def limit_of(movetime: int | None, nodes: int | None, depth: int | None, timeout_s: float) -> Limit:
    """Return the requested limit. Raises: typer.BadParameter if there are several."""
    given = [(name, value) for name, value in (("movetime", movetime), ("nodes", nodes), ("depth", depth)) if value]
    if len(given) > 1:
        raise typer.BadParameter("one of --movetime, --nodes and --depth limits a move")
    name, value = given[0] if given else ("nodes", USUAL_NODES)
    return Limit(name, value, timeout_s)


@dataclass
class Tournament:
    """Plays pairs of matches between two engines, several at once."""

    game: Game
    programs: tuple[Program, Program]
    limit: Limit
    pairs: int
    openings: Iterator[str]
    longest: int = LONGEST_MATCH
    test: SequentialTest | None = None
    record: TextIO | None = None

    async def play(self, concurrency: int) -> Score:
        """Play the pairs, or until the test decides, with progress on standard error; return the score.

        Raises: an ExceptionGroup of EngineFailure.
        """
        score = Score((self.programs[0].name, self.programs[1].name))
        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("openings", total=2 * self.pairs)
            pending = islice(self.openings, self.pairs)
            async with asyncio.TaskGroup() as group:
                for _ in range(min(concurrency, self.pairs)):
                    group.create_task(self._work(pending, score, progress, task))
        return score

    async def _work(self, openings: Iterator[str], score: Score, progress: Progress, task: TaskID) -> None:
        """Play pairs one after another with two engines of its own. Raises: EngineFailure if one cannot start."""
        engines = (Engine(self.programs[0]), Engine(self.programs[1]))
        try:
            # Who cannot even begin is no opponent; only afterwards is a failure a lost match.
            await asyncio.gather(*(begin_at_all(engine) for engine in engines))
            for opening in openings:
                first = await play_match(self.game, opening, engines, self.limit, self.longest)
                second = await play_match(self.game, opening, engines[::-1], self.limit, self.longest)
                score.add(first, second)
                self._keep(first, second)
                progress.update(task, completed=score.matches, description=in_short(score))
                if self.test is not None and self.test.is_decided(score.pairs):
                    break
        finally:
            await asyncio.gather(*(engine.close() for engine in engines))

    def _keep(self, *matches: Played) -> None:
        for played in matches:
            if self.record is not None:
                kept = {key: value for key, value in asdict(played).items() if key != "answers"}
                self.record.write(json.dumps({"game": self.game.name, **kept}) + "\n")


async def begin_at_all(engine: Engine) -> None:
    """Start an engine. Raises: EngineFailure that names the engine."""
    try:
        await engine.begin_match()
    except EngineFailure as failure:
        raise EngineFailure(f"{engine.program.name} {failure}") from None


def in_short(score: Score) -> str:
    found = estimate(score.pairs)
    return f"+{score.wins} ={score.draws} -{score.losses}  Elo {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"


def print_score(score: Score, game: str, limit: Limit, test: SequentialTest | None) -> None:
    """Print the result as text, and as JSON on the last line."""
    found = estimate(score.pairs)
    a, b = score.names
    print(f"{game}, {limit.name} {limit.value} a move: {a} against {b}, {score.matches} matches")
    print(f"{a} won {score.wins}, drew {score.draws}, lost {score.losses}; pairs by points 0 to 2: {score.pairs}")
    print(f"Elo {found.elo:+.1f}, 95% between {found.low:+.1f} and {found.high:+.1f}")
    print(f"{a} is better with likelihood {found.likelihood_of_superiority:.1%}")
    print(f"{score.plies / score.matches:.0f} plies a match; endings: {score.reasons}")
    ratio = None if test is None else log_likelihood_ratio(score.pairs, test)
    if test is not None and ratio is not None:
        print(f"log likelihood ratio {ratio:+.2f} of {test.elo1:+.0f} to {test.elo0:+.0f}, bounds +-{test.bound:.2f}")
    for played in score.failures[:FAILURES_SHOWN]:
        print(f"FAILED: {played.reason} | {played.opening or 'start'} | {' '.join(played.moves)}")
    costs = [cost_of(answers) for answers in score.answers]
    for name, cost in zip(score.names, costs, strict=True):
        print(f"{name} took {cost['nodes']:,.0f} nodes and {cost['processor_ms']:,.1f} ms of a processor a move")
    overshoots = [overshoot_of([answer.elapsed_ms for answer in answers], limit) for answers in score.answers]
    for name, overshoot in zip(score.names, overshoots, strict=True):
        if overshoot is not None:
            words = ", ".join(f"{key} {value:+.1f}" for key, value in overshoot.items())
            print(f"{name} took its time and, in ms: {words}")
    result = {
        "game": game,
        limit.name: limit.value,
        "matches": score.matches,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "pairs": score.pairs,
        "elo": finite(found.elo),
        "low": finite(found.low),
        "high": finite(found.high),
        "likelihood_of_superiority": round(found.likelihood_of_superiority, 4),
        "log_likelihood_ratio": None if ratio is None else round(ratio, 2),
        "failures": len(score.failures),
        "nodes": [cost["nodes"] for cost in costs],
        "processor_ms": [cost["processor_ms"] for cost in costs],
        "overshoot_ms": overshoots,
    }
    print(json.dumps(result))


def cost_of(answers: list[Answer]) -> dict[str, float]:
    """Return the mean nodes and processor time of a move."""
    moves = max(len(answers), 1)
    return {name: round(sum(getattr(each, name) for each in answers) / moves, 1) for name in ("nodes", "processor_ms")}


def overshoot_of(elapsed_ms: list[float], limit: Limit) -> dict[str, float] | None:
    """Return how many milliseconds each move exceeded its time, where time was the limit."""
    if limit.movetime_ms is None or len(elapsed_ms) < 2:
        return None
    hundredths = quantiles(elapsed_ms, n=100, method="inclusive")
    found = {"p50": hundredths[49], "p99": hundredths[98], "max": max(elapsed_ms)}
    return {name: round(value - limit.movetime_ms, 1) for name, value in found.items()}


def finite(elo: float) -> Any:
    """Return a value for JSON: null where Elo is infinite."""
    return round(elo, 1) if math.isfinite(elo) else None


if __name__ == "__main__":
    try:
        typer.run(main)
    except* (EngineError, EngineFailure, OSError, ValueError) as errors:
        raise SystemExit(f"error: {errors.exceptions[0]}") from None
