"""Whether a child who learned the rules today can beat level 1: matches against one whom a search stands in for.

    python -m benchmarks.beginner [--game NAME] [--pairs N] [--level N] [--seed N]

The beginner takes what can be taken, and chooses among moves by how the board looks after them, which it misjudges by
up to half a man either way: it sees no answer, and no threat. Every fourth ply it plays whatever comes to mind. What it
scores is what people of that kind may hope for; it is no measurement of people.
"""

import random
from itertools import islice
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from benchmarks.engines.match_play import LONGEST_MATCH, score_of_seat_0
from benchmarks.engines.openings import draw_openings
from millrace.engine.analysis import Handicap, Limits, analyse, no_clock
from millrace.engine.bindings import bindings_of
from millrace.engine.game import EngineError
from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table

NOISE = 50
"""In hundredths of a man."""
WHIMS = 0.25
"""How many of its plies are whatever comes to mind."""
OPENING_PLIES = 2


def main(
    game: Annotated[list[str] | None, typer.Option(help="Which games; by default all.")] = None,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of matches of each game.")] = 30,
    level: Annotated[int, typer.Option(min=1, max=8, help="Of the bot.")] = 1,
    seed: Annotated[int, typer.Option(help="What openings, whims and errors follow from.")] = 1,
) -> None:
    """Print how often the beginner wins."""
    for name in game or GAMES:
        openings = list(islice(draw_openings(find_game(name), random.Random(seed), OPENING_PLIES), pairs))
        scores = [
            play(State.of(find_game(name), opening), seat, level, seed * 1_000_003 + number)
            for number, opening in enumerate(track(openings, name, console=Console(stderr=True), transient=True))
            for seat in (0, 1)
        ]
        won, drawn = scores.count(1), scores.count(0.5)
        print(f"{name}: won {won}, drawn {drawn} and lost {len(scores) - won - drawn} of {len(scores)}", flush=True)


def play(state: State, beginner: int, level: int, seed: int) -> float:
    """Play a match and return what the beginner scores in that seat: 1 won, 0 lost."""
    chance = random.Random(seed)
    while state.outcome is None and state.ply < LONGEST_MATCH:
        if state.seat == beginner:
            move = beginners_move(state, chance)
        else:
            move = analyse_at_level(state, level, seed * LONGEST_MATCH + state.ply, no_clock).best_move or ""
        state = state.play_text(move)
    score = score_of_seat_0(state)
    return score if beginner == 0 else 1 - score


def beginners_move(state: State, chance: random.Random) -> str:
    """Return what somebody plays who learned the rules today."""
    if chance.random() < WHIMS:
        return state.format_move(chance.choice(state.legal_moves))
    is_noisy = bindings_of(state.game).is_noisy
    taking = tuple(move for move in state.legal_moves if is_noisy(state.start.board, state.words, move))
    handicap = Handicap(noise=NOISE, seed=chance.getrandbits(62), quiescence=0)
    table = new_table(1)
    found = analyse(state, Limits(depth=1), no_clock, handicap=handicap, table=table, candidates=taking)
    return found.best_move or ""


if __name__ == "__main__":
    try:
        typer.run(main)
    except EngineError as error:
        raise SystemExit(f"error: {error}") from None
