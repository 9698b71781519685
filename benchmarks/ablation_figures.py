"""What was measured of each technique, kept as data, and the verdicts and the report that follow from it.

Nothing is measured here: that is `benchmarks.ablation`, which imports this. The figures are `benchmarks/ablation.json`,
the report is `benchmarks/ablation.md`; tests hold the report against the figures, and the games against the verdicts.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from statistics import NormalDist, fmean, stdev

import msgspec

from benchmarks.engines.elo import CONFIDENCE, Estimate, estimate
from engine.games import find_game
from engine.techniques import TECHNIQUES

FIGURES = Path(__file__).parent / "ablation.json"
REPORT = Path(__file__).parent / "ablation.md"

HEADING = """\
# What each technique of the search is worth

Written by `python -m benchmarks.ablation --write`, from figures that are kept in `ablation.json`.

The first table of a game says what a technique does alone, and what all that were in use do without it. It decides
nothing: times, where they were kept, are the least of several runs, but those of a search to so small a depth.

The second asks of every technique whether the game is right to use it. "Without" are nodes and time to a depth without
it over those with it, as geometric means over positions, with their 95%. "Elo" is what using it brings in matches of
equal nodes, so many of so many a move, with its 95%; it is asked of what changes the value that is found. The verdict
follows from these alone:

- *pays*: the lower bound of Elo is above 0; where no matches were played, those of nodes and of time are both above 1;
- *costs*: the upper bound of Elo is below 0; for the others, that of time is below 1;
- *does nothing*: each search took the same nodes with it and without it, and no match was played;
- *not shown*: all else, for which there are too few matches or positions to know;
- *not measured*: nobody had the time yet.

A game uses what pays, and what is wanted for another reason than strength, which the verdict then says; it does not
use what costs or does nothing. What is not shown or not measured is left as it was, unless the search becomes simpler
without it and loses nothing that matches against the search before would show: so some are gone from the code. What was
in use is what each technique was turned round beside as its figures were taken.

Matches of 1,000 nodes a move are for a machine without time: their searches are some five plies deep, where what prunes
and reduces far from the leaves has little to do yet.
"""

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


class Verdict(StrEnum):
    """What the figures say of using a technique; `HEADING` gives the rule."""

    PAYS = "pays"
    COSTS = "costs"
    DOES_NOTHING = "does nothing"
    NOT_SHOWN = "not shown"


class Row(msgspec.Struct, frozen=True):
    """What a choice of techniques takes on average, to a small depth."""

    name: str
    nodes: float
    milliseconds: float | None = None
    """The least of several runs; None where only nodes were kept."""


class Ratio(msgspec.Struct, frozen=True):
    """A geometric mean of ratios with the standard error of its logarithm."""

    factor: float
    error: float

    @property
    def bounds(self) -> tuple[float, float]:
        """What it lies between, with a confidence of 95%."""
        reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * self.error
        return self.factor * math.exp(-reach), self.factor * math.exp(reach)


class Turned(msgspec.Struct, frozen=True):
    """A technique turned round beside the others that its game used: what is seen from the side of using it."""

    technique: str
    was_used: bool
    """As the figures were taken."""
    nodes: Ratio
    time: Ratio
    """To a depth, of the search without it over those of the search with it."""
    pairs: tuple[int, ...] = ()
    """How many pairs of matches of each kind of `benchmarks.engines.elo` the search with it played against the one
    without it; empty if none were played."""
    match_nodes: int = 0
    """For each move of those."""

    @property
    def elo(self) -> Estimate | None:
        """What using it is worth in matches, if some were played."""
        return estimate(self.pairs) if self.pairs else None

    @property
    def verdict(self) -> Verdict:
        """What follows, by the rule of the report's heading."""
        if self.elo is not None:
            high, par = self.elo.high, 0.0
            is_better = self.elo.low > par
        elif self.nodes == Ratio(1, 0):
            return Verdict.DOES_NOTHING
        else:
            high, par = self.time.bounds[1], 1.0
            is_better = self.time.bounds[0] > par and self.nodes.bounds[0] > par
        if is_better:
            return Verdict.PAYS
        return Verdict.COSTS if high < par else Verdict.NOT_SHOWN


