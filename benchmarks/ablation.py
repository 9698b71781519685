"""The gain of each search technique: nodes and time to a fixed depth, with only this technique and without it.

    python -m benchmarks.ablation [--game NAME] [--part published|alone|turned|together] [--technique NAME]
                                  [--pairs N] [--nodes N] [--write | --report]

`--part published` measures the table that the program CAMMP publishes for Ming Mang, and prints its figures beside this
search's: alpha-beta with each of its techniques, all of them, and all but one. Other techniques of this search are off.

The baseline is plain alpha-beta: moves in the order of generation, no quiescence search, no table. It also deepens
iteratively, and the nodes of all iterations count, so that it takes somewhat more than a single search to the depth.
Time is processor time, the least of several runs for each position, so that other programs hardly matter. The positions
are those of `benchmarks/positions`.

A second table checks the game's own choice of techniques: nodes and time to a greater depth with each one switched and,
for those that change the result, the gain in Elo in matches with equal nodes. For the others, which only change the
time to the same result, time decides. Ratios are geometric means over positions, since a few positions would dominate
the mean of nodes. These positions are taken at intervals from matches of the search against itself.

`--part together` plays the game's search against the same search without the techniques that the second table has not
shown to pay: each may gain too little for a match to show, but all of them enough.

Each line is printed as soon as it is measured.

`--write` stores the figures and renews the report `benchmarks/ablation.md`, which states the rule for its verdicts.
`--report` only renews the report from the stored figures, for example after a change of what games use.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice
from statistics import fmean
from time import thread_time
from types import MappingProxyType
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, track

from benchmarks.ablation_figures import (
    PUBLISHED,
    PUBLISHED_DEPTH,
    PUBLISHED_GAME,
    PUBLISHED_TECHNIQUES,
    REPORT,
    GameFigures,
    Ratio,
    Row,
    Together,
    Turned,
    format_published,
    format_report,
    format_rows,
    format_turned,
    keep_figures,
    ratio_of,
    read_figures,
)
from benchmarks.engines.elo import PAIR_SCORES, kind_of_pair
from benchmarks.engines.match_play import LONGEST_MATCH, score_of_seat_0
from benchmarks.engines.openings import draw_openings
from benchmarks.positions import read_positions
from millrace.engine.analysis import Analysis, Limits, analyse
from millrace.engine.game import Game, Repetition
from millrace.engine.game.techniques import NO_TECHNIQUES, TECHNIQUES, Techniques
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from millrace.engine.transposition_table import TranspositionTable, new_table

DEPTHS = {"morris": 5, "mingmang": 4, "battlesheep": 4}
USUAL_DEPTH = 4
DEEP_DEPTHS = {"morris": 11, "mingmang": 9, "battlesheep": 10}
USUAL_DEEP_DEPTH = 8
LONGEST = {"mingmang": 240}
"""Maximum plies of a match."""
REPEATS = 3
"""Runs of each position, of which the least time counts."""
MOST_TIMES = 10
"""A search is stopped at this multiple of the nodes of the game's own search, and counts as finished then."""
STRIDE = 5
DRAWING_NODES = 1_000
"""Plies between two positions taken from a match, and nodes for each of its moves."""
DECIDED = 600
"""The lead at which no more positions are taken from a match, in hundredths of a man."""
ONLY_FASTER = ("principal_variation", "table", "table_move")
"""Techniques that only change how soon the same is found. Those that order moves do more: what comes late is reduced
and left out. Two that spared no time, and the null move, made Ming Mang 58 Elo weaker by being dropped."""
TOLD_BY_TABLE = ("table", "table_move")
"""Without these no node knows a move, and the internal reduction would shrink every one: they are judged without it."""

SEED = 1
TABLE_MEGABYTES = 4


class Part(StrEnum):
    """What of the report is measured."""

    PUBLISHED = "published"
    ALONE = "alone"
    TURNED = "turned"
    TOGETHER = "together"


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    part: Annotated[list[Part] | None, typer.Option(help="Parts to measure; the tables by default.")] = None,
    technique: Annotated[list[str] | None, typer.Option(help="Techniques to measure; all by default.")] = None,
    positions: Annotated[int, typer.Option(help="Positions of each game for the second table.")] = 80,
    pairs: Annotated[int, typer.Option(help="Pairs of matches for each technique.")] = 50,
    nodes: Annotated[int, typer.Option(help="Nodes for each move of a match.")] = 3_000,
    write: Annotated[bool, typer.Option("--write", help="Store the figures and renew the report.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Only renew the report from the stored figures.")] = False,
) -> None:
    parts = part or ([Part.TURNED] if technique else [Part.PUBLISHED, Part.ALONE, Part.TURNED])
    measured = technique or list(TECHNIQUES)
    for name in () if report else game or GAMES:
        chosen, texts = find_game(name), read_positions(name)
        depth, deep_depth = DEPTHS.get(name, USUAL_DEPTH), DEEP_DEPTHS.get(name, USUAL_DEEP_DEPTH)
        figures = GameFigures(
            name,
            depth,
            len(texts),
            measure_all(chosen, texts, depth, dict(choices(chosen, measured))) if Part.ALONE in parts else (),
            deep_depth,
            positions,
            turn_all(chosen, measured, deep_depth, positions, pairs, nodes) if Part.TURNED in parts else (),
            measure_together(chosen, pairs, nodes) if Part.TOGETHER in parts else None,
            measure_published(chosen, texts) if Part.PUBLISHED in parts else (),
        )
        tables = format_published(figures), format_rows(figures), format_turned(figures) if figures.turned else ""
        print(*filter(None, tables), sep="\n", flush=True)
        if write:
            keep_figures(figures)
    if write or report:
        REPORT.write_text(format_report(read_figures()), encoding="utf-8")


