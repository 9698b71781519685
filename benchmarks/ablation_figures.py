"""The measurements of each search technique as data, and the verdicts and the report that follow from them.

`benchmarks.ablation` measures. The figures are in `benchmarks/ablation.json`, the report is `benchmarks/ablation.md`;
tests compare the report with the figures, and the games with the verdicts.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from statistics import NormalDist, fmean, stdev

import msgspec

from benchmarks.engines.elo import CONFIDENCE, Estimate, estimate
from millrace.engine.game.techniques import TECHNIQUES
from millrace.engine.games import find_game

FIGURES = Path(__file__).parent / "ablation.json"
REPORT = Path(__file__).parent / "ablation.md"

HEADING = """\
# The gain of each search technique

Written by `python -m benchmarks.ablation --write`, from the figures in `ablation.json`.

The first table of a game shows each technique alone, and all techniques in use without it. It decides nothing: times,
where they were stored, are the least of several runs, but of searches to a small depth.

The second table checks for every technique whether the game is right to use it. "Without" are nodes and time to a depth
without it, divided by those with it, as geometric means over positions with 95% confidence intervals. "Elo" is the gain
of using it in matches with equal nodes (pairs x nodes for each move), with its 95% confidence interval; it is measured
for techniques that change the value of a search. The verdict follows from these alone:

- *pays*: the lower bound of Elo is above 0; where no matches were played, those of nodes and of time are both above 1;
- *costs*: the upper bound of Elo is below 0; where no matches were played, that of time is below 1;
- *spares*: matches show neither, and the lower bounds of nodes and of time are both above 1: a search to the same depth
  is cheaper, and plays no worse as far as is known;
- *does nothing*: each search took the same nodes with it and without it, and no match was played;
- *not shown*: anything else; there are too few matches or positions to decide;
- *not measured*: there are no figures yet.

A game uses what pays or spares, and what is wanted for a reason other than strength, which the verdict then states.
Techniques whose single gains are too small for matches to show are measured together, against the same search without
all of them: if the lower bound of that Elo is above 0 they stay together, and otherwise they are switched off. Each
technique was switched beside those in use when its figures were taken.

A technique that pays in no game is removed, unless a published table needs it. Commit `60cb8d4` has those that were
removed, with their figures: counter moves, continuation history, razoring and single-reply extensions.

Matches with 1,000 nodes a move are for a machine without time: their searches are about five plies deep, where pruning
and reductions far from the leaves have little effect.
"""

PUBLISHED_GAME, PUBLISHED_DEPTH = "mingmang", 4
PUBLISHED_TECHNIQUES = (
    *("null_move", "multi_cut", "table", "late_move_reductions", "killers", "history", "quiescence"),
)
"""The techniques of the program CAMMP, in the order of its table."""
PUBLISHED = {
    "alpha-beta": 243_820,
    "with null_move": 237_897,
    "with multi_cut": 218_994,
    "with table": 166_481,
    "with late_move_reductions": 146_167,
    "with killers": 64_636,
    "with history": 44_851,
    "with quiescence": 550_477,
    "all together": 5_859,
    "all but late_move_reductions": 21_395,
    "all but multi_cut": 16_329,
    "all but quiescence": 9_078,
    "all but history": 8_996,
    "all but null_move": 6_739,
    "all but table": 6_278,
    "all but killers": 5_870,
}
"""Average nodes to depth 4 in Ming Mang as CAMMP publishes them, over positions of its own."""


class Verdict(StrEnum):
    """The verdict on a technique; `HEADING` states the rule."""

    PAYS = "pays"
    COSTS = "costs"
    SPARES = "spares"
    DOES_NOTHING = "does nothing"
    NOT_SHOWN = "not shown"


class Row(msgspec.Struct, frozen=True):
    """The average nodes and time of a choice of techniques, to a small depth."""

    name: str
    nodes: float
    milliseconds: float | None = None
    """The least of several runs; None where only nodes were stored."""


class Ratio(msgspec.Struct, frozen=True):
    """A geometric mean of ratios with the standard error of its logarithm."""

    factor: float
    error: float

    @property
    def bounds(self) -> tuple[float, float]:
        """Its 95% confidence interval."""
        reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * self.error
        return self.factor * math.exp(-reach), self.factor * math.exp(reach)


class Turned(msgspec.Struct, frozen=True):
    """The effect of a technique in addition to the others that a game uses, from the view of using it."""

    technique: str
    was_used: bool
    """Whether the game used it when the figures were taken."""
    nodes: Ratio
    time: Ratio
    """Nodes or time to a depth without it, divided by those with it."""
    pairs: tuple[int, ...] = ()
    """Pairs of matches of each kind of `benchmarks.engines.elo` for the search with it against the one without; empty
    if none were played."""
    match_nodes: int = 0
    """Nodes for each move of those matches."""

    @property
    def elo(self) -> Estimate | None:
        """Its gain in matches, if some were played."""
        return estimate(self.pairs) if self.pairs else None

    @property
    def verdict(self) -> Verdict:
        """The verdict by the rule in the report's heading."""
        is_sooner = self.time.bounds[0] > 1 and self.nodes.bounds[0] > 1
        if self.elo is None:
            if self.nodes == Ratio(1, 0):
                return Verdict.DOES_NOTHING
            if is_sooner:
                return Verdict.PAYS
            return Verdict.COSTS if self.time.bounds[1] < 1 else Verdict.NOT_SHOWN
        if self.elo.low > 0:
            return Verdict.PAYS
        if self.elo.high < 0:
            return Verdict.COSTS
        return Verdict.SPARES if is_sooner else Verdict.NOT_SHOWN


