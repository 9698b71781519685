"""Ending what is decided, in games that two passes end: whoever leads passes, whoever has lost gives in, and where
neither can win any more both pass.

To a search, shuffling about is worth as much as passing, and a lost match that goes on is worth more than a lost end:
two of them would go on for hundreds of plies after the last that mattered. People expect what they know from Go, and
the program CAMMP is published to pass with more than half the board when its search gains nothing.
"""

from collections.abc import Callable
from typing import TypeAlias

from ..analysis import Analysis
from ..game import NO_MOVE
from ..state import State
from ..transposition_table import PROVEN

PASS_MARGIN = 15
"""Whoever leads but may not have won passes where no move is worth so many hundredths of a man more than to pass, which
must have been searched as deep."""

OPPONENT_PASSES = 3
"""Whoever has lost passes when the opponent has passed so often in a row."""

DECISIVE_LEAD = 800
"""Whoever is ahead by so many hundredths of a man has won: that much a side has only that keeps most of the board."""

MANY_OPPONENT_PASSES = 10
"""Whoever is behind by less passes after so many, and only if still nothing has come of it."""

SearchPass: TypeAlias = Callable[[], Analysis]
"""Searches what comes of passing."""


def may_pass_out(state: State) -> bool:
    """Return whether it may be time to pass, whatever a search will find."""
    passing = state.game.rules.free_pass
    if passing == NO_MOVE or passing not in state.legal_moves or state.start.seats != 2:
        return False
    verdict = state.adjudication
    if verdict is None:
        return False
    if verdict.winner is None:
        return state.is_dead
    return verdict.winner == state.seat or has_opponent_passed(state, OPPONENT_PASSES)


def pass_out_or(found: Analysis, state: State, search_pass: SearchPass) -> Analysis:
    """Return the analysis of passing if it is time to, else what was found, in a state where `may_pass_out` holds."""
    if abs(found.value) > PROVEN:
        return found
    assert state.adjudication is not None
    if state.adjudication.winner is None:
        return search_pass()
    if state.adjudication.winner != state.seat:
        has_lost = found.value <= -DECISIVE_LEAD or (
            found.value < 0 and has_opponent_passed(state, MANY_OPPONENT_PASSES)
        )
        return search_pass() if has_lost else found
    passed = search_pass()
    is_as_good = passed.value >= found.value - PASS_MARGIN and passed.depth >= found.depth
    return passed if is_as_good or min(passed.value, found.value) >= DECISIVE_LEAD else found


def has_opponent_passed(state: State, invitations: int) -> bool:
    """Return whether the opponent's latest plies were passes, so many of them."""
    latest = state.moves[-1 : -2 * invitations : -2]
    return len(latest) == invitations and set(latest) == {state.game.rules.free_pass}
