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

LITTLE = 15
"""Whoever leads but may not have won passes where no move is worth so many hundredths of a man more than to pass, which
must have been searched as deep."""

INVITATIONS = 3
"""Whoever has lost passes when the opponent has passed so often in a row."""

DECISIVE = 800
"""Whoever is ahead by so many hundredths of a man has won: that much a side has only that keeps most of the board."""

MANY_INVITATIONS = 10
"""Whoever is behind by less passes after so many, and only if still nothing has come of it."""

SearchPass: TypeAlias = Callable[[], Analysis]
"""Searches what comes of passing."""


def may_rest(state: State) -> bool:
    """Return whether it may be time to pass, whatever a search will find."""
    passing = state.game.free_pass
    if passing == NO_MOVE or passing not in state.legal_moves or state.start.seats != 2:
        return False
    verdict = state.adjudication
    if verdict is None:
        return False
    if verdict.winner is None:
        return is_dead(state)
    return verdict.winner == state.seat or is_invited(state, INVITATIONS)


def rest_or(found: Analysis, state: State, search_pass: SearchPass) -> Analysis:
    """Return the analysis of passing if it is time to, else what was found, in a state where `may_rest` holds."""
    if abs(found.value) > PROVEN:
        return found
    assert state.adjudication is not None
    if state.adjudication.winner is None:
        return search_pass()
    if state.adjudication.winner != state.seat:
        has_lost = found.value <= -DECISIVE or (found.value < 0 and is_invited(state, MANY_INVITATIONS))
        return search_pass() if has_lost else found
    passed = search_pass()
    is_as_good = passed.value >= found.value - LITTLE and passed.depth >= found.depth
    return passed if is_as_good or min(passed.value, found.value) >= DECISIVE else found


def is_dead(state: State) -> bool:
    """Return whether neither side can win any more unless the other lets it."""
    is_dead_board = state.game.kernels.is_dead
    return is_dead_board is not None and is_dead_board(state.start.board, state.game.position_type(*state.words))


def is_invited(state: State, invitations: int) -> bool:
    """Return whether the opponent's latest plies were passes, so many of them."""
    latest = state.moves[-1 : -2 * invitations : -2]
    return len(latest) == invitations and set(latest) == {state.game.free_pass}
