"""The rematch of a match: who has yet to answer its offer, and the match that follows.

What an answer to the offer means is decided in `server.matches.rematch`.
"""

from millrace.protocol import RematchDeclined, RematchStarted

from ..matches.match import Match
from ..matches.referee import Decision
from ..matches.rematch import is_rematch_agreed, rematch_waits_for
from .bot_moves import Decide
from .room import Room


def absent_seats(room: Room) -> list[int]:
    """Return the seats that have not answered and whose players are absent."""
    match, is_present = room.log.match, room.presence.is_present
    return [seat for seat in sorted(rematch_waits_for(match)) if not is_present(match.holder_of(seat))]


def sit_absent_out(room: Room) -> Decide:
    """Return what has the absent players sit out."""

    def decide_absent(_match: Match, _now_ms: int) -> Decision:
        return Decision([RematchDeclined(seat) for seat in absent_seats(room)])

    return decide_absent


async def open_successor(room: Room) -> Decide:
    """Create the next match, unless that has been done, and return what links this one to it."""
    successor = await room.services.open_rematch(room.log.match)

    def decide_start(match: Match, _now_ms: int) -> Decision:
        return Decision([RematchStarted(successor)] if is_rematch_agreed(match) else [])

    return decide_start


def stop_waiting(room: Room) -> None:
    """Wait no longer for absent players to answer."""
    if room.rematch_timer is not None:
        room.rematch_timer.cancel()
        room.rematch_timer = None
