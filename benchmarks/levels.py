"""The strength of levels and personalities: a round robin among near levels, Elo with its error.

    python -m benchmarks.levels [--game NAME] [--pairs N] [--reach N] [WHO ...]

Each plays those whose level is at most `--reach` away, in pairs of matches that begin alike with seats swapped. Below
the strongest level nothing depends on time, so that the same seed gives the same table. The strongest level takes one
second for a move, as in play, or `--strongest-ms`. The duration depends on the players and the number of pairs: two of
the strongest play about a minute for each match.
"""

import multiprocessing
import os
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations, islice, pairwise
from statistics import fmean
from time import perf_counter
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import track

from benchmarks.engines.ladder import Pairing, standings
from benchmarks.engines.match_play import LONGEST_MATCH, score_of_seat_0
from benchmarks.engines.openings import draw_openings
from millrace.engine.game import EngineError
from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.opponents import OPPONENTS, PERSONALITIES, STRONGEST_LEVEL, find_opponent
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.levels.warm_up import warm_up_search
from millrace.engine.state import State

OPENING_PLIES = 4


class Task(NamedTuple):
    """A pair of matches, as strings and numbers."""

    game: str
    pairing: Pairing
    opening: str
    seed: int
    strongest_ms: int


def main(
    who: Annotated[list[str] | None, typer.Argument(help="Levels and personalities; all by default.")] = None,
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    pairs: Annotated[int, typer.Option(min=2, help="Pairs of matches for each two players.")] = 40,
    reach: Annotated[int, typer.Option(min=1, help="Maximum difference of levels.")] = 2,
    strongest_ms: Annotated[int, typer.Option(min=1, help="Milliseconds of the strongest level for a move.")] = 1000,
    processes: Annotated[int | None, typer.Option(min=1, help="Matches at once.", show_default="cores")] = None,
    seed: Annotated[int, typer.Option(help="Seed of openings and errors.")] = 1,
) -> None:
    context = multiprocessing.get_context("forkserver")
    for name in game or GAMES:
        warm_up_search(find_game(name))  # once here, so that the processes find it in the cache
    with ProcessPoolExecutor(processes or os.cpu_count(), mp_context=context) as pool:
        for name in game or GAMES:
            names = list(dict.fromkeys(find_opponent(each, find_game(name)).name for each in who or OPPONENTS))
            check_comparable(names, reach)
            tasks = tasks_of(name, pairings_of(names, reach), pairs, seed, strongest_ms)
            results: dict[Pairing, list[float]] = {task.pairing: [] for task in tasks}
            pending = {pool.submit(play_pair, task): task for task in tasks}
            console = Console(stderr=True)
            for done in track(as_completed(pending), name, len(pending), console=console, transient=True):
                results[pending[done].pairing].append(done.result())
            print_table(name, names, results, seed)


def check_comparable(names: Sequence[str], reach: int) -> None:
    """Raises: EngineError if the pairings do not connect all players, since then there is no common scale."""
    levels = sorted(find_opponent(name).level for name in names)
    widest = max((above - below for below, above in pairwise(levels)), default=None)
    if widest is None:
        raise EngineError("It takes two to compare.")
    if widest > reach:
        raise EngineError(f"No pairing crosses the gap of {widest} levels: name those between, or --reach {widest}.")


def pairings_of(names: Sequence[str], reach: int) -> list[Pairing]:
    """Return the pairings: all players with near levels."""
    return [
        (one, other)
        for one, other in combinations(names, 2)
        if abs(find_opponent(one).level - find_opponent(other).level) <= reach
    ]


def tasks_of(game: str, pairings: Sequence[Pairing], pairs: int, seed: int, strongest_ms: int) -> list[Task]:
    """Return the pairs of matches; all pairings use the same openings."""
    openings = list(islice(draw_openings(find_game(game), random.Random(seed), OPENING_PLIES), pairs))
    return [
        Task(game, pairing, opening, seed * 1_000_003 + number, strongest_ms)
        for pairing in pairings
        for number, opening in enumerate(openings)
    ]


def play_pair(task: Task) -> float:
    """Return the first player's scores in the two matches of a pair."""
    one, other = task.pairing
    return score_of_first_seat(task, (one, other)) + 1 - score_of_first_seat(task, (other, one))


def score_of_first_seat(task: Task, seats: Pairing) -> float:
    """Play a match and return the score of seat 0: 1 won, 0 lost."""
    state = State.of(find_game(task.game), task.opening)
    while state.outcome is None and state.ply < LONGEST_MATCH:
        who = find_opponent(seats[state.seat])
        movetime_ms = task.strongest_ms if who.level == STRONGEST_LEVEL else None
        # As in the server, a seed for each ply: what was overlooked once may be seen the next time.
        found = analyse_at_level(state, who.name, task.seed * LONGEST_MATCH + state.ply, perf_counter, movetime_ms)
        assert found.best_move is not None
        state = state.play_text(found.best_move)
    return score_of_seat_0(state)


def print_table(game: str, names: Sequence[str], results: dict[Pairing, list[float]], seed: int) -> None:
    """Print ratings, steps between levels, and the score of each level against the next."""
    print(f"{game}, {sum(map(len, results.values())) * 2} matches\n{'who':<10} {'Elo':>6} {'error':>6} {'step':>5}")
    before = None
    for standing in standings(names, results, seed):
        is_level = standing.name not in PERSONALITIES
        step = "" if before is None or not is_level else f"{standing.elo - before:+.0f}"
        before = standing.elo if is_level else before
        print(f"{standing.name:<10} {standing.elo:>+6.0f} {standing.error:>6.0f} {step:>5}")
    scores = (f"{one}-{other} {fmean(found) / 2:.0%}" for (one, other), found in results.items())
    print(f"scores of the first: {', '.join(scores)}\n", flush=True)


if __name__ == "__main__":
    try:
        typer.run(main)
    except EngineError as error:
        raise SystemExit(f"error: {error}") from None
