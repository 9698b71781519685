"""Takebacks: how many plies one takes back, and the position after it.

Pure, on positions alone. Offering and accepting one is decided in `server.matches.offers`.
"""

from millrace.engine.state import State


def plies_to_take_back(state: State, seat: int) -> int:
    """Return how many plies ago the seat last had a choice; 0 if it never had one."""
    plies = 0
    while state.previous is not None:
        state, plies = state.previous, plies + 1
        if state.seat == seat and state.forced_pass is None:
            return plies
    return 0


def apply_takeback(state: State, plies: int) -> State:
    """Return the position before the latest plies."""
    for _ in range(plies):
        state = state.undo()
    return state
