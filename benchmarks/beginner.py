"""Whether a beginner can beat level 1: matches against a simulated beginner.

    python -m benchmarks.beginner [--game NAME] [--pairs N] [--level N] [--seed N]

The beginner captures what can be captured, and otherwise judges moves by the board after them, wrong by up to half a
man: it sees no answer and no threat. Every fourth ply is random. Its score suggests what real beginners may expect; it
is no measurement of people.
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
"""Noise of its evaluation, in hundredths of a man."""
WHIMS = 0.25
"""The share of random plies."""
OPENING_PLIES = 2


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of matches of each game.")] = 30,
    level: Annotated[int, typer.Option(min=1, max=8, help="Level of the bot.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of openings, random plies and errors.")] = 1,
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
    """Play a match and return the beginner's score in that seat: 1 won, 0 lost."""
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
    """Return the move of the beginner."""
    if chance.random() < WHIMS:
        return state.format_move(chance.choice(state.legal_moves))
    is_noisy = bindings_of(state.game).is_noisy
    captures = tuple(move for move in state.legal_moves if is_noisy(state.start.board, state.words, move))
    handicap = Handicap(noise=NOISE, seed=chance.getrandbits(62), quiescence=0)
    table = new_table(1)
    found = analyse(state, Limits(depth=1), no_clock, handicap=handicap, table=table, candidates=captures)
    return found.best_move or ""


if __name__ == "__main__":
    try:
        typer.run(main)
    except EngineError as error:
        raise SystemExit(f"error: {error}") from None
