"""The logistic scale of a game: the lead that multiplies the odds of winning by e.

    python -m benchmarks.expected_score [--game NAME] [--matches N] [--nodes N]

The engine plays itself from random openings; the logistic function of a multiple of its search values is fitted to the
results of the matches (draws count half). Games use the rounded result as `Strength.logistic_scale`.
"""

from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from millrace.engine.games import GAMES, find_game
from millrace.engine.transposition_table import PROVEN
from millrace.engine.tuning.fitting import newton
from millrace.engine.tuning.self_play import SelfPlaySettings, TrainingMatch
from millrace.engine.weights import shipped_weights
from millrace.server.app.commands.output import progress_after_a_while
from millrace.server.bots.tuning.self_play import play_matches, players

LOT_PLIES = 8


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    matches: Annotated[int, typer.Option(min=1, help="Matches of each game.")] = 400,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of each search.")] = 2_000,
    seed: Annotated[int, typer.Option(help="Seed of the openings.")] = 1,
) -> None:
    print(f"{'game':>12} {'matches':>8} {'decided':>8} {'positions':>10} {'logit at':>9}")
    for name in game or GAMES:
        played = play(name, matches, nodes, seed)
        decided = sum(match.result != 0.5 for match in played)
        leads, results = samples_of(played)
        lead = 1 / newton(leads[:, None], results, np.zeros(1), np.zeros(1))[0]
        print(f"{name:>12} {len(played):>8} {decided:>8} {len(leads):>10} {lead:>9.0f}")


def play(name: str, matches: int, nodes: int, seed: int) -> list[TrainingMatch]:
    """Return this many matches of a game."""
    terms = find_game(name).strength.evaluation
    assert terms is not None
    seeds = [f"{seed}/{index}" for index in range(matches)]
    played = []
    with progress_after_a_while(name, matches) as advance, players(None) as pool:
        for match in play_matches(pool, name, shipped_weights(terms), SelfPlaySettings(nodes, LOT_PLIES), seeds):
            played.append(match)
            advance()
    return played


def samples_of(played: list[TrainingMatch]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the search values that were not proven, and the results of their matches, both from seat 0's view."""
    leads = np.concatenate([match.leads for match in played])
    results = np.concatenate([np.full(len(match.leads), match.result) for match in played])
    is_open = np.abs(leads) < PROVEN
    return leads[is_open], results[is_open]


if __name__ == "__main__":
    typer.run(main)
