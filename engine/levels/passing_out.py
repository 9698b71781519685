"""When to pass in a game where two passes end a match: not while anything is left to play for.

To a search, shuffling is as good as passing, and a lost match that continues is better than one that has ended: without
this, two engines would pass in an open position because of a misjudgement, and then play hundreds of pointless plies.
Players expect this from Go, and the published program CAMMP passes with more than half of the board when its search
gains nothing.

Nothing is left to play for where the result is settled whatever either side plays, as long as the other passes
(`Kernels.is_settled`). There the leading side passes, then the losing side, and both where neither can still win.
"""

from ..game import NO_MOVE
from ..state import State

OPPONENT_PASSES = 3
"""The losing side passes after this many passes of the opponent in a row."""


def barred_passes(state: State) -> tuple[int, ...]:
    """Return the pass where something is left to play for and another move is legal; otherwise nothing."""
    free_pass = state.game.rules.free_pass
    is_barred = _can_pass(state) and len(state.legal_moves) > 1 and not state.is_settled
    return (free_pass,) if is_barred else ()


def passes_out(state: State) -> bool:
    """Return whether the side to move should pass, unless it sees how play ends."""
    if not _can_pass(state) or not state.is_settled:
        return False
    verdict = state.adjudication
    assert verdict is not None
    return verdict.winner in (None, state.seat) or has_opponent_passed(state, OPPONENT_PASSES)


def has_opponent_passed(state: State, times: int) -> bool:
    """Return whether the opponent's latest `times` plies were all passes."""
    latest = state.moves[-1 : -2 * times : -2]
    return len(latest) == times and set(latest) == {state.game.rules.free_pass}


def _can_pass(state: State) -> bool:
    free_pass = state.game.rules.free_pass
    return free_pass != NO_MOVE and state.start.seats == 2 and free_pass in state.legal_moves