def choices(game: Game, names: Sequence[str]) -> Iterator[tuple[str, Techniques]]:
    """Yield the compared choices by name: each technique alone, with those that it needs, and each one removed from the
    game's own techniques or added to them."""
    own = game.strength.techniques
    yield "plain alpha-beta", NO_TECHNIQUES
    for name in names:
        added = (*TECHNIQUES[name].needs, name)
        yield f"with {' and '.join(added)}", NO_TECHNIQUES._replace(**dict.fromkeys(added, True))
    yield "all", own
    for name in names:
        is_used = getattr(own, name)
        yield f"all {'but' if is_used else 'and'} {name}", own._replace(**{name: not is_used})


def published_choices() -> Iterator[tuple[str, Techniques]]:
    """Yield the choices of `PUBLISHED` by name, each with what its techniques need here."""
    yield "alpha-beta", NO_TECHNIQUES
    for name in PUBLISHED_TECHNIQUES:
        yield f"with {name}", with_needs((name,))
    yield "all together", with_needs(PUBLISHED_TECHNIQUES)
    for name in PUBLISHED_TECHNIQUES:
        yield f"all but {name}", with_needs(tuple(other for other in PUBLISHED_TECHNIQUES if other != name))


def with_needs(names: Sequence[str]) -> Techniques:
    """Return these techniques and those that they need, and no others. A table without its move would be no table."""
    added = {*names, *(need for name in names for need in TECHNIQUES[name].needs)}
    added |= {"table_move"} if "table" in names else set()
    return NO_TECHNIQUES._replace(**dict.fromkeys(added, True))


def measure_published(game: Game, texts: list[str]) -> tuple[Row, ...]:
    """Return a row for each choice of `PUBLISHED`; none for a game for which nothing was published."""
    if game.name != PUBLISHED_GAME:
        return ()
    return measure_all(game, texts, PUBLISHED_DEPTH, dict(published_choices()), PUBLISHED)


def measure_all(
    game: Game,
    texts: list[str],
    depth: int,
    compared: Mapping[str, Techniques],
    published: Mapping[str, int] = MappingProxyType({}),
) -> tuple[Row, ...]:
    """Return a row for each choice, with a progress bar, and report each as soon as it is measured."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(game.title, total=len(compared))
        rows = []
        for name, techniques in compared.items():
            row = measure(game, texts, depth, name, techniques)
            rows.append(row)
            beside = f"; CAMMP {published[name]:,}" if name in published else ""
            progress.console.print(f"{row.name}: {row.nodes:,.0f} nodes{beside}", highlight=False)
            progress.advance(task)
    return tuple(rows)


def measure(game: Game, texts: list[str], depth: int, name: str, techniques: Techniques) -> Row:
    """Return the average nodes and time of a choice of techniques."""
    table = warm_table(game, techniques)
    found = [[search(game, text, Limits(depth=depth), table, techniques) for _ in range(REPEATS)] for text in texts]
    return Row(name, fmean(runs[0].nodes for runs in found), fmean(map(least_ms, found)))


def warm_table(game: Game, *choices: Techniques) -> TranspositionTable:
    """Compile the searches and return a table for them."""
    table = new_table(TABLE_MEGABYTES)
    for techniques in choices:
        analyse(State.of(game), Limits(depth=1), thread_time, table=table, techniques=techniques)
    return table


def search(game: Game, text: str, limits: Limits, table: TranspositionTable, techniques: Techniques) -> Analysis:
    """Search a position with an empty table that is already allocated."""
    table.clear()
    return analyse(State.of(game, text), limits, thread_time, table=table, techniques=techniques)


def least_ms(runs: Sequence[Analysis]) -> float:
    """Return the least time of several runs of the same search."""
    return min(run.elapsed_ms for run in runs)


def turn_all(
    game: Game, techniques: Sequence[str], depth: int, positions: int, pairs: int, nodes: int
) -> tuple[Turned, ...]:
    """Return the effect of switching each of these techniques, with a progress bar, and report each as soon as it is
    measured."""
    openings = list(islice(draw_openings(game, random.Random(SEED)), pairs))
    texts = list(islice(draw_positions(game), positions))
    turned, console = list[Turned](), Console(stderr=True)
    for technique in track(techniques, game.title, console=console, transient=True):
        effect = turn(game, technique, depth, texts, openings, nodes)
        turned.append(effect)
        console.print(f"without {technique}: {effect.nodes.factor:.2f} times the nodes", highlight=False)
    return tuple(turned)


def draw_positions(game: Game) -> Iterator[str]:
    """Yield position texts from matches of the game's own search against itself, without end."""
    for opening in draw_openings(game, random.Random(SEED + 1)):
        state, table = State.of(game, opening), new_table(TABLE_MEGABYTES)
        for ply in range(LONGEST_MATCH):
            if state.outcome is not None:
                break
            found = analyse(state, Limits(nodes=DRAWING_NODES), thread_time, table=table)
            if abs(found.value) > DECIDED:
                break
            if ply % STRIDE == 0:
                yield state.position_text
            state = state.play_text(best_of(found))


