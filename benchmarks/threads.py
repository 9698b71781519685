"""How much sooner several threads reach a depth than one: a table of positions, and the mean for each game.

    python -m benchmarks.threads [--game NAME] [--threads N] [--seconds S] [--repeats R]

The depth is the first for which one thread takes so many seconds. What several threads do depends on chance, so each
position is searched several times with them, and the mean time counts. `ratio` is the time of one thread over theirs,
`nodes` theirs together over its own: what they search twice. The means are geometric.

It says something only on a machine that has nothing else to do.
"""

from statistics import fmean, geometric_mean
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from benchmarks.search import POSITIONS
from engine.analysis import Analysis, Limits, analyse
from engine.games import GAMES, find_game
from engine.state import State

COMPILING_DEPTH = 1


def main(
    game: Annotated[list[str] | None, typer.Option(help="Which games; by default all.")] = None,
    threads: Annotated[int, typer.Option(help="How many search together.", min=2)] = 2,
    seconds: Annotated[float, typer.Option(help="What one thread is to take at least.")] = 0.5,
    repeats: Annotated[int, typer.Option(help="Searches of each position with several threads.", min=1)] = 3,
) -> None:
    for name in game or GAMES:
        measure(name, threads, seconds, repeats)


def measure(name: str, threads: int, seconds: float, repeats: int) -> None:
    """Print a game's table and its means."""
    chosen = find_game(name)
    analyse(State.of(chosen), Limits(depth=COMPILING_DEPTH), perf_counter)
    print(
        f"{name}: {'depth':>5} {'ms alone':>9} {f'ms by {threads}':>9} {'ratio':>6} {'nodes':>6} | position", flush=True
    )
    ratios, shares = list[float](), list[float]()
    for position in track(POSITIONS.get(name, ("",)), console=Console(stderr=True), transient=True):
        state = State.of(chosen, position)
        alone = alone_for(state, seconds)
        if alone is None:
            continue
        found = [analyse(state, Limits(depth=alone.depth), perf_counter, threads=threads) for _ in range(repeats)]
        mean_ms = fmean(each.elapsed_ms for each in found)
        ratios.append(alone.elapsed_ms / mean_ms)
        shares.append(fmean(each.nodes for each in found) / alone.nodes)
        print(
            f"{'':>{len(name) + 1}} {alone.depth:>5} {alone.elapsed_ms:>9.0f} {mean_ms:>9.0f} {ratios[-1]:>6.2f}"
            f" {shares[-1]:>6.2f} | {position[:50] or 'start'}",
            flush=True,
        )
    if ratios:
        print(f"{name}: {threads} threads are {geometric_mean(ratios):.2f} times as fast as one\n", flush=True)


def alone_for(state: State, seconds: float) -> Analysis | None:
    """Return what one thread finds to the first depth that takes it so long; None if it sees the end before."""
    slow: list[Analysis] = []

    def has_taken_long(found: Analysis) -> None:
        if found.elapsed_ms >= seconds * 1000:
            slow.append(found)

    analyse(state, Limits(), perf_counter, on_iteration=has_taken_long, should_stop=lambda: bool(slow))
    return slow[0] if slow else None


if __name__ == "__main__":
    typer.run(main)