class Together(msgspec.Struct, frozen=True):
    """Several techniques of small gain, measured together."""

    techniques: tuple[str, ...]
    pairs: tuple[int, ...]
    """Pairs of matches of each kind for the search with all of them against the one with none."""
    match_nodes: int

    @property
    def elo(self) -> Estimate:
        """The gain of all of them in matches."""
        return estimate(self.pairs)

    @property
    def is_paying(self) -> bool:
        """Whether they stay, by the rule of the report's heading."""
        return self.elo.low > 0


class GameFigures(msgspec.Struct, frozen=True):
    """All measurements of a game."""

    game: str
    depth: int
    positions: int
    rows: tuple[Row, ...]
    deep_depth: int
    deep_positions: int
    turned: tuple[Turned, ...]
    together: Together | None = None
    published: tuple[Row, ...] = ()
    """The choices of `PUBLISHED`, measured here."""

    @property
    def unshown(self) -> tuple[str, ...]:
        """The techniques that the game uses although none is shown to pay by itself."""
        shown = {turned.technique for turned in self.turned if turned.verdict in {Verdict.PAYS, Verdict.SPARES}}
        used = find_game(self.game).strength.techniques
        return tuple(
            name
            for name, technique in TECHNIQUES.items()
            if getattr(used, name) and name not in shown and not technique.wanted
        )


def ratio_of(ratios: Sequence[float]) -> Ratio:
    """Return the geometric mean of at least two ratios."""
    logarithms = [math.log(ratio) for ratio in ratios]
    return Ratio(math.exp(fmean(logarithms)), stdev(logarithms) / math.sqrt(len(ratios)))


def read_figures() -> list[GameFigures]:
    """Return the stored figures of each game."""
    return msgspec.json.decode(FIGURES.read_bytes(), type=list[GameFigures]) if FIGURES.exists() else []


def keep_figures(measured: GameFigures) -> None:
    """Store a game's figures, keeping earlier ones that were not measured again."""
    kept = {figures.game: figures for figures in read_figures()}
    before = kept.get(measured.game)
    turned = {each.technique: each for each in (*(before.turned if before else ()), *measured.turned)}
    rows = {row.name: row for row in (*(before.rows if before else ()), *measured.rows)}
    kept[measured.game] = msgspec.structs.replace(
        measured,
        rows=tuple(rows.values()),
        turned=tuple(turned.values()),
        together=measured.together or (before.together if before else None),
        published=measured.published or (before.published if before else ()),
    )
    FIGURES.write_bytes(msgspec.json.format(msgspec.json.encode(list(kept.values())), indent=1) + b"\n")


def format_report(figures: Sequence[GameFigures]) -> str:
    """Return the report as Markdown."""
    parts = (part for each in figures for part in (format_published(each), format_rows(each), format_turned(each)))
    return "\n".join([HEADING, *filter(None, parts)])


