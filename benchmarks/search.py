"""How deep and how fast the search looks, and its signature: the nodes it takes on fixed positions.

    python -m benchmarks.search [--game NAME] [--movetime MS] [--depth N]

The signature is the total of nodes to a fixed depth; it changes exactly when the search behaves otherwise, and is the
`Bench:` line of a commit that changes it.
"""

from time import perf_counter
from typing import Annotated

import typer

from engine.analysis import Analysis, Limits, analyse
from engine.games import GAMES, find_game
from engine.state import State

POSITIONS = {
    "morris": (
        "",
        "....W..W..BB............ w 7 7",
        "WW.B........B.WB...B...W w 5 5",
        "W.WB.B...B..WB..W...B..W b 3 3",
        "W.BB.W...W.BB.WB...BW..W w 0 0",
        "WW.....BW..B.WB..B..W.BB b 0 0",
        "WBB....BW..W..WBWB.WW... b 0 0",
        "WWW.......B.....B......B b 0 0",
        "WBW.B.....W..B.....W.B.. w 0 0",
    ),
    "mingmang": (
        "",
        "wwwwwwww/w6b/w6b/w6b/w6b/w3b2b/w6b/bbb1bbbb w 0",
        "1w1w2w1/w2b3b/2w4b/w3b2b/1b1w4/w5wb/w2b3b/b1bb1b1b b 0",
        "8/2w2b2/8/1b4w1/8/3bw3/8/b6w b 0",
    ),
    "battlesheep": (
        "",
        "0,0,0,0,.,.,.,./0,0,0,0,0,0,.,./0,0,0,0,0,r16,.,./0,b16,0,0,.,0,0,./.,.,0,0,0,0,0,0/.,.,0,0,0,0,.,. r 2",
        "0,0,0,r4,.,.,.,./0,0,0,0,0,0,.,./0,0,r5,0,0,r7,.,./0,b9,0,b7,.,0,0,./.,.,0,0,0,0,0,0/.,.,0,0,0,0,.,. r 2",
    ),
}
"""By game; a game without an entry is measured from its start."""

DEPTHS = {"morris": 9, "mingmang": 5, "battlesheep": 5}
USUAL_DEPTH = 5


def main(
    game: Annotated[list[str] | None, typer.Option(help="Which games; by default all.")] = None,
    movetime: Annotated[int, typer.Option(help="Milliseconds for each position; 0 for the signature only.")] = 1000,
    depth: Annotated[int, typer.Option(help="Depth of the signature; by default each game's own.")] = 0,
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
    signature = 0
    for position in POSITIONS.get(name, ("",)):
        state = State.of(chosen, position)
        fixed = analyse(state, Limits(depth=depth), perf_counter)
        signature += fixed.nodes
        timed = analyse(state, Limits(movetime_ms=movetime), perf_counter) if movetime else fixed
        print(f"{columns(timed)} | {fixed.elapsed_ms:>11.0f} {fixed.nodes:>12} | {position[:50] or 'start'}")
    print(f"signature of {name}: {signature}\n")


def columns(found: Analysis) -> str:
    speed = found.nodes / max(found.elapsed_ms, 0.001) / 1000
    return f"{found.depth:>5} {found.value:>6} {speed:>9.2f} {found.nodes:>9}"


if __name__ == "__main__":
    typer.run(main)
