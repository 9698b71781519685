"""Perft speed: the leaves per second that each game counts on one core.

    python -m benchmarks.perft [--game NAME] [--seconds S]

Each position of a game's table is counted at the greatest depth that takes at most about this many seconds.
"""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from millrace.engine import games
from millrace.engine.games import GAMES, find_game
from millrace.engine.perft import PerftTable, perft, read_tables
from millrace.engine.state import State

GROWTH = 60
"""The assumed growth of leaves for one more ply, where the table does not have it."""


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    seconds: Annotated[float, typer.Option(help="Approximate maximum seconds for each count.")] = 2.0,
) -> None:
    print(f"{'game':<12} {'leaves':>15} {'depth':>5} {'seconds':>8} {'M leaves/s':>11}  position")
    for name in game or GAMES:
        chosen = find_game(name)
        for table in read_tables(Path(games.__file__).parent / name / "positions.perft"):
            print(f"{name:<12} {measure(State.of(chosen, table.position), table, seconds)}  {table.position[:60]}")


def measure(state: State, table: PerftTable, seconds: float) -> str:
    """Return the table row for the greatest depth that the time allows."""
    for depth in (1, 2):
        perft(state, depth)
    line = ""
    for depth in sorted(table.leaves):
        started = perf_counter()
        leaves = perft(state, depth)
        elapsed = perf_counter() - started
        assert leaves == table.leaves[depth], f"depth {depth} gives {leaves}, not {table.leaves[depth]}"
        line = f"{leaves:>15} {depth:>5} {elapsed:>8.3f} {leaves / elapsed / 1e6:>11.1f}"
        deeper = table.leaves.get(depth + 1, leaves * GROWTH)
        if elapsed * deeper / leaves > seconds:
            break
    return line


if __name__ == "__main__":
    typer.run(main)
