"""What each technique of the search is worth: nodes and time to a fixed depth, with it alone and with all but it.

    python -m benchmarks.ablation [--game NAME] [--positions N] [--pairs N] [--write]

Plain alpha-beta stands for no technique at all: moves in the order in which they are generated, leaves at the depth,
no table. It deepens iteratively like all others, which without a table teaches it nothing, and the nodes of all
iterations count: somewhat more than one search to the depth alone would take. Time is that of the processor, so that
other programs hardly matter. Positions are those of `benchmarks/positions`. `--write` renews `benchmarks/ablation.md`.

A second table asks which of them the game's own search is right to use: nodes and time to a greater depth without each
(or with it, where it is not used), and for whatever changes what is found, what using it is worth in Elo, by matches of
equal nodes against that. Of the others, which only change how soon the same is found, time says all. Ratios are
geometric means over the positions, of which a few would rule the mean of their nodes.
"""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean, geometric_mean
from time import thread_time
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import Progress, track

from benchmarks.engines.elo import PAIR_SCORES, Estimate, estimate, kind_of_pair
from benchmarks.engines.openings import draw_openings
from benchmarks.engines.playing import LONGEST_MATCH, score_of_seat_0
from benchmarks.positions import read_positions
from engine.analysis import Analysis, Limits, analyse
from engine.game import Game
from engine.games import GAMES, find_game
from engine.state import State
from engine.table import Table, new_table
from engine.techniques import NO_TECHNIQUES, TECHNIQUES, Techniques

DEPTHS = {"morris": 5, "mingmang": 4, "battlesheep": 4}
USUAL_DEPTH = 4
DEEP_DEPTHS = {"morris": 11, "mingmang": 9, "battlesheep": 10}
USUAL_DEEP_DEPTH = 8
MATCH_NODES = 3_000
ONLY_FASTER = {name for name, known in TECHNIQUES.items() if known.is_exact} - {"quiescence", "contempt"}
"""Techniques that only change how soon the same is found."""
TOLD_BY_TABLE = ("table", "table_move")
"""Without these no node knows a move, and the internal reduction would shrink every one: they are judged without it."""

SEED = 1
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


class Rival(NamedTuple):
    """A game's search with one technique turned round, beside the search as it is."""

    technique: str
    is_used: bool
    """By the search as it is."""
    nodes: float
    time: float
    """To a depth, of that search, over those of the search as it is."""
    elo: Estimate | None
    """By how much the search as it is does better in matches; None if none were played."""


class Row(NamedTuple):
    """What a choice of techniques takes on average."""

    name: str
    nodes: float
    milliseconds: float


def main(
    game: Annotated[list[str] | None, typer.Option(help="Which games; by default all.")] = None,
    positions: Annotated[int, typer.Option(help="At most so many of each game.")] = 40,
    depth: Annotated[int, typer.Option(help="In plies; by default each game's own.")] = 0,
    pairs: Annotated[int, typer.Option(help="Pairs of matches against each rival.")] = 50,
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
        plies = DEEP_DEPTHS.get(name, USUAL_DEEP_DEPTH)
        parts.append(format_rivals(chosen, plies, pairs, meet_all(chosen, texts, plies, pairs)))
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
    """Return what a choice of techniques takes on average."""
    found = search_all(game, texts, depth, techniques)
    return Row(name, fmean(each.nodes for each in found), fmean(each.elapsed_ms for each in found))


def search_all(game: Game, texts: list[str], depth: int, techniques: Techniques) -> list[Analysis]:
    """Search every position to a depth, each with an empty table."""
    table = new_table(TABLE_MEGABYTES)
    analyse(State.of(game), Limits(depth=1), thread_time, table=table, techniques=techniques)
    found = []
    for text in texts:
        forget(table)
        found.append(
            analyse(State.of(game, text), Limits(depth=depth), thread_time, table=table, techniques=techniques)
        )
    return found


def forget(table: Table) -> None:
    """Empty a table, so that its memory need not be asked for again."""
    table.entries.fill(0)
    table.experience = None


def meet_all(game: Game, texts: list[str], depth: int, pairs: int) -> list[Rival]:
    """Return what turning each technique round changes, showing how far it is."""
    openings = list(islice(draw_openings(game, random.Random(SEED)), pairs))
    rivals = []
    for technique in track(TECHNIQUES, game.title, console=Console(stderr=True), transient=True):
        own = game.techniques
        if technique in TOLD_BY_TABLE:
            own = own._replace(internal_reduction=False)
        is_used = getattr(own, technique)
        rival = own._replace(**{technique: not is_used})
        found = list(zip(search_all(game, texts, depth, rival), search_all(game, texts, depth, own), strict=True))
        nodes = geometric_mean(of_rival.nodes / of_own.nodes for of_rival, of_own in found)
        time = geometric_mean(of_rival.elapsed_ms / of_own.elapsed_ms for of_rival, of_own in found)
        counts = [0] * len(PAIR_SCORES)
        for opening in () if technique in ONLY_FASTER else openings:
            scores = [score_of_first_seat(game, opening, both) for both in ((own, rival), (rival, own))]
            counts[kind_of_pair(scores[0], 1 - scores[1])] += 1
        rivals.append(Rival(technique, is_used, nodes, time, estimate(counts) if sum(counts) else None))
    return rivals


def score_of_first_seat(game: Game, opening: str, techniques: tuple[Techniques, Techniques]) -> float:
    """Play a match of equal nodes and return what seat 0 scores: 1 won, 0 lost."""
    state = State.of(game, opening)
    tables = new_table(TABLE_MEGABYTES), new_table(TABLE_MEGABYTES)
    while state.outcome is None and state.ply < LONGEST_MATCH:
        seat, limits = state.seat, Limits(nodes=MATCH_NODES)
        found = analyse(state, limits, thread_time, table=tables[seat], techniques=techniques[seat])
        assert found.best_move is not None
        state = state.play_text(found.best_move)
    return score_of_seat_0(state)


def format_rivals(game: Game, depth: int, pairs: int, rivals: list[Rival]) -> str:
    """Return a table as Markdown: what is used and why, what is not and why not."""
    lines = [
        f"### {game.title} turned round, to depth {depth}, and {2 * pairs} matches of {MATCH_NODES:,} nodes a move",
        "",
        "| technique | in use | nodes without | time without | Elo of using it |",
        "|---|---|---:|---:|---:|",
    ]
    for rival in rivals:
        nodes, time, elo = rival.nodes, rival.time, rival.elo
        # Where it is not used, the rival has it: all is seen from the side of using it.
        points = "" if elo is None else f"{elo.elo:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"
        if not rival.is_used:
            nodes, time = 1 / nodes, 1 / time
            points = "" if elo is None else f"{-elo.elo:+.0f} ({-elo.high:+.0f} to {-elo.low:+.0f})"
        lines.append(
            f"| {rival.technique} | {'yes' if rival.is_used else 'no'} | {nodes:.2f} | {time:.2f} | {points} |"
        )
    return "\n".join(lines) + "\n"


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
