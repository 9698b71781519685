"""Positions searched with each technique alone; run as a program with interpreted kernels."""

from typing import NamedTuple

from millrace.engine.game.techniques import EXACT_TECHNIQUES, NO_TECHNIQUES, TECHNIQUES, Techniques
from millrace.engine.games import find_game
from millrace.engine.search import Analysis, Handicap, Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table
from tests.engine.minimax import search


class Case(NamedTuple):
    """A position to search, with the value of a plain minimax."""

    game: str
    position: str
    depth: int
    quiescence: int = 0
    comes_up_once: bool = True
    """Whether no position occurs at two depths, so that a table cannot look deeper than the minimax."""


WALLED = "BBWWWBWB.BWB..W.W.BB.WBW w 0 0"

FEW_SHEEP = "0,r4,0,0/0,0,b4,0/0,0,0,. r 2"

CASES = [
    Case("morris", "W..B...WB.........W..B.. w 6 6", 2, 1),
    Case("morris", "WWW.B.B...B..WB..W...... b 4 4", 3),
    Case("morris", "WW..B.B...B..WB..W...... b 1 2", 2, 1),
    Case("morris", "W.BB.W...W.BB.WB...BW..W w 0 0", 2, 1, comes_up_once=False),
    Case("morris", WALLED, 4, comes_up_once=False),
    Case("battlesheep", FEW_SHEEP, 3),
    Case("battlesheep", "r3,0,0,./.,b3,0,0/b2,0,r2,0 r 2", 6),
    Case("mingmang", "8/2w2b2/8/1b4w1/8/8/8/8 b 0", 2),
    Case("mingmang", "8/2ww1b2/3b4/1b1w2w1/3bw3/8/8/8 w 0", 1, 1),
]

DEEPER_CASES = [
    Case("morris", WALLED, 5, comes_up_once=False),
    Case("battlesheep", FEW_SHEEP, 5),
    Case("mingmang", "8/2w5/8/8/4b3/8/8/8 b 0", 4, comes_up_once=False),
]
"""Deep enough for windows around what the iteration before has found, which here lies outside of them."""

EXACT = [name for name, known in TECHNIQUES.items() if known.is_exact]


def alone(name: str) -> Techniques:
    """Return a technique with those that it needs and no others."""
    return NO_TECHNIQUES._replace(**dict.fromkeys((*TECHNIQUES[name].needs, name), True))


def search_case(case: Case, techniques: Techniques) -> Analysis:
    used = techniques if case.comes_up_once else techniques._replace(table=False)
    handicap = Handicap(quiescence=case.quiescence)
    return search(State.of(find_game(case.game), case.position), case.depth, handicap, used, new_table(1))


def print_exact_values() -> None:
    """Print name, value and nodes for each exact technique alone, for none, and for all exact ones together."""
    compared = {"none": NO_TECHNIQUES, **{name: alone(name) for name in EXACT}, "all": EXACT_TECHNIQUES}
    for name, techniques in compared.items():
        for case in CASES_OF.get(name, CASES):
            found = search_case(case, techniques)
            print(name, found.value, found.nodes)


CASES_OF = {name: [*CASES, *DEEPER_CASES] for name in ("none", "aspiration", "all")}

DECIDED = [
    ("morris", ".B.....B....B..WW.W...W. w 0 0"),
    ("battlesheep", "r3,0,0,./.,b3,0,0/b2,0,r2,0 r 2"),
    ("battlesheep", "r3,0,0/0,b3,0/0,0,0 r 2"),
    ("mingmang", "8/3ww3/2b5/2ww4/8/4w3/8/8 w 0"),
    ("mingmang", "2w5/w1bw4/4w3/2w5/1w6/8/8/8 b 0"),
]

DECIDED_PLIES = 6
"""Positions that are won or lost within so many plies."""

SELECTIVE = [name for name, known in TECHNIQUES.items() if not known.is_exact]


def print_decided_values() -> None:
    """Print name, value and move for each selective technique alone."""
    for name in SELECTIVE:
        for game, position in DECIDED:
            state = State.of(find_game(game), position)
            found = search(state, DECIDED_PLIES, techniques=alone(name), table=new_table(1))
            print(name, found.value, found.best_move)


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
