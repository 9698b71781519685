"""A plain minimax to compare the search with, a search without a clock, and positions for both."""

from millrace.engine.bindings import bindings_of
from millrace.engine.game import Repetition
from millrace.engine.game.techniques import EXACT_TECHNIQUES, Techniques
from millrace.engine.games import find_game
from millrace.engine.search import NO_HANDICAP, Analysis, Handicap, Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN, TranspositionTable

MORRIS = find_game("morris")

PLACING = [
    "........................ w 9 9",
    "W..B...WB.........W..B.. w 6 6",
    "WW.B........B.WB...B...W w 5 5",
    "WWW.B.B...B..WB..W...... b 4 4",
]
"""While men are placed, a position occurs at one ply only, so that a table cannot look deeper than the minimax."""

MOVING = [
    "W.BB.W...W.BB.WB...BW..W w 0 0",
    "WW.....BW..B.WB..B..W.BB b 0 0",
    "WWW.......B.....B......B w 0 0",
    "WBW.B.....W..B.....W.B.. b 0 0",
]


def search(
    state: State,
    depth: int,
    handicap: Handicap = NO_HANDICAP,
    techniques: Techniques = EXACT_TECHNIQUES,
    table: TranspositionTable | None = None,
) -> Analysis:
    return analyse(state, Limits(depth=depth), no_clock, handicap=handicap, techniques=techniques, table=table)


def minimax(state: State, depth: int, quiescence: int, drawn_at: int = 2, ply: int = 0) -> int:
    """Return the value that alpha-beta must find for two seats, by the plainest means.

    A position that occurred `drawn_at` times before is drawn; occurrences since the root count double.
    """
    game, words, board = state.game, state.words, state.start.board
    if ply > 0 and game.rules.repetition is Repetition.DRAW_THIRD and count_repeats(state, ply) >= drawn_at:
        return 0
    if not state.generated_moves:
        assert state.outcome is not None
        mine, theirs = state.outcome.ranks[state.seat], state.outcome.ranks[1 - state.seat]
        return 0 if mine == theirs else WIN - ply if mine < theirs else ply - WIN
    if ply > 0 and game.rules.quiet_limit is not None and state.quiet_plies >= game.rules.quiet_limit:
        return 0
    follows_noise_only, best = depth <= 0, -WIN
    if follows_noise_only:
        best = int(bindings_of(game).evaluate(board, words))
        if depth <= -quiescence:
            return best
    for move in state.generated_moves:
        if follows_noise_only and not bindings_of(game).is_noisy(board, words, move):
            continue
        after = state.after(move)
        if game.rules.repetition is not Repetition.FORBIDDEN or not after.repetitions:
            best = max(best, -minimax(after, depth - 1, quiescence, drawn_at, ply + 1))
    return best


def count_repeats(state: State, ply: int) -> int:
    """Return how often the state came up before, each time double that was not before the root, `ply` plies ago."""
    repeats, earlier, plies = 0, state, 0
    while not earlier.is_fresh and earlier.previous is not None:
        earlier, plies = earlier.previous, plies + 1
        if earlier.identity == state.arrival:
            repeats += 2 if plies <= ply else 1
    return repeats
