"""The beginner who stands in for a child: it plays by the rules, and takes what can be taken but for a whim."""

import random

from benchmarks.beginner import WHIMS, beginners_move, play
from millrace.engine.games import find_game
from millrace.engine.state import State

MORRIS = find_game("morris")


def test_it_closes_a_mill_but_when_a_whim_takes_it() -> None:
    state, chance = State.of(MORRIS, "WW.....B.......B........ w 7 7"), random.Random(1)
    moves = [beginners_move(state, chance) for _ in range(100)]
    closed = sum(move.startswith("g7x") for move in moves)
    assert (1 - WHIMS) * 100 - 10 <= closed < 100
    assert {state.parse_move(move) for move in moves} <= set(state.legal_moves)


def test_a_match_ends_with_a_score_for_the_seat_that_it_had() -> None:
    won = State.of(MORRIS, "WWW.W..BB............... b 0 0")
    assert won.outcome is not None
    assert (play(won, 0, 1, 1), play(won, 1, 1, 1)) == (1, 0)
    state = State.of(MORRIS, "WWWW.....W.BB..B........ w 0 0")
    assert play(state, 0, 1, 7) in {0, 0.5, 1}
    assert play(state, 0, 1, 7) == play(state, 0, 1, 7)
