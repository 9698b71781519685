"""The processor time of bots' moves by level, and the share of it that pages can take over.

    python -m benchmarks.page_bots [--game NAME] [--matches N]

Each level plays matches against itself. The mix is that of `benchmarks.capacity`: a share of the bots is of the
strongest level, which stays with the server, and the others are of every other level equally often.
"""

import random
from itertools import islice
from statistics import fmean
from time import process_time
from typing import Annotated

import typer

from benchmarks.capacity import People
from benchmarks.engines.match_play import LONGEST_MATCH
from benchmarks.engines.openings import draw_openings
from millrace.engine.analysis import no_clock
from millrace.engine.game import Game
from millrace.engine.game.skill import STRONGEST_MS
from millrace.engine.games import SHIPPED, find_game
from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.state import State

LEVELS = range(1, STRONGEST_LEVEL)


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    matches: Annotated[int, typer.Option(min=1, help="Matches of each level of a game.")] = 6,
) -> None:
    """Print a row for each game, and the shares."""
    print("ms a move, by level" + "".join(f"{level:>7}" for level in LEVELS) + "     slowest")
    means = []
    for name in game or [each.name for each in SHIPPED]:
        seconds = [seconds_of(find_game(name), level, matches) for level in LEVELS]
        means += [fmean(each) for each in seconds]
        slowest = max(max(each) for each in seconds)
        print(f"{name:<19}" + "".join(f"{fmean(each) * 1e3:>7.1f}" for each in seconds) + f"{slowest * 1e3:>12.0f}")
    strongest = People().strongest
    server_s, page_s = strongest * STRONGEST_MS / 1e3, (1 - strongest) * fmean(means)
    print(f"the mix: {(server_s + page_s) * 1e3:.0f} ms a move, of which levels below the strongest {page_s * 1e3:.1f}")
    print(f"they are {1 - strongest:.0%} of the searches, and {page_s / (server_s + page_s):.1%} of the processor time")


def seconds_of(game: Game, level: int, matches: int) -> list[float]:
    """Return the processor time of each move of a level in matches against itself."""
    chance = random.Random(level)
    times = []
    for opening in islice(draw_openings(game, chance), matches):
        state = State.of(game, opening)
        analyse_at_level(state, level, 0, no_clock)  # compiles
        while state.outcome is None and state.ply < LONGEST_MATCH:
            began = process_time()
            found = analyse_at_level(state, level, chance.randrange(1 << 31), no_clock)
            times.append(process_time() - began)
            assert found.best_move is not None
            state = state.play(state.parse_move(found.best_move))
    return times


if __name__ == "__main__":
    typer.run(main)
