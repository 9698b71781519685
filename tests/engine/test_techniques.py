"""The techniques of the search, each switched on and off alone, with kernels as plain Python."""

import os
import subprocess
import sys

from engine.analysis import Limits, Temper, analyse
from engine.games import find_game
from engine.state import State
from engine.table import (
    new_table,
)
from engine.techniques import EXACT_TECHNIQUES, NO_TECHNIQUES, TECHNIQUES, Techniques
from tests.engine.minimax import MORRIS, minimax, no_clock, search


def interpreted_lines(function: str) -> list[str]:
    """Return what a function of this module prints with kernels as plain Python: no search is compiled for it."""
    program = f"from tests.engine import test_techniques; test_techniques.{function}()"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def print_exact_values() -> None:
    """Print name and value for each exact technique alone, for none, and for all exact ones together."""
    alone = {name: NO_TECHNIQUES._replace(**{name: True}) for name in TECHNIQUES if TECHNIQUES[name].is_exact}
    for name, techniques in {**alone, "none": NO_TECHNIQUES, "all": EXACT_TECHNIQUES}.items():
        for position, depth, quiescence in SMALL:
            temper = Temper(quiescence=quiescence if techniques.quiescence else 0)
            found = search(State.of(MORRIS, position), depth, temper, techniques, new_table(1))
            print(name, found.value)


SMALL = [("W.BB.W...W.BB.WB...BW..W w 0 0", 2, 1), ("WW..B.B...B..WB..W...... b 1 2", 2, 1)]
"""A taking among replies, and the last men in hand."""


def test_each_exact_technique_alone_finds_the_value_of_a_plain_minimax() -> None:
    expected = [
        {quiescence: minimax(State.of(MORRIS, position), depth, quiescence) for quiescence in (0, most)}
        for position, depth, most in SMALL
    ]
    lines = [line.split() for line in interpreted_lines("print_exact_values")]
    exact = [name for name in TECHNIQUES if TECHNIQUES[name].is_exact]
    assert [name for name, _ in lines[:: len(SMALL)]] == [*exact, "none", "all"]
    for index, (name, value) in enumerate(lines):
        position, depth, most = SMALL[index % len(SMALL)]
        follows_noise = name in {"quiescence", "all"}
        assert int(value) == expected[index % len(SMALL)][most if follows_noise else 0], (name, position, depth)


def print_moves_of_each_technique() -> None:
    """Print the move found with each technique alone and with all but it, for each game and many seats."""
    everything = Techniques(*(True for _ in TECHNIQUES))
    for name in TECHNIQUES:
        for techniques in (NO_TECHNIQUES._replace(**{name: True}), everything._replace(**{name: False})):
            for game, setup in EVERY_KIND:
                state = State.of(find_game(game), setup)
                limits = Limits(depth=6, nodes=60)
                found = analyse(state, limits, no_clock, table=new_table(1), techniques=techniques)
                is_legal = any(state.format_move(move) == found.best_move for move in state.legal_moves)
                print(is_legal, name, game, setup)


EVERY_KIND = [
    ("morris", "W.BB.W...W.BB.WB...BW..W w 0 0"),
    ("mingmang", "8/2w2b2/8/1b4w1/8/3bw3/8/b6w b 0"),
    ("battlesheep", "0,r9,0,0,0/0,0,b9,0,0/0,0,0,0,0 r 2"),
    ("battlesheep", "0,r9,0,0,0/0,0,b9,0,0/g9,0,0,0,0 b 3"),
    ("battlesheep", "0,r2,0,0,0/0,0,b3,0,y2/g2,0,0,0,0 y 4"),
]


def test_each_technique_can_be_switched_for_every_game_and_number_of_seats() -> None:
    lines = interpreted_lines("print_moves_of_each_technique")
    assert len(lines) == 2 * len(TECHNIQUES) * len(EVERY_KIND)
    assert [line for line in lines if not line.startswith("True")] == []


def test_every_technique_is_told_of() -> None:
    assert tuple(TECHNIQUES) == Techniques._fields
