"""A plain minimax to hold the search against, the search without a clock, and positions for both."""

from engine.analysis import PERFECT_TEMPER, Analysis, Limits, Temper, analyse
from engine.games import find_game
from engine.rules import rules_of
from engine.state import State
from engine.table import (
    WIN,
    Table,
)
from engine.techniques import EXACT_TECHNIQUES, Techniques

MORRIS = find_game("morris")

PLACING = [
    "........................ w 9 9",
    "W..B...WB.........W..B.. w 6 6",
    "WW.B........B.WB...B...W w 5 5",
    "WWW.B.B...B..WB..W...... b 4 4",
]
"""While men are placed, a position comes up at one ply only, so that a table cannot look deeper than the minimax."""

MOVING = [
    "W.BB.W...W.BB.WB...BW..W w 0 0",
    "WW.....BW..B.WB..B..W.BB b 0 0",
    "WWW.......B.....B......B w 0 0",
    "WBW.B.....W..B.....W.B.. b 0 0",
]


def no_clock() -> float:
    return 0.0


def search(
    state: State,
    depth: int,
    temper: Temper = PERFECT_TEMPER,
    techniques: Techniques = EXACT_TECHNIQUES,
    table: Table | None = None,
) -> Analysis:
    return analyse(state, Limits(depth=depth), no_clock, temper=temper, techniques=techniques, table=table)


def minimax(state: State, depth: int, quiescence: int, ply: int = 0, seen: tuple[bytes, ...] = ()) -> int:
    """Return the value that alpha-beta must find, by the plainest means."""
    board, rules = state.start.board, rules_of(MORRIS)
    if ply > 0 and state.words.tobytes() in seen[-2::-2]:
        return 0
    if not state.generated_moves:
        return ply - WIN
    if ply > 0 and state.quiet_plies >= 100:
        return 0
    seen = () if state.is_fresh else seen
    moves, best = state.generated_moves, -WIN
    if depth <= 0:
        best = int(rules.evaluate(board, state.words))
        if depth <= -quiescence:
            return best
        moves = tuple(
            move for move in moves if MORRIS.kernels.is_noisy(board, MORRIS.position_type(*state.words), move)
        )
    for move in moves:
        below = minimax(state.after(move), depth - 1, quiescence, ply + 1, (*seen, state.words.tobytes()))
        best = max(best, -below)
    return best