def turn(game: Game, technique: str, depth: int, texts: list[str], openings: list[str], match_nodes: int) -> Turned:
    """Return the effect of a technique in addition to the others that a game uses."""
    own = game.strength.techniques
    if technique in TOLD_BY_TABLE:
        own = own._replace(internal_iterative_reductions=False)
    was_used = getattr(own, technique)
    rival = own._replace(**{technique: not was_used})
    nodes, time = compare_moves(game, texts, depth, own, rival, was_used)
    if technique in ONLY_FASTER:
        return Turned(technique, was_used, nodes, time)
    # Where positions may come back, what lies behind one matters too, and none of these has anything behind it.
    if nodes == Ratio(1, 0) and game.rules.repetition is not Repetition.DRAW_THIRD:
        return Turned(technique, was_used, nodes, time)
    using, lacking = (own, rival) if was_used else (rival, own)
    pairs = tuple(play_pairs(game, openings, using, lacking, match_nodes))
    return Turned(technique, was_used, nodes, time, pairs, match_nodes)


def measure_together(game: Game, pairs: int, nodes: int) -> Together:
    """Return the joint gain of all techniques that the game uses without being shown to pay, with a progress bar."""
    kept = next(figures for figures in read_figures() if figures.game == game.name)
    own, lacking = game.strength.techniques, game.strength.techniques._replace(**dict.fromkeys(kept.unshown, False))
    openings = list(islice(draw_openings(game, random.Random(SEED)), pairs))
    shown = track(openings, game.title, console=Console(stderr=True), transient=True)
    return Together(kept.unshown, tuple(play_pairs(game, shown, own, lacking, nodes)), nodes)


def play_pairs(game: Game, openings: Iterable[str], using: Techniques, lacking: Techniques, nodes: int) -> list[int]:
    """Play each opening from both seats, and return the number of pairs of each kind for the first techniques."""
    pairs = [0] * len(PAIR_SCORES)
    for opening in openings:
        scores = [score_of_first_seat(game, opening, both, nodes) for both in ((using, lacking), (lacking, using))]
        pairs[kind_of_pair(scores[0], 1 - scores[1])] += 1
    return pairs


def compare_moves(
    game: Game, texts: list[str], depth: int, own: Techniques, rival: Techniques, was_used: bool
) -> tuple[Ratio, Ratio]:
    """Return nodes and time to a depth without a technique, divided by those with it."""
    table = warm_table(game, own, rival)
    nodes, times = [], []
    for text in texts:
        runs_of_own, runs_of_rival = [], []
        for _ in range(REPEATS):
            runs_of_own.append(search(game, text, Limits(depth=depth), table, own))
            limits = Limits(depth=depth, nodes=MOST_TIMES * runs_of_own[0].nodes)
            runs_of_rival.append(search(game, text, limits, table, rival))
        sign = 1 if was_used else -1
        nodes.append((runs_of_rival[0].nodes / runs_of_own[0].nodes) ** sign)
        times.append((least_ms(runs_of_rival) / least_ms(runs_of_own)) ** sign)
    return ratio_of(nodes), ratio_of(times)


def score_of_first_seat(game: Game, opening: str, techniques: tuple[Techniques, Techniques], nodes: int) -> float:
    """Play a match with this many nodes for each move, and return the score of seat 0: 1 won, 0 lost."""
    state = State.of(game, opening)
    tables = new_table(TABLE_MEGABYTES), new_table(TABLE_MEGABYTES)
    longest = LONGEST.get(game.name, LONGEST_MATCH)
    while state.outcome is None and state.ply < longest:
        seat, limits = state.seat, Limits(nodes=nodes)
        found = analyse(state, limits, thread_time, table=tables[seat], techniques=techniques[seat])
        state = state.play_text(best_of(found))
    return score_of_seat_0(state)


def best_of(found: Analysis) -> str:
    """Return the move of a search in a state where play is not over."""
    assert found.best_move is not None
    return found.best_move


if __name__ == "__main__":
    typer.run(main)
