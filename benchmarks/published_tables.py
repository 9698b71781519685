"""The tables that the program CAMMP publishes for Ming Mang, measured here, beside its figures.

    python -m benchmarks.published_tables nodes [--depth N]
    python -m benchmarks.published_tables times

`nodes` counts the average nodes to a depth, 4 in CAMMP's table, with each of its techniques alone, with all of them and
with all but one. `times` is the average time to depths 2, 4 and 6, with its techniques, evaluation and even iterations
(`Techniques published`, `Weights published` and `DepthStep 2` of the line protocol), and with those that play here.

CAMMP's averages are over positions of its own, which it does not publish; here they are over `benchmarks/positions`.
"""

from collections.abc import Iterator, Mapping
from statistics import fmean
from time import perf_counter
from typing import Annotated

import typer

from benchmarks.positions import read_positions
from millrace.engine.game import Game
from millrace.engine.game.techniques import NO_TECHNIQUES, PUBLISHED_TECHNIQUES, Techniques
from millrace.engine.games import find_game
from millrace.engine.search import Limits, analyse
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table
from millrace.engine.weights import evaluated_by

GAME = "mingmang"
PUBLISHED_DEPTH = 4
TABLE_MEGABYTES = 4
EVEN = 2

ALONE = {
    "null_move": 237_897,
    "multi_cut": 218_994,
    "table": 166_481,
    "late_move_reductions": 146_167,
    "killers": 64_636,
    "history": 44_851,
    "quiescence": 550_477,
}
"""CAMMP's nodes to depth 4 with alpha-beta and one technique."""
PLAIN, ALL = 243_820, 5_859
ALL_BUT = {
    "late_move_reductions": 21_395,
    "multi_cut": 16_329,
    "quiescence": 9_078,
    "history": 8_996,
    "null_move": 6_739,
    "table": 6_278,
    "killers": 5_870,
}
TIMES_MS = {2: 4.5, 4: 58.0, 6: 1_151.0}
"""CAMMP's milliseconds by depth."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "null_move": ("null_move", "principal_variation"),
    "multi_cut": ("multi_cut", "principal_variation"),
    "table": ("table", "table_move", "two_level_table"),
    "late_move_reductions": ("late_move_reductions", "principal_variation"),
}
"""The techniques of this search that make up one of CAMMP's, where it is not one of the same name."""

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)


@app.command()
def nodes(depth: Annotated[int, typer.Option(min=1, help="Depth in plies.")] = PUBLISHED_DEPTH) -> None:
    """Average nodes to a depth, by technique."""
    game, states = published_states()
    print(f"{'techniques':<28} {'CAMMP':>9} {'part':>7} {'Millrace':>9} {'part':>7}   depth {depth}")
    plain = 0.0
    for name, published, techniques in choices():
        limits = Limits(depth=depth, depth_step=EVEN)
        found = fmean(search(state, limits, techniques, game)[0] for state in states)
        plain = plain or found
        print(f"{name:<28} {published:>9,} {published / PLAIN:>7.4f} {found:>9,.0f} {found / plain:>7.4f}", flush=True)


@app.command()
def times() -> None:
    """Average time to each depth."""
    published, states = published_states()
    usual = find_game(GAME)
    own = [State.of(usual, state.position_text) for state in states]
    print(f"{'depth':>5} {'CAMMP, ms':>10} {'its techniques here, ms':>24} {'Millrace, ms':>13}")
    for depth, milliseconds in TIMES_MS.items():
        limits = Limits(depth=depth, depth_step=EVEN)
        theirs = fmean(search(state, limits, PUBLISHED_TECHNIQUES, published)[1] for state in states)
        ours = fmean(search(state, Limits(depth=depth), usual.strength.techniques, usual)[1] for state in own)
        print(f"{depth:>5} {milliseconds:>10,.1f} {theirs:>24,.2f} {ours:>13,.2f}", flush=True)


def published_states() -> tuple[Game, list[State]]:
    """Return Ming Mang with CAMMP's evaluation, and the positions."""
    game, _ = evaluated_by(find_game(GAME), "published")
    return game, [State.of(game, position) for position in read_positions(GAME)]


def choices() -> Iterator[tuple[str, int, Techniques]]:
    """Yield the name, CAMMP's nodes and the techniques of each row."""
    yield "alpha-beta", PLAIN, NO_TECHNIQUES
    for name, published in ALONE.items():
        yield f"with {name}", published, NO_TECHNIQUES._replace(**dict.fromkeys(PARTS.get(name, (name,)), True))
    yield "all together", ALL, PUBLISHED_TECHNIQUES
    for name, published in ALL_BUT.items():
        left_out = [part for part in PARTS.get(name, (name,)) if part != "principal_variation"]
        yield f"all but {name}", published, PUBLISHED_TECHNIQUES._replace(**dict.fromkeys(left_out, False))


def search(state: State, limits: Limits, techniques: Techniques, game: Game) -> tuple[int, float]:
    """Return the nodes and milliseconds of a search with an empty table, once its kernels are compiled."""
    table = new_table(TABLE_MEGABYTES)
    analyse(State.of(game), Limits(depth=1), perf_counter, table=table, techniques=techniques)
    table.clear()
    found = analyse(state, limits, perf_counter, table=table, techniques=techniques)
    return found.nodes, found.elapsed_ms


if __name__ == "__main__":
    app()
