"""Swiss pairing: how long the pairing of each round takes, in processor seconds.

    python -m benchmarks.swiss_pairing [--players N] [--rounds N] [--seed N]

The players' results are random, the better player winning more often; one match in a hundred is forfeited.
"""

from dataclasses import replace
from random import Random
from time import process_time
from typing import Annotated

import typer

from millrace.server.tournaments.pairing.swiss import RoundPairings, pair_round
from millrace.server.tournaments.pairing.swiss_history import Colour, Entrant, Result, Round, Swiss

OPPOSITE = {"1": "0", "0": "1", "=": "=", "+": "-"}


def main(
    players: Annotated[int, typer.Option(min=2, help="Number of players.")] = 300,
    rounds: Annotated[int, typer.Option(min=1, max=15, help="Number of rounds.")] = 11,
    seed: Annotated[int, typer.Option(help="Seed of the results.")] = 1,
) -> None:
    random = Random(seed)
    swiss = Swiss(tuple(Entrant(number) for number in range(1, players + 1)), rounds)
    for number in range(1, rounds + 1):
        started = process_time()
        pairings = pair_round(swiss)
        print(f"round {number:>2}  {process_time() - started:>6.2f} s")
        swiss = with_results(swiss, pairings, random)


def with_results(swiss: Swiss, pairings: RoundPairings, random: Random) -> Swiss:
    """Return the tournament after the round."""
    added: dict[int | None, Round] = {pairings.bye: Round(Result.PAIRING_BYE)}
    for white, black in pairings.pairs:
        score = random.choices("1=0+", weights=[50, 30, 19, 1] if white < black else [19, 30, 50, 1])[0]
        added[white] = Round(Result(score), black, Colour.WHITE)
        added[black] = Round(Result(OPPOSITE[score]), white, Colour.BLACK)
    entrants = (replace(each, rounds=(*each.rounds, added[each.number])) for each in swiss.entrants)
    return replace(swiss, entrants=tuple(entrants))


if __name__ == "__main__":
    typer.run(main)
