"""Depth and speed of the search, and its signature: the nodes that it takes on fixed positions.

    python -m benchmarks.search [--game NAME] [--movetime MS] [--depth N]

The signature is the total of nodes to a fixed depth. It changes exactly when the search behaves differently, and is the
`Bench:` line of a commit that changes it.
"""

from time import perf_counter
from typing import Annotated, NamedTuple

import typer

from benchmarks.positions import read_positions
from millrace.engine.game import Game
from millrace.engine.games import GAMES, find_game
from millrace.engine.search import Analysis, Limits, analyse
from millrace.engine.state import State
from millrace.engine.transposition_table import TranspositionTable

PASTURE = "0,0,0,0,.,.,.,./0,0,0,0,0,0,.,./0,0,0,0,0,r16,.,./0,b16,0,0,.,0,0,./.,.,0,0,0,0,0,0/.,.,0,0,0,0,.,. r 2"
"""The 32 cells of Battle Sheep's perft tables, with both stacks placed."""


class Target(NamedTuple):
    """The goal for one core."""

    position: str
    depth: int
    milliseconds: int


TARGETS = {
    "morris": Target("", 14, 1000),
    "mingmang": Target("", 8, 1000),
    "battlesheep": Target(PASTURE, 7, 500),
}

MIDDLE_POSITIONS = 12
"""Positions used from each game's file, besides the start."""

DEPTHS = {"morris": 9, "mingmang": 5, "battlesheep": 5}
USUAL_DEPTH = 5


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    movetime: Annotated[int, typer.Option(help="Milliseconds for each position; 0 for the signature only.")] = 1000,
    depth: Annotated[int, typer.Option(help="Depth of the signature; each game's own by default.")] = 0,
) -> None:
    for name in game or GAMES:
        measure(name, movetime, depth or DEPTHS.get(name, USUAL_DEPTH))


def measure(name: str, movetime: int, depth: int) -> None:
    """Print a game's table and its signature."""
    chosen = find_game(name)
    started = perf_counter()
    analyse(State.of(chosen), Limits(depth=1), perf_counter)
    print(f"{name}: compiled in {perf_counter() - started:.1f} s")
    print(f"{'depth':>5} {'value':>6} {'M nodes/s':>9} {'nodes':>9} | ms and nodes to depth {depth:<3}| position")
    fixed = search_to(chosen, depth)
    for position, found in zip(positions_of(name), fixed, strict=True):
        state = State.of(chosen, position)
        timed = analyse(state, Limits(movetime_ms=movetime), perf_counter) if movetime else found
        print(f"{columns(timed)} | {found.elapsed_ms:>11.0f} {found.nodes:>12} | {position[:50] or 'start'}")
    if movetime and name in TARGETS:
        report_target(chosen, TARGETS[name])
    print(f"signature of {name}: {sum(found.nodes for found in fixed)}\n")


def positions_of(name: str) -> tuple[str, ...]:
    """Return the start of a game and the first positions of its file."""
    return "", *read_positions(name)[:MIDDLE_POSITIONS]


def search_to(game: Game, depth: int, table: TranspositionTable | None = None) -> list[Analysis]:
    """Search each position of a game to a depth, each with empty tables: a given table is cleared."""
    found = []
    for position in positions_of(game.name):
        if table is not None:
            table.clear()
        found.append(analyse(State.of(game, position), Limits(depth=depth), perf_counter, table=table))
    return found


def report_target(game: Game, target: Target) -> None:
    """Print the time that the search takes to the depth of its goal."""
    found = analyse(State.of(game, target.position), Limits(depth=target.depth), perf_counter)
    print(
        f"target: depth {target.depth} from {target.position[:40] or 'the start'} in {target.milliseconds} ms; "
        f"reached in {found.elapsed_ms:.0f} ms, {found.nodes} nodes"
    )


def columns(found: Analysis) -> str:
    speed = found.nodes / max(found.elapsed_ms, 0.001) / 1000
    return f"{found.depth:>5} {found.value:>6} {speed:>9.2f} {found.nodes:>9}"


if __name__ == "__main__":
    typer.run(main)
