"""Which `Opposition` plays better where three and four seats play: a match table.

    python -m benchmarks.seats [--seats K] [--nodes N] [--deals N] [--setup TEXT]

A deal is a pasture and a first ply of each seat at random; every way of handing its seats to the two is played, except
to give all to one, so that both have each seat equally often. Each ply may cost so many nodes. A seat's score is 1 for
being alone first, 0 for being alone last, and even steps between; ranks are shared alike. The error is that of the
difference over deals, since the matches of one deal depend on one another.
"""

import random
from collections.abc import Mapping
from itertools import product
from statistics import fmean, stdev
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import track

from engine.analysis import Limits, analyse
from engine.games import find_game
from engine.search import Opposition
from engine.state import State
from engine.table import new_table

GAME = find_game("battlesheep")
TABLE_MEGABYTES = 2


class Standing(NamedTuple):
    """How a seat came out of a match."""

    rank: float
    """The mean of the places that the seats of its rank share, 1 best."""
    score: float
    """1 best, 0 worst."""


def main(
    seats: Annotated[list[int] | None, typer.Option(help="How many play; by default 3, and 4.")] = None,
    nodes: Annotated[int, typer.Option(help="For each ply.")] = 2000,
    deals: Annotated[int, typer.Option(help="Of each set-up.")] = 8,
    setup: Annotated[list[str] | None, typer.Option(help="Besides the number of seats; by default three.")] = None,
) -> None:
    print(
        f"{'seats':>5} {'pasture':<10} {'matches':>7} | mean rank and score of {' and '.join(Opposition)} | difference"
    )
    for number in seats or [3, 4]:
        table = [measure(number, text, nodes, deals) for text in setup or ["", "seed=1", "seed=2"]]
        print_row(number, "all", [deal for row in table for deal in row])


def measure(seats: int, setup: str, nodes: int, deals: int) -> list[list[Mapping[Opposition, Standing]]]:
    """Print the row of a pasture and return what came of its deals."""
    starts = [dealt(seats, setup, seed) for seed in range(deals)]
    rows = [
        [play(start, hands, nodes) for hands in product(Opposition, repeat=seats) if len(set(hands)) > 1]
        for start in track(starts, console=Console(stderr=True), transient=True)
    ]
    print_row(seats, setup or "standard", rows)
    return rows


def dealt(seats: int, setup: str, seed: int) -> State:
    """Return a match in which every seat has made its first ply."""
    chance = random.Random(seed)
    state = State.of(GAME, f"seats={seats} {setup}".strip())
    for _ in range(seats):
        state = state.after(chance.choice(state.legal_moves))
    return state


def play(state: State, hands: tuple[Opposition, ...], nodes: int) -> Mapping[Opposition, Standing]:
    """Play a match in which each seat searches as its hand says, and return the means of each hand's seats."""
    tables = [new_table(TABLE_MEGABYTES) for _ in hands]
    while state.outcome is None:
        hand, table = hands[state.seat], tables[state.seat]
        found = analyse(state, Limits(nodes=nodes), lambda: 0.0, table=table, opposition=hand)
        assert found.best_move is not None
        state = state.play_text(found.best_move)
    standings = [standing_of(state.outcome.ranks, seat) for seat in range(len(hands))]
    return {
        opposition: Standing(
            *(fmean(values) for values in zip(*(standings[seat] for seat in seats_of(hands, opposition)), strict=True))
        )
        for opposition in Opposition
    }


def seats_of(hands: tuple[Opposition, ...], opposition: Opposition) -> list[int]:
    return [seat for seat, hand in enumerate(hands) if hand is opposition]


def standing_of(ranks: tuple[int, ...], seat: int) -> Standing:
    behind = sum(rank > ranks[seat] for rank in ranks)
    before = sum(rank < ranks[seat] for rank in ranks)
    score = (behind - before) / (len(ranks) - 1)
    return Standing((len(ranks) + 1 - behind + before) / 2, (score + 1) / 2)


def print_row(seats: int, name: str, deals: list[list[Mapping[Opposition, Standing]]]) -> None:
    first, second = Opposition
    matches = [match for deal in deals for match in deal]
    columns = "  ".join(
        f"{fmean(match[one].rank for match in matches):>10.3f} {fmean(match[one].score for match in matches):.3f}"
        for one in (first, second)
    )
    differences = [fmean(match[first].score - match[second].score for match in deal) for deal in deals]
    error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else float("nan")
    print(
        f"{seats:>5} {name:<10} {len(matches):>7} | {columns} | {fmean(differences):>+7.3f} +-{error:.3f}", flush=True
    )


if __name__ == "__main__":
    typer.run(main)
