"""Takebacks: how many plies one takes back, and the match after it.

Pure. Offering and accepting one is decided in `server.matches.offers`.
"""

from msgspec.structs import replace

from millrace.engine.state import State
from millrace.protocol import TakenBack

from .match import Match
from .open_offers import OpenOffers


def plies_to_take_back(state: State, seat: int) -> int:
    """Return how many plies ago the seat last had a choice; 0 if it never had one."""
    plies = 0
    while state.previous is not None:
        state, plies = state.previous, plies + 1
        if state.seat == seat and state.forced_pass is None:
            return plies
    return 0


def after_takeback(match: Match, event: TakenBack, at_ms: int) -> Match:
    """Return the match without its latest plies; offers lapse, and no clock gets time back."""
    state = match.state
    for _ in range(event.plies):
        state = state.undo()
    return replace(match.moved_to(state, event.clocks_ms, at_ms), offers=OpenOffers(), taken_back_seq=match.seq)
