"""Passing out decided games, where two passes end a match: the leading side passes, then the losing side, and both pass
if neither can still win.

To a search, shuffling is as good as passing, and a lost match that continues is better than one that has ended: without
this, two engines would play hundreds of pointless plies. Players expect this from Go, and the published program CAMMP
passes with more than half of the board when its search gains nothing.
"""

from collections.abc import Callable
from typing import TypeAlias

from ..analysis import Analysis
from ..game import NO_MOVE
from ..state import State
from ..transposition_table import PROVEN

PASS_MARGIN = 15
"""The leading side passes if its best move gains at most this much over a pass, in hundredths of a man, searched to the
same depth."""

OPPONENT_PASSES = 3
"""The losing side passes after this many passes of the opponent in a row, if it is behind by `DECISIVE_LEAD`."""

DECISIVE_LEAD = 800
"""A lead that only a side with most of the board has, in hundredths of a man."""

MANY_OPPONENT_PASSES = 10
"""The losing side passes after this many passes of the opponent in a row, even with a small deficit."""

SearchPass: TypeAlias = Callable[[], Analysis]
"""Searches the position after a pass."""


def may_pass_out(state: State) -> bool:
    """Return whether passing may be right here, depending on a search."""
    free_pass = state.game.rules.free_pass
    if free_pass == NO_MOVE or free_pass not in state.legal_moves or state.start.seats != 2:
        return False
    verdict = state.adjudication
    if verdict is None:
        return False
    if verdict.winner is None:
        return state.is_dead
    return verdict.winner == state.seat or has_opponent_passed(state, OPPONENT_PASSES)


def pass_out_or(found: Analysis, state: State, search_pass: SearchPass) -> Analysis:
    """Return the analysis of a pass if passing is right, else `found`. Requires `may_pass_out(state)`."""
    if abs(found.value) > PROVEN:
        return found
    assert state.adjudication is not None
    if state.adjudication.winner is None:
        return search_pass()
    if state.adjudication.winner != state.seat:
        is_lost = found.value <= -DECISIVE_LEAD or (
            found.value < 0 and has_opponent_passed(state, MANY_OPPONENT_PASSES)
        )
        return search_pass() if is_lost else found
    passed = search_pass()
    is_as_good = passed.value >= found.value - PASS_MARGIN and passed.depth >= found.depth
    return passed if is_as_good or min(passed.value, found.value) >= DECISIVE_LEAD else found


def has_opponent_passed(state: State, times: int) -> bool:
    """Return whether the opponent's latest `times` plies were all passes."""
    latest = state.moves[-1 : -2 * times : -2]
    return len(latest) == times and set(latest) == {state.game.rules.free_pass}
