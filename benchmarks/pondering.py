"""The gain of keeping the transposition table between moves, and of pondering.

    python -m benchmarks.pondering [--game NAME] [--nodes N] [--ponder TIMES] [--moves M] [--opponent LEVEL] [--seed S]

The strongest level plays a bot of another level, which stands for a player. At each of its moves it searches the same
number of nodes from an empty table, from one that was kept, and from ones in which it also pondered, with a multiple of
the nodes: either the position in which the opponent is to move (as the server does), or the one after the expected
reply. It prints the nodes that each took to the greatest depth that all of them reached. Ratios are geometric means of
nodes, so that they are the same on every machine.
"""

from collections.abc import Sequence
from copy import deepcopy
from math import exp, fsum, log
from typing import Annotated, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Printed

from millrace.engine.analysis import Analysis, Limits, analyse, no_clock
from millrace.engine.games import GAMES
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.state import State
from millrace.engine.transposition_table import TranspositionTable, new_table

MEGABYTES = 32
RANDOM_PLIES = 4


class Ratios(NamedTuple):
    """Nodes to a depth at one move, divided by those from an empty table."""

    kept: float
    position: float
    expected: float
    is_hit: bool
    """Whether the expected reply was played."""


def main(
    game: Annotated[list[str] | None, typer.Option()] = None,
    nodes: Annotated[int, typer.Option(min=1_000)] = 300_000,
    ponder: Annotated[float, typer.Option(min=0.1)] = 3,
    moves: Annotated[int, typer.Option(min=1)] = 30,
    opponent: int = 6,
    seed: int = 1,
) -> None:
    """Print the gain of keeping the table and of pondering."""
    printed = Printed(title=f"nodes to one depth over those from an empty table, of {nodes:,} in all")
    for name in ("game", "moves", "table kept", "pondered position", "pondered expected", "expected reply played"):
        printed.add_column(name, justify="right")
    for name in game or [name for name, each in GAMES.items() if 2 in each.seats]:
        ratios = measure(name, nodes, round(ponder * nodes), moves, opponent, seed)
        means = (f"{_geometric_mean(values):.2f}" for values in zip(*(each[:3] for each in ratios), strict=True))
        hits = sum(each.is_hit for each in ratios) / len(ratios)
        printed.add_row(name, str(len(ratios)), *means, f"{hits:.0%}")
    Console(width=110).print(printed)


def measure(name: str, nodes: int, ponder_nodes: int, moves: int, opponent: int, seed: int) -> list[Ratios]:
    """Play matches until this many moves are measured."""
    chance = np.random.default_rng(seed)
    state, table = _start(name, chance), new_table(MEGABYTES)
    ratios: list[Ratios] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(name, total=moves)
        while len(ratios) < moves:
            table, found = _think(state, table, nodes)
            state = state.play_text(found.principal_variation[0])
            answered = _answered(state, opponent, len(ratios))
            if answered.outcome is not None:
                state, table = _start(name, chance), new_table(MEGABYTES)
                continue
            expected = state.play_text(found.principal_variation[1]) if len(found.principal_variation) > 1 else state
            pondered = [_think(each, table, ponder_nodes)[0] for each in (state, expected) if each.outcome is None]
            efforts = [_efforts(answered, each, nodes) for each in (new_table(MEGABYTES), table, *pondered)]
            depth = min(map(max, efforts))
            empty, kept, position, *after_expected = (each[depth] for each in efforts)
            after = after_expected[0] if after_expected else kept
            is_hit = answered.move_texts == expected.move_texts
            ratios.append(Ratios(kept / empty, position / empty, after / empty, is_hit))
            state = answered
            progress.advance(task)
    return ratios


def _answered(state: State, level: int, seed: int) -> State:
    """Return the state after the move of a level, or the same state if play is over."""
    reply = analyse_at_level(state, level, seed, no_clock).best_move
    return state if reply is None else state.play_text(reply)


def _start(name: str, chance: np.random.Generator) -> State:
    state = State.of(GAMES[name])
    for _ in range(RANDOM_PLIES):
        state = state.play(int(chance.choice(state.legal_moves)))
    return state


def _think(state: State, table: TranspositionTable, nodes: int) -> tuple[TranspositionTable, Analysis]:
    """Search with a copy of a table, and return it with the result."""
    copied = deepcopy(table)
    return copied, analyse(state, Limits(nodes=nodes), no_clock, table=copied)


def _efforts(state: State, table: TranspositionTable, nodes: int) -> dict[int, int]:
    """Return, by depth, the nodes that a search with a copy of a table takes to reach it."""
    efforts: dict[int, int] = {}

    def note(found: Analysis) -> None:
        efforts[found.depth] = max(1, found.nodes)

    analyse(state, Limits(nodes=nodes), no_clock, table=deepcopy(table), on_iteration=note)
    return efforts


def _geometric_mean(values: Sequence[float]) -> float:
    return exp(fsum(map(log, values)) / len(values))


if __name__ == "__main__":
    typer.run(main)