def format_published(figures: GameFigures) -> str:
    """Return the table that CAMMP publishes, with both programs' figures; empty for other games."""
    if not figures.published:
        return ""
    title = find_game(figures.game).title
    plain = {row.name: row for row in figures.published}["alpha-beta"].nodes
    lines = [
        f"## {title}, the table that CAMMP publishes, to depth {PUBLISHED_DEPTH}",
        "",
        f"Average nodes of CAMMP over positions of its own, and of this search on {figures.positions} positions with",
        "the same techniques and no others, except those that one of them needs here: null windows for the null move,",
        "multi-cut and reductions. Each also as a part of the program's own alpha-beta.",
        "",
        "| techniques | CAMMP's nodes | part | Millrace's nodes | part |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in figures.published:
        known = PUBLISHED[row.name]
        part_there, part_here = known / PUBLISHED["alpha-beta"], row.nodes / plain
        lines.append(f"| {row.name} | {known:,} | {part_there:.4f} | {row.nodes:,.0f} | {part_here:.4f} |")
    return "\n".join(lines) + "\n"


def format_rows(figures: GameFigures) -> str:
    """Return a game's first table: averages, and nodes relative to all techniques together."""
    whole = next((row for row in figures.rows if row.name == "all"), None)
    if whole is None:
        return ""
    title = find_game(figures.game).title
    lines = [f"## {title}, to depth {figures.depth}, {figures.positions} positions", ""]
    lines += ["| techniques | nodes | ms | nodes, times all |", "|---|---:|---:|---:|"]
    for row in figures.rows:
        took = "" if row.milliseconds is None else f"{row.milliseconds:.2f}"
        lines.append(f"| {row.name} | {row.nodes:,.0f} | {took} | {row.nodes / whole.nodes:.2f} |")
    return "\n".join(lines) + "\n"


def format_turned(figures: GameFigures) -> str:
    """Return a game's second table: the techniques in use and not in use, with reasons."""
    game = find_game(figures.game)
    lines = [
        f"### {game.title} turned round, to depth {figures.deep_depth} on {figures.deep_positions} positions",
        "",
        "| technique | was in use | nodes without | time without | matches | Elo of using it | verdict | in use |",
        "|---|---|---:|---:|---:|---:|---|---|",
    ]
    measured = {turned.technique: turned for turned in figures.turned}
    for technique in dict.fromkeys((*TECHNIQUES, *measured)):
        is_used = getattr(game.strength.techniques, technique, None)
        in_use = "gone" if is_used is None else _yes_or_no(is_used)
        cells = _format_figures(measured[technique]) if technique in measured else ("", "", "", "", "", "not measured")
        wanted = TECHNIQUES[technique].wanted if is_used else ""
        lines.append(f"| {technique} | {' | '.join(cells)}{wanted and f'; wanted: {wanted}'} | {in_use} |")
    if figures.together is not None:
        lines += ["", _format_together(figures.together)]
    return "\n".join(lines) + "\n"


def _format_together(together: Together) -> str:
    """Return the text about the techniques that were measured together."""
    names, verdict = ", ".join(together.techniques), "they pay" if together.is_paying else "they are not missed"
    return f"Together {names}: {_format_elo(together.elo)} in {_format_matches(together)}, so {verdict}."


def _format_figures(turned: Turned) -> tuple[str, ...]:
    """Return the cells between a technique's name and whether it is in use now."""
    elo = turned.elo
    return (
        _yes_or_no(turned.was_used),
        _format_ratio(turned.nodes),
        _format_ratio(turned.time),
        "" if elo is None else _format_matches(turned),
        "" if elo is None else _format_elo(elo),
        turned.verdict,
    )


def _format_matches(played: Turned | Together) -> str:
    return f"{2 * sum(played.pairs)} x {played.match_nodes:,}"


def _format_elo(elo: Estimate) -> str:
    return f"{elo.elo:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"


def _yes_or_no(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _format_ratio(ratio: Ratio) -> str:
    low, high = ratio.bounds
    return f"{ratio.factor:.2f} ({low:.2f} to {high:.2f})"
