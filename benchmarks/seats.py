"""Search with three and four seats: match tables of paranoid, best-reply and max-n search, by pairs.

    python -m benchmarks.seats [--seats K] [--nodes N] [--max-n-nodes N] [--deals N] [--setup TEXT]

A deal is a pasture and a random first ply of each seat. Every assignment of its seats to the two searches is played,
except all to one, so that both have each seat equally often. Each ply has a limit of nodes; max-n (`benchmarks.max_n`)
may have its own, since its nodes differ in cost, and the processor time of a ply is printed with the scores. A seat's
score is 1 for first alone, 0 for last alone, with even steps between; equal ranks share. The error is that of the
difference over deals, since the matches of one deal depend on each other.
"""

import random
from collections.abc import Mapping
from enum import StrEnum
from itertools import combinations, product
from statistics import fmean, stdev
from time import thread_time
from typing import Annotated, NamedTuple, TypeAlias

import typer
from rich.console import Console
from rich.progress import track

from benchmarks import max_n
from millrace.engine.analysis import Limits, analyse, no_clock
from millrace.engine.games import find_game
from millrace.engine.search import OpponentModel
from millrace.engine.state import State
from millrace.engine.transposition_table import TranspositionTable, new_table

GAME = find_game("battlesheep")
TABLE_MEGABYTES = 2


class Hand(StrEnum):
    """A search that takes part."""

    PARANOID = "paranoid"
    BEST_REPLY = "best_reply"
    MAX_N = "max_n"


Pair: TypeAlias = tuple[Hand, Hand]


class Standing(NamedTuple):
    """The result of a seat in a match."""

    rank: float
    """The mean of the places that seats of this rank share, 1 best."""
    score: float
    """1 best, 0 worst."""
    ply_ms: float
    """The average processor time of its plies."""


def main(
    seats: Annotated[list[int] | None, typer.Option(help="Numbers of seats; 3 and 4 by default.")] = None,
    nodes: Annotated[int, typer.Option(help="Nodes for each ply.")] = 2000,
    max_n_nodes: Annotated[int, typer.Option(help="Nodes for each ply of max-n; the same by default.")] = 0,
    deals: Annotated[int, typer.Option(help="Deals of each set-up.")] = 8,
    setup: Annotated[list[str] | None, typer.Option(help="Set-ups without number of seats.")] = None,
) -> None:
    budgets = {hand: max_n_nodes if hand is Hand.MAX_N and max_n_nodes else nodes for hand in Hand}
    print(f"{'seats':>5} {'pasture':<10} {'matches':>7} | search, mean rank, score and ms a ply, twice | difference")
    for number in seats or [3, 4]:
        for hand in Hand:
            choose(dealt(number, "", 0), hand, 1, new_table(TABLE_MEGABYTES))  # compiles it, which is no ply's work
        for pair in combinations(Hand, 2):
            table = [measure(number, text, pair, budgets, deals) for text in setup or ["", "seed=1", "seed=2"]]
            print_row(number, "all", pair, [deal for row in table for deal in row])


def measure(
    seats: int, setup: str, pair: Pair, budgets: Mapping[Hand, int], deals: int
) -> list[list[Mapping[Hand, Standing]]]:
    """Print the row of a pasture and return the results of its deals."""
    starts = [dealt(seats, setup, seed) for seed in range(deals)]
    rows = [
        [play(start, hands, budgets) for hands in product(pair, repeat=seats) if len(set(hands)) > 1]
        for start in track(starts, console=Console(stderr=True), transient=True)
    ]
    print_row(seats, setup or "standard", pair, rows)
    return rows


def dealt(seats: int, setup: str, seed: int) -> State:
    """Return a match in which every seat has made its first ply."""
    chance = random.Random(seed)
    state = State.of(GAME, f"seats={seats} {setup}".strip())
    for _ in range(seats):
        state = state.after(chance.choice(state.legal_moves))
    return state


def play(start: State, hands: tuple[Hand, ...], budgets: Mapping[Hand, int]) -> Mapping[Hand, Standing]:
    """Play a match in which each seat searches as its hand says, and return the mean of each hand's seats."""
    state, tables = start, [new_table(TABLE_MEGABYTES) for _ in hands]
    spent: dict[Hand, list[float]] = {hand: [] for hand in hands}
    while state.outcome is None:
        hand = hands[state.seat]
        began = thread_time()
        move = choose(state, hand, budgets[hand], tables[state.seat])
        spent[hand].append((thread_time() - began) * 1000)
        state = state.after(move)
    ranks = state.outcome.ranks
    means: dict[Hand, Standing] = {}
    for hand, ply_ms in spent.items():
        seats = [seat for seat, holder in enumerate(hands) if holder is hand]
        means[hand] = Standing(
            fmean(rank_of(ranks, seat) for seat in seats), fmean(score_of(ranks, seat) for seat in seats), fmean(ply_ms)
        )
    return means


def choose(state: State, hand: Hand, nodes: int, table: TranspositionTable) -> int:
    """Return the move of a hand."""
    if hand is Hand.MAX_N:
        return max_n.search(state, nodes).move
    found = analyse(state, Limits(nodes=nodes), no_clock, table=table, opponent_model=OpponentModel(hand.value))
    assert found.best_move is not None
    return state.parse_move(found.best_move)


def rank_of(ranks: tuple[int, ...], seat: int) -> float:
    behind, before = sides_of(ranks, seat)
    return (len(ranks) + 1 - behind + before) / 2


def score_of(ranks: tuple[int, ...], seat: int) -> float:
    behind, before = sides_of(ranks, seat)
    return ((behind - before) / (len(ranks) - 1) + 1) / 2


def sides_of(ranks: tuple[int, ...], seat: int) -> tuple[int, int]:
    """Return the number of seats behind a seat and before it."""
    return sum(rank > ranks[seat] for rank in ranks), sum(rank < ranks[seat] for rank in ranks)


def print_row(seats: int, name: str, pair: Pair, deals: list[list[Mapping[Hand, Standing]]]) -> None:
    matches = [match for deal in deals for match in deal]
    columns = "  ".join(column(hand, [match[hand] for match in matches]) for hand in pair)
    differences = [fmean(match[pair[0]].score - match[pair[1]].score for match in deal) for deal in deals]
    error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else float("nan")
    print(
        f"{seats:>5} {name:<10} {len(matches):>7} | {columns} | {fmean(differences):>+7.3f} +-{error:.3f}", flush=True
    )


def column(hand: Hand, standings: list[Standing]) -> str:
    rank, score, ply_ms = (fmean(values) for values in zip(*standings, strict=True))
    return f"{hand:<10} {rank:.3f} {score:.3f} {ply_ms:.2f}"


if __name__ == "__main__":
    typer.run(main)