class GameFigures(msgspec.Struct, frozen=True):
    """All that was measured of a game."""

    game: str
    depth: int
    positions: int
    rows: tuple[Row, ...]
    deep_depth: int
    deep_positions: int
    turned: tuple[Turned, ...]


def ratio_of(ratios: Sequence[float]) -> Ratio:
    """Return the geometric mean of at least two ratios."""
    logarithms = [math.log(ratio) for ratio in ratios]
    return Ratio(math.exp(fmean(logarithms)), stdev(logarithms) / math.sqrt(len(ratios)))


def read_figures() -> list[GameFigures]:
    """Return what is kept, a game after the other."""
    return msgspec.json.decode(FIGURES.read_bytes(), type=list[GameFigures]) if FIGURES.exists() else []


def keep_figures(measured: GameFigures) -> None:
    """Keep a game's figures in place of its earlier ones, but for rows and techniques that were not measured now."""
    kept = {figures.game: figures for figures in read_figures()}
    before = kept.get(measured.game)
    turned = {each.technique: each for each in (*(before.turned if before else ()), *measured.turned)}
    rows = measured.rows or (before.rows if before else ())
    kept[measured.game] = msgspec.structs.replace(measured, rows=rows, turned=tuple(turned.values()))
    FIGURES.write_bytes(msgspec.json.format(msgspec.json.encode(list(kept.values())), indent=1) + b"\n")


def format_report(figures: Sequence[GameFigures]) -> str:
    """Return the report as Markdown."""
    return "\n".join([HEADING, *(part for each in figures for part in (format_rows(each), format_turned(each)))])


def format_rows(figures: GameFigures) -> str:
    """Return a game's first table: averages, and how many times the nodes of all techniques together they are."""
    whole = next((row for row in figures.rows if row.name == "all"), None)
    if whole is None:
        return ""
    published = CAMMP if figures.game == "mingmang" and figures.depth == 4 else {}
    title = find_game(figures.game).title
    lines = [f"## {title}, to depth {figures.depth}, {figures.positions} positions", ""]
    lines.append("| techniques | nodes | ms | nodes, times all |" + (" CAMMP's nodes |" if published else ""))
    lines.append("|---|---:|---:|---:|" + ("---:|" if published else ""))
    for row in figures.rows:
        took = "" if row.milliseconds is None else f"{row.milliseconds:.2f}"
        line = f"| {row.name} | {row.nodes:,.0f} | {took} | {row.nodes / whole.nodes:.2f} |"
        if published:
            line += f" {published[row.name]:,} |" if row.name in published else " |"
        lines.append(line)
    return "\n".join(lines) + "\n"


def format_turned(figures: GameFigures) -> str:
    """Return a game's second table: what is in use and why, what is not and why not."""
    game = find_game(figures.game)
    lines = [
        f"### {game.title} turned round, to depth {figures.deep_depth} on {figures.deep_positions} positions",
        "",
        "| technique | was in use | nodes without | time without | matches | Elo of using it | verdict | in use |",
        "|---|---|---:|---:|---:|---:|---|---|",
    ]
    measured = {turned.technique: turned for turned in figures.turned}
    for technique in dict.fromkeys((*TECHNIQUES, *measured)):
        is_used = getattr(game.techniques, technique, None)
        in_use = "gone" if is_used is None else _yes_or_no(is_used)
        cells = _format_figures(measured[technique]) if technique in measured else ("", "", "", "", "", "not measured")
        wanted = TECHNIQUES[technique].wanted if is_used else ""
        lines.append(f"| {technique} | {' | '.join(cells)}{wanted and f'; wanted: {wanted}'} | {in_use} |")
    return "\n".join(lines) + "\n"


def _format_figures(turned: Turned) -> tuple[str, ...]:
    """Return the cells between a technique's name and whether it is in use now."""
    matches = f"{2 * sum(turned.pairs)} x {turned.match_nodes:,}" if turned.pairs else ""
    elo = turned.elo
    return (
        _yes_or_no(turned.was_used),
        _format_ratio(turned.nodes),
        _format_ratio(turned.time),
        matches,
        "" if elo is None else f"{elo.elo:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})",
        turned.verdict,
    )


def _yes_or_no(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _format_ratio(ratio: Ratio) -> str:
    low, high = ratio.bounds
    return f"{ratio.factor:.2f} ({low:.2f} to {high:.2f})"
