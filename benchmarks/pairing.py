"""Quick pairing: waiting times, rating differences, and the cost of one wave.

    python -m benchmarks.pairing [--players N] [--minutes M] [--arrivals PER_SECOND] [--seed S] [--wave N]

The first table is a simulation: players with normally distributed ratings arrive at random (Poisson), wait, and are
paired in waves as the server does it, including blocks and recent opponents. It is compared with the exact
maximum-weight matching (networkx, in `pip install '.[bench]'`) of the same waves. The second table is the processor
time of one very large wave.
"""

import random
import time
from itertools import count
from statistics import fmean, quantiles
from typing import Annotated

import networkx
import typer
from rich.console import Console
from rich.progress import track

from millrace.protocol import ClockSettings, CommandId, IdentityId, PairingRequest, Player
from millrace.server.lobby.pairing_groups import Aversions, Seeker, make_groups, pair_weight
from millrace.server.lobby.pools import WAVE_SECONDS, Pools, Search

REQUEST = PairingRequest("morris", 2, ClockSettings(300_000, 3_000), rated=True)
MEAN_RATING, RATING_DEVIATION = 1500, 300
BLOCKS_PER_PLAYER = 0.2
COMMAND = CommandId("benchmark")


class Simulation:
    """A population of players that arrive, wait and play."""

    def __init__(self, players: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.pools = Pools()
        self.idle = [IdentityId(f"p{number}") for number in range(players)]
        self.ratings = {player: round(self.chance.gauss(MEAN_RATING, RATING_DEVIATION)) for player in self.idle}
        self.blocked = {player: self._blocks() for player in self.idle}
        self.waits_s: list[float] = []
        self.gaps: list[int] = []
        self.bound_gaps: list[int] = []

    def run(self, waves: int, arrivals: float) -> None:
        for wave in track(range(waves), console=Console(stderr=True), transient=True):
            now_ms = round(wave * WAVE_SECONDS * 1000)
            self._arrive(arrivals * WAVE_SECONDS, now_ms)
            self._measure_bound(now_ms)
            for pairing in self.pools.hold_wave(REQUEST, frozenset(), self._order(), now_ms):
                one, other = (search.seeker for search in pairing.searches)
                self.gaps.append(abs(one.rating - other.rating))
                self.waits_s += [(now_ms - search.since_ms) / 1000 for search in pairing.searches]
                self.idle += [one.identity, other.identity]

    def _blocks(self) -> frozenset[IdentityId]:
        is_blocking = self.chance.random() < BLOCKS_PER_PLAYER
        return frozenset((self.chance.choice(self.idle),)) if is_blocking else frozenset()

    def _arrive(self, expected: float, now_ms: int) -> None:
        """Add a Poisson-distributed number of players, each at a moment since the last wave."""
        interval_ms = WAVE_SECONDS * 1000
        for _ in range(_poisson(self.chance, expected)):
            if not self.idle:
                return
            index = self.chance.randrange(len(self.idle))
            self.idle[index], self.idle[-1] = self.idle[-1], self.idle[index]
            player = self.idle.pop()
            since_ms = now_ms - round(self.chance.random() * interval_ms)
            seeker = Seeker(player, self.ratings[player])
            self.pools.join(Search(seeker, Player(player, player), REQUEST, COMMAND, since_ms, self.blocked[player]))

    def _order(self) -> list[IdentityId]:
        order = list(self.pools.members(REQUEST))
        self.chance.shuffle(order)
        return order

    def _measure_bound(self, now_ms: int) -> None:
        everyone = self.pools.searches
        pairs = exact_pairs([search.seeker for search in everyone], self.pools.aversions(everyone, now_ms))
        self.bound_gaps += [abs(one.rating - other.rating) for one, other in pairs]


def main(
    players: Annotated[int, typer.Option(help="Number of players.")] = 5_000,
    minutes: Annotated[float, typer.Option(help="Simulated minutes.")] = 30.0,
    arrivals: Annotated[list[float] | None, typer.Option(help="Arrivals per second; several rates by default.")] = None,
    wave: Annotated[list[int] | None, typer.Option(help="Sizes of the timed waves.")] = None,
    seed: Annotated[int, typer.Option()] = 1,
) -> None:
    """Print both tables."""
    print(
        f"{'arrivals/s':>10} {'pairs':>6} | wait s p50 p90 p99 | rating gap mean p90 | exact: pairs, gap mean "
        "| ratio of gaps"
    )
    for rate in arrivals or [0.05, 0.5, 5.0, 20.0]:
        simulation = Simulation(players, seed)
        simulation.run(round(minutes * 60 / WAVE_SECONDS), rate)
        print_row(simulation, rate)
    print(f"\n{'waiting':>10} {'pairs':>6} | ms for one wave, pairs | groups of four | with encounters")
    for size in wave or [1_000, 10_000]:
        print_wave(size, random.Random(seed))


def print_row(simulation: Simulation, rate: float) -> None:
    waits_s, gaps, bound_gaps = simulation.waits_s, simulation.gaps, simulation.bound_gaps
    if len(gaps) < 2:
        print(f"{rate:>10} {len(gaps):>6} | too few")
        return
    p50, p90, p99 = (quantiles(waits_s, n=100)[percent - 1] for percent in (50, 90, 99))
    print(
        f"{rate:>10} {len(gaps):>6} | {p50:>10.1f} {p90:>3.0f} {p99:>3.0f} | {fmean(gaps):>15.1f} "
        f"{quantiles(gaps, n=10)[8]:>3.0f} | {len(bound_gaps):>12} {fmean(bound_gaps):>9.1f} | "
        f"{fmean(gaps) / fmean(bound_gaps):.3f}"
    )


def print_wave(size: int, chance: random.Random) -> None:
    numbers = count()
    seekers = [
        Seeker(IdentityId(f"p{next(numbers)}"), round(chance.gauss(MEAN_RATING, RATING_DEVIATION)), chance.randrange(5))
        for _ in range(size)
    ]
    met = {one.identity: {other.identity: 120} for one, other in zip(seekers, seekers[1:] + seekers[:1], strict=True)}
    pairs, pairs_ms = timed(seekers, 2, {})
    _, fours_ms = timed(seekers, 4, {})
    _, shy_ms = timed(seekers, 2, met)
    print(f"{size:>10} {pairs:>6} | {pairs_ms:>22.0f} | {fours_ms:>14.0f} | {shy_ms:>15.0f}")


def timed(seekers: list[Seeker], seats: int, aversions: Aversions) -> tuple[int, float]:
    """Return the number of groups of a wave, and the best of five times in milliseconds."""
    times_ms = []
    for _ in range(5):
        began = time.process_time()
        groups, _ = make_groups(seekers, seats, aversions)
        times_ms.append((time.process_time() - began) * 1000)
    return len(groups), min(times_ms)


def exact_pairs(seekers: list[Seeker], aversions: Aversions) -> list[tuple[Seeker, Seeker]]:
    """Return the maximum-weight matching of the pairs."""
    graph = networkx.Graph()
    for index, one in enumerate(seekers):
        for other_index in range(index):
            weight = pair_weight(one, seekers[other_index], aversions)
            if weight >= 0:
                graph.add_edge(index, other_index, weight=weight + 1)
    return [(seekers[one], seekers[other]) for one, other in networkx.max_weight_matching(graph)]


def _poisson(chance: random.Random, expected: float) -> int:
    """Return a number of arrivals: how many exponential intervals fit into one unit."""
    number, passed = 0, chance.expovariate(expected)
    while passed < 1:
        number, passed = number + 1, passed + chance.expovariate(expected)
    return number


if __name__ == "__main__":
    typer.run(main)
