"""What the strongest level saves, and loses, by ending its search when its move is settled.

    python -m benchmarks.settled [--game NAME] [--nodes N] [--matches N]

Whole searches of N nodes play each match on both sides. Where one would have ended early with another move, a search of
`JUDGING` times the nodes judges both moves. That shows small losses with far fewer matches than `benchmarks.match`
needs, which says what they come to, also where tables are less full:

    python -m benchmarks.match "millrace engine {game}" "millrace engine {game}" --option-a StopWhenSettled=true \\
        --game morris --nodes 1000000 --games 4000 --sprt -15 0
"""

import random
from collections.abc import Sequence
from itertools import islice
from statistics import fmean, stdev
from time import process_time
from typing import Annotated, NamedTuple

import typer

from benchmarks.engines.match_play import LONGEST_MATCH
from benchmarks.engines.openings import draw_openings
from millrace.engine.game import Game
from millrace.engine.games import GAMES, find_game
from millrace.engine.search import Analysis, Limits, analyse
from millrace.engine.search.expected_score import expected_score
from millrace.engine.search.stability import Stability
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table

JUDGING = 2
"""Nodes of a judgement, in those of a whole search."""

MEGABYTES = 16


class Choice(NamedTuple):
    """What ending early would have done at one ply."""

    early: Analysis
    whole: Analysis
    loss: float
    """By the judgement, in expected score."""


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of a whole search.")] = 1_000_000,
    matches: Annotated[int, typer.Option(min=2, help="Matches of each game.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the openings.")] = 1,
) -> None:
    print(f"{'game':<12} {'moves':>6} {'nodes':>6} {'time':>6} {'other move':>10}  lost, thousandths of a match")
    for name in game or GAMES:
        chosen = find_game(name)
        openings = islice(draw_openings(chosen, random.Random(seed)), matches)
        print(table_row(name, [compare(chosen, opening, nodes) for opening in openings]), flush=True)


def compare(game: Game, opening: str, nodes: int) -> list[Choice]:
    """Play a match and return what ending early would have done at each ply with a choice."""
    state, choices = State.of(game, opening), list[Choice]()
    tables = [new_table(MEGABYTES) for _ in range(2)]
    while state.outcome is None and state.ply < LONGEST_MATCH:
        if len(state.legal_moves) == 1:
            state = state.play(state.legal_moves[0])
            continue
        iterations, table = list[Analysis](), tables[state.seat]
        whole = analyse(state, Limits(nodes=nodes), process_time, on_iteration=iterations.append, table=table)
        early = early_end(game, iterations, nodes) or whole
        loss = loss_of(state, early, whole, JUDGING * nodes) if early.best_move != whole.best_move else 0.0
        choices.append(Choice(early, whole, loss))
        assert whole.best_move is not None
        state = state.play_text(whole.best_move)
    return choices


def early_end(game: Game, iterations: Sequence[Analysis], nodes: int) -> Analysis | None:
    """Return the iteration after which the search might have ended, or None."""
    stability, moves = Stability(), list[str | None]()
    for each in iterations:
        moves.append(each.best_move)
        stability.complete_iteration(moves.index(each.best_move), each.value)
        if stability.is_settled(each.nodes / nodes, expected_score(game, each.value)):
            return each
    return None


def loss_of(state: State, early: Analysis, whole: Analysis, nodes: int) -> float:
    """Return what the early move loses against the other one in expected score, by a search of each."""
    table, scores = new_table(MEGABYTES), []
    for found in (whole, early):
        assert found.best_move is not None
        judged = analyse(state, Limits(nodes=nodes), table=table, candidates=(state.parse_move(found.best_move),))
        scores.append(expected_score(state.game, judged.value))
    return scores[0] - scores[1]


def table_row(name: str, matches: list[list[Choice]]) -> str:
    """Return the row of a game: shares, and the mean loss of a side in a match with its 95% error."""
    choices = [choice for match in matches for choice in match]
    nodes, time = (
        sum(getattr(each.early, cost) for each in choices) / sum(getattr(each.whole, cost) for each in choices)
        for cost in ("nodes", "elapsed_ms")
    )
    others = fmean(each.early.best_move != each.whole.best_move for each in choices)
    losses = [1_000 * sum(each.loss for each in match) / 2 for match in matches]
    error = 1.96 * stdev(losses) / len(losses) ** 0.5
    shares = f"{nodes:>6.1%} {time:>6.1%} {others:>10.1%}"
    return f"{name:<12} {len(choices):>6} {shares}  {fmean(losses):.1f} +- {error:.1f}"


if __name__ == "__main__":
    typer.run(main)
