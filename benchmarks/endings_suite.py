"""What the search sees of solved endings: 1,000 won and lost positions of Nine Men's Morris with their distances.

    python -m benchmarks.endings_suite [--nodes N ...] [--milliseconds MS ...] [--techniques "usual -futility"]
    python -m benchmarks.endings_suite --draw FOLDER > benchmarks/positions/morris_endings.txt

A position is seen once an iteration returns a win for the side that wins. Each is searched without tables of endings,
with an empty transposition table. Milliseconds are of processor time. `--draw` makes the suite from a folder of tables,
which `millrace tablebase build` writes; the same tables and `--seed` give the same suite.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from time import process_time
from typing import Annotated, NamedTuple

import typer

from benchmarks.positions import FOLDER
from millrace.engine.game.techniques import Techniques, choose_techniques
from millrace.engine.games import find_game
from millrace.engine.games.morris.tablebase_index import men_of
from millrace.engine.search import Analysis, Limits, analyse
from millrace.engine.state import State
from millrace.engine.tablebase.endings import random_placement
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.verdicts import verdict_of_code
from millrace.engine.transposition_table import PROVEN, new_table
from millrace.server.bots.tablebases.folder import TablebaseFolder

GAME = find_game("morris")
SUITE = FOLDER / "morris_endings.txt"

POSITIONS = 1_000
LEAST_MEN, MOST_MEN = 9, 13
LEAST_PLIES, MOST_PLIES = 5, 41
"""Nearer ends are seen at once, and farther ones not at all."""

TRIES = 300
"""Placements drawn for one position of a table; tables with fewer decided ones are left out."""

USUAL_NODES = (100_000, 600_000, 2_000_000)
MEGABYTES = 32
BANDS = ((5, 11), (12, 20), (21, 41))
"""Distances that are reported together, in plies."""


class Ending(NamedTuple):
    """A decided position."""

    text: str
    result: int
    """1 if the side to move wins, -1 if it loses."""
    plies: int
    """With best play of both sides."""


class Sight(NamedTuple):
    """What it took to see the result of an ending; infinite if it was not seen."""

    nodes: float
    milliseconds: float


def main(
    nodes: Annotated[list[int] | None, typer.Option(min=1, help="Limits of nodes.")] = None,
    milliseconds: Annotated[list[int] | None, typer.Option(min=1, help="Limits of time, instead of nodes.")] = None,
    techniques: Annotated[str, typer.Option(help="Techniques of the search, as the option of that name.")] = "usual",
    positions: Annotated[int, typer.Option(min=1, help="Number of positions.")] = POSITIONS,
    draw: Annotated[Path | None, typer.Option(help="Write a suite from the tables of this folder.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the suite.")] = 1,
) -> None:
    if draw is not None:
        tablebase = TablebaseFolder(draw, checks=False).tablebase(GAME.name)
        if tablebase is None:
            raise SystemExit(f"error: {draw} has no tables; millrace tablebase build --up-to 6-6 builds enough.")
        write_suite(draw_suite(tablebase, random.Random(seed), positions))
        return
    used = choose_techniques(techniques, GAME.strength.techniques)
    bounds = milliseconds or nodes or USUAL_NODES
    most = max(bounds)
    limits = Limits(movetime_ms=most) if milliseconds else Limits(nodes=most)
    endings = read_suite()[:positions]
    seen = [sight_of(ending, limits, used) for ending in endings]
    costs = [each.milliseconds if milliseconds else each.nodes for each in seen]
    print(f"{'plies':>8} {'endings':>8}" + "".join(f"{bound:>11,}" for bound in bounds))
    for least, largest in (*BANDS, (LEAST_PLIES, MOST_PLIES)):
        chosen = [cost for ending, cost in zip(endings, costs, strict=True) if least <= ending.plies <= largest]
        shares = "".join(f"{share_within(chosen, bound):>11.1%}" for bound in bounds)
        print(f"{f'{least}-{largest}':>8} {len(chosen):>8}{shares}")


def share_within(costs: Sequence[float], bound: float) -> float:
    """Return the share of costs of at most a bound."""
    return sum(cost <= bound for cost in costs) / max(len(costs), 1)


def draw_suite(tablebase: Tablebase, chance: random.Random, count: int) -> Iterator[Ending]:
    """Yield different decided positions, from each table of 9 to 13 men in turn."""
    tables = [men for men in map(men_of, sorted(tablebase.names)) if LEAST_MEN <= sum(men) <= MOST_MEN]
    drawn = set[str]()
    for men in cycle(tables):
        for _ in range(TRIES):
            state = random_placement(tablebase, men, chance.randrange)
            ending = ending_of(tablebase, state)
            if ending is not None and ending.text not in drawn:
                drawn.add(ending.text)
                yield ending
                break
        if len(drawn) == count:
            return


def ending_of(tablebase: Tablebase, state: State) -> Ending | None:
    """Return a position with its result, if it is decided at a distance of the suite."""
    code = None if state.outcome is not None else tablebase.unlimited_code_of(state)
    verdict = None if code is None else verdict_of_code(code)
    if verdict is None or verdict.plies is None or not LEAST_PLIES <= verdict.plies <= MOST_PLIES:
        return None
    return Ending(state.position_text, verdict.result, verdict.plies)


def write_suite(endings: Iterator[Ending]) -> None:
    """Print the lines of a suite."""
    print("# morris: decided endings, made by python -m benchmarks.endings_suite --draw FOLDER. First the plies to the")
    print("# end with best play, negative where the side to move loses.")
    for ending in endings:
        print(f"{ending.result * ending.plies} {ending.text}", flush=True)


def read_suite() -> list[Ending]:
    """Return the endings of the suite."""
    lines = [line for line in SUITE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [
        Ending(text, 1 if int(plies) > 0 else -1, abs(int(plies)))
        for plies, _, text in (line.partition(" ") for line in lines)
    ]


def sight_of(ending: Ending, limits: Limits, techniques: Techniques) -> Sight:
    """Search an ending until its result is seen, or to the limits."""
    found = list[Analysis]()

    def note(iteration: Analysis) -> None:
        if not found and ending.result * iteration.value > PROVEN:
            found.append(iteration)

    analyse(
        State.of(GAME, ending.text),
        limits,
        process_time,
        on_iteration=note,
        should_stop=lambda: bool(found),
        table=new_table(MEGABYTES),
        techniques=techniques,
    )
    return Sight(found[0].nodes, found[0].elapsed_ms) if found else Sight(float("inf"), float("inf"))


if __name__ == "__main__":
    typer.run(main)
