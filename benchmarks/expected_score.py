"""What a lead is worth: by how many hundredths of a man the odds of winning grow by a factor of e.

    python -m benchmarks.expected_score [--game NAME] [--matches N] [--nodes N]

The engine plays itself from openings by lot; the logistic function of a multiple of what its searches found is fitted
to how the matches ended (draws count half). Games state what comes out, rounded, as `Strength.logistic_scale`.
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
from millrace.server.commands.output import progress_after_a_while
from millrace.server.tuning.self_play import play_matches, players

LOT_PLIES = 8


def main(
    game: Annotated[list[str] | None, typer.Option(help="Which games; by default all.")] = None,
    matches: Annotated[int, typer.Option(min=1, help="Matches of each game.")] = 400,
    nodes: Annotated[int, typer.Option(min=1, help="Of each search.")] = 2_000,
    seed: Annotated[int, typer.Option(help="What the openings are drawn by.")] = 1,
) -> None:
    print(f"{'game':>12} {'matches':>8} {'decided':>8} {'positions':>10} {'logit at':>9}")
    for name in game or GAMES:
        played = play(name, matches, nodes, seed)
        decided = sum(match.result != 0.5 for match in played)
        leads, results = samples_of(played)
        lead = 1 / newton(leads[:, None], results, np.zeros(1), np.zeros(1))[0]
        print(f"{name:>12} {len(played):>8} {decided:>8} {len(leads):>10} {lead:>9.0f}")


def play(name: str, matches: int, nodes: int, seed: int) -> list[TrainingMatch]:
    """Return so many matches of a game."""
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
    """Return what searches found, but for what was proven, and how those matches ended, both from seat 0's view."""
    leads = np.concatenate([match.leads for match in played])
    results = np.concatenate([np.full(len(match.leads), match.result) for match in played])
    is_open = np.abs(leads) < PROVEN
    return leads[is_open], results[is_open]


if __name__ == "__main__":
    typer.run(main)
