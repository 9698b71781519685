"""Another match of the same players: who asks for it, who sits out, and whether it begins.

Pure, as the referee is.
"""

from ..protocol import Code, Event, RematchDeclined, RematchOffered
from ..protocol.refusal import Refusal
from .match import Match, Phase


def decide_rematch(match: Match, seat: int) -> Event:
    """Return the event by which a seat asks for another match. Raises: Refusal."""
    _require_rematch_possible(match)
    return RematchOffered(seat)


def decline_rematch(match: Match, seat: int) -> Event:
    """Return the event by which a seat takes no part in another match. Raises: Refusal."""
    _require_rematch_possible(match)
    return RematchDeclined(seat)


def is_rematch_agreed(match: Match) -> bool:
    """Return whether all who take part have offered a rematch that has not begun yet.

    With two seats both must; with more, those who sit out leave a free seat, as long as two people are left.
    """
    if match.phase is not Phase.OVER or match.successor is not None:
        return False
    takers = seats_of_people(match) - sitting_out(match)
    is_enough = takers == seats_of_people(match) or (len(match.players) > 2 and len(takers) > 1)
    return bool(takers) and is_enough and takers <= match.rematch_offers


def rematch_waits_for(match: Match) -> frozenset[int]:
    """Return the seats of the people who have not answered the offer of a rematch."""
    if match.phase is not Phase.OVER or match.successor is not None or not match.rematch_offers:
        return frozenset()
    return seats_of_people(match) - sitting_out(match) - match.rematch_offers


def sitting_out(match: Match) -> frozenset[int]:
    """Return the seats that take no part in a rematch: they declined, or had left and have not asked for it."""
    left = frozenset(departure.seat for departure in match.departures)
    return match.rematch_declined | (left - match.rematch_offers)


def seats_of_people(match: Match) -> frozenset[int]:
    """Return the seats that people hold or held."""
    return frozenset(seat for seat, player in enumerate(match.players) if player is not None and player.level is None)


def _require_rematch_possible(match: Match) -> None:
    if match.phase is not Phase.OVER:
        raise Refusal(Code.NOT_OVER, "The match is not over yet.")
    if match.successor is not None:
        raise Refusal(Code.ALREADY_STARTED, "The rematch has begun.")
    if None in match.players:
        raise Refusal(Code.BAD_SEATS, "The match never had all its players.")
