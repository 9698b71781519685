"""What each technique of the search is worth: nodes and time to a fixed depth, with it alone and with all but it.

    python -m benchmarks.ablation [--game NAME] [--positions N] [--write]

Plain alpha-beta stands for no technique at all: moves in the order in which they are generated, leaves at the depth,
no table. It deepens iteratively like all others, which without a table teaches it nothing, and the nodes of all
iterations count: somewhat more than one search to the depth alone would take. Time is that of the processor, so that
other programs hardly matter. Positions are those of `benchmarks/positions`. `--write` renews `benchmarks/ablation.md`.
"""

from collections.abc import Iterator
from pathlib import Path
from time import thread_time
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import Progress

from benchmarks.positions import read_positions
from engine.analysis import Limits, analyse
from engine.game import Game
from engine.games import GAMES, find_game
from engine.state import State
from engine.table import Table, new_table
from engine.techniques import NO_TECHNIQUES, TECHNIQUES, Techniques

DEPTHS = {"morris": 5, "mingmang": 4, "battlesheep": 4}
USUAL_DEPTH = 4
TABLE_MEGABYTES = 4
HEADING = "# What each technique of the search is worth\n\nWritten by `python -m benchmarks.ablation --write`.\n"
REPORT = Path(__file__).parent / "ablation.md"

CAMMP = {
    "plain alpha-beta": 243_820,
    "with null_move": 237_897,
    "with multi_cut": 218_994,
    "with table": 166_481,
    "with late_move_reductions": 146_167,
    "with killers": 64_636,
    "with history": 44_851,
    "with quiescence": 550_477,
    "all": 5_859,
    "all but late_move_reductions": 21_395,
    "all but multi_cut": 16_329,
    "all but quiescence": 9_078,
    "all but history": 8_996,
    "all but null_move": 6_739,
    "all but table": 6_278,
    "all but killers": 5_870,
}
"""Average nodes to depth 4 in Ming Mang as the program CAMMP publishes them, over positions of its own."""


class Row(NamedTuple):
    """What a choice of techniques takes on average."""

    name: str
    nodes: float
    milliseconds: float


def main(
    game: Annotated[list[str] | None, typer.Option(help="Which games; by default all.")] = None,
    positions: Annotated[int, typer.Option(help="At most so many of each game.")] = 40,
    depth: Annotated[int, typer.Option(help="In plies; by default each game's own.")] = 0,
    write: Annotated[bool, typer.Option("--write", help="Renew the committed report.")] = False,
) -> None:
    parts = []
    for name in game or GAMES:
        chosen = find_game(name)
        texts = read_positions(name)[:positions]
        plies = depth or DEPTHS.get(name, USUAL_DEPTH)
        rows = measure_all(chosen, texts, plies)
        parts.append(format_table(chosen, len(texts), plies, rows))
        print(parts[-1], flush=True)
    if write:
        REPORT.write_text("\n".join([HEADING, *parts]), encoding="utf-8")


def choices(game: Game) -> Iterator[tuple[str, Techniques]]:
    """Yield what is compared, by name: each technique added to none, and taken from the game's own or added to them."""
    own = game.techniques
    yield "plain alpha-beta", NO_TECHNIQUES
    for name in TECHNIQUES:
        if name == "table_move":
            yield "with table and table_move", NO_TECHNIQUES._replace(table=True, table_move=True)
        else:
            yield f"with {name}", NO_TECHNIQUES._replace(**{name: True})
    yield "all", own
    for name in TECHNIQUES:
        is_used = getattr(own, name)
        yield f"all {'but' if is_used else 'and'} {name}", own._replace(**{name: not is_used})


def measure_all(game: Game, texts: list[str], depth: int) -> list[Row]:
    """Return a row for each choice, showing how far it is."""
    compared = list(choices(game))
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(game.title, total=len(compared))
        rows = []
        for name, techniques in compared:
            rows.append(measure(game, texts, depth, name, techniques))
            progress.advance(task)
    return rows


def measure(game: Game, texts: list[str], depth: int, name: str, techniques: Techniques) -> Row:
    """Search every position to a depth, each with an empty table."""
    table = new_table(TABLE_MEGABYTES)
    analyse(State.of(game), Limits(depth=1), thread_time, table=table, techniques=techniques)
    nodes, milliseconds = 0, 0.0
    for text in texts:
        forget(table)
        found = analyse(State.of(game, text), Limits(depth=depth), thread_time, table=table, techniques=techniques)
        nodes += found.nodes
        milliseconds += found.elapsed_ms
    return Row(name, nodes / len(texts), milliseconds / len(texts))


def forget(table: Table) -> None:
    """Empty a table, so that its memory need not be asked for again."""
    table.entries.fill(0)


def format_table(game: Game, positions: int, depth: int, rows: list[Row]) -> str:
    """Return a table as Markdown: averages, and how many times the nodes of all techniques together they are."""
    whole = next(row for row in rows if row.name == "all")
    published = CAMMP if game.name == "mingmang" and depth == 4 else {}
    lines = [f"## {game.title}, to depth {depth}, {positions} positions", ""]
    lines.append("| techniques | nodes | ms | nodes, times all |" + (" CAMMP's nodes |" if published else ""))
    lines.append("|---|---:|---:|---:|" + ("---:|" if published else ""))
    for row in rows:
        line = f"| {row.name} | {row.nodes:,.0f} | {row.milliseconds:.2f} | {row.nodes / whole.nodes:.2f} |"
        if published:
            line += f" {published[row.name]:,} |" if row.name in published else " |"
        lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    typer.run(main)
