"""Rematches: who offers one, who sits out, and whether all have agreed.

Pure. The timer that waits for absent players is in `server.rooms.automation`.
"""

from msgspec.structs import replace

from millrace.protocol import Code, Event, RematchDeclined, RematchOffered
from millrace.protocol.refusal import Refusal

from .match import Match, Phase


def offer_rematch(match: Match, seat: int) -> Event:
    """Return the event by which a seat offers a rematch. Raises: Refusal."""
    _require_rematch_possible(match)
    return RematchOffered(seat)


def decline_rematch(match: Match, seat: int) -> Event:
    """Return the event by which a seat declines a rematch. Raises: Refusal."""
    _require_rematch_possible(match)
    return RematchDeclined(seat)


def is_rematch_agreed(match: Match) -> bool:
    """Return whether all who take part have offered a rematch, and it has not started yet.

    With two seats both must; with more, seats may sit out and become free, as long as two people are left.
    """
    if match.phase is not Phase.OVER or match.successor is not None:
        return False
    takers = seats_of_people(match) - sitting_out(match)
    is_enough = takers == seats_of_people(match) or (len(match.players) > 2 and len(takers) > 1)
    return bool(takers) and is_enough and takers <= match.rematch_offers


def rematch_waits_for(match: Match) -> frozenset[int]:
    """Return the seats of the people who have not answered the rematch offer."""
    if match.phase is not Phase.OVER or match.successor is not None or not match.rematch_offers:
        return frozenset()
    return seats_of_people(match) - sitting_out(match) - match.rematch_offers


def sitting_out(match: Match) -> frozenset[int]:
    """Return the seats that sit a rematch out: they declined it, or had left and have not offered it."""
    departed = frozenset(departure.seat for departure in match.departures)
    return match.rematch_declined | (departed - match.rematch_offers)


def seats_of_people(match: Match) -> frozenset[int]:
    """Return the seats that people hold or held."""
    return frozenset(seat for seat in range(len(match.players)) if match.is_person(seat))


def after_rematch_answer(match: Match, event: RematchOffered | RematchDeclined) -> Match:
    """Return the match after a seat has offered or declined a rematch."""
    seat, others = event.seat, match.rematch_offers - {event.seat}
    if isinstance(event, RematchOffered):
        return replace(match, rematch_offers=others | {seat}, rematch_declined=match.rematch_declined - {seat})
    # With two seats nobody is left to play with, so the other offer ends too.
    offers = others if len(match.players) > 2 else frozenset()
    return replace(match, rematch_offers=offers, rematch_declined=match.rematch_declined | {seat})


def _require_rematch_possible(match: Match) -> None:
    if match.phase is not Phase.OVER:
        raise Refusal(Code.NOT_OVER, "The match is not over yet.")
    if match.successor is not None:
        raise Refusal(Code.ALREADY_STARTED, "The rematch has already started.")
    if None in match.players:
        raise Refusal(Code.BAD_SEATS, "This match never had all its players.")
