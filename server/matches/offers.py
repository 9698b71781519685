"""Offers between players: draws, takebacks and pauses, from the offer to what follows when all agree.

Pure. What is special about each kind is in `server.matches.draw_rules`, `takebacks` and `pauses`; which offers are
open is in `server.matches.open_offers`.

Every seat that still plays must agree to a draw. To takebacks and pauses only people must agree, so that a bot never
stands in the way.
"""

from collections.abc import Mapping, Sequence

from ..protocol import Code, Event, OfferAccepted, OfferDeclined, Offered, OfferKind, TakenBack
from ..protocol.refusal import Refusal
from .draw_rules import accepts_draw, agreed_draw, require_draw_possible
from .endings import clocks_ms_of
from .match import Match, Phase
from .open_offers import OpenOffer, ply_after_next_turn
from .pauses import begun_pause, ended_pause, require_no_pause
from .takebacks import plies_to_take_back

_NAMES: Mapping[OfferKind, str] = {"draw": "a draw", "takeback": "a takeback", "pause": "a pause"}


def make_offer(match: Match, seat: int, kind: OfferKind, ply: int | None) -> Event:
    """Return the event by which a seat makes an offer, or accepts the same offer of another. Raises: Refusal.

    `ply` is the last one that the player had seen; None if that does not matter.
    """
    if ply is not None and ply != match.state.ply:
        raise Refusal(Code.OFFER_LAPSED, "A move was made in the meantime, so nothing was offered.")
    _require_possible(match, seat, kind)
    offer = match.offers.find(kind, match.state.ply)
    if offer is not None:
        return _accepted_by_offering(match, offer, seat)
    plies = match.offers.plies_to_wait(seat, kind, match.state.ply, len(match.players))
    if plies:
        raise Refusal(
            Code.OFFER_TOO_SOON, f"You offered {_NAMES[kind]} not long ago; offer it again after {plies} more moves."
        )
    if kind == "takeback":
        return Offered(seat, kind, match.state.ply + 1, plies_to_take_back(match.state, seat))
    return Offered(seat, kind, _lapses_at_ply(match, kind, frozenset({seat})))


def accept_offer(match: Match, seat: int, kind: OfferKind) -> Event:
    """Return the event by which a seat accepts another's offer. Raises: Refusal."""
    offer = _require_open(match, kind)
    if seat in offer.agreed:
        raise Refusal(Code.OFFER_OPEN, "This is your own offer; your opponents have to answer it.")
    return _accepted(match, offer, seat)


def decline_offer(match: Match, seat: int, kind: OfferKind) -> Event:
    """Return the event by which a seat declines an offer, or withdraws its own. Raises: Refusal."""
    _require_open(match, kind)
    return OfferDeclined(seat, kind)


def next_by_agreement(match: Match, now_ms: int) -> Event | None:
    """Return what follows because all have agreed to it, or because a pause has reached its maximum length."""
    if match.pause is not None and now_ms >= match.pause.ends_at_ms:
        return ended_pause(match, None)
    for offer in match.offers.made:
        if match.state.ply < offer.lapses_at_ply and not _unanswered(match, offer.kind, offer.agreed):
            return _agreed(match, offer, now_ms)
    return None


def bot_to_answer(match: Match) -> int | None:
    """Return the seat of a bot that has not answered a draw offer, or None."""
    offer = match.offers.find("draw", match.state.ply) if match.phase is Phase.PLAYING else None
    if offer is None:
        return None
    seats = _unanswered(match, "draw", offer.agreed)
    return next((seat for seat in seats if not match.is_person(seat)), None)


def answer_of_bot(match: Match, seat: int, score: int) -> Event:
    """Return a bot's answer to an open draw offer; `score` is the position's, from the mover's view."""
    offer = match.offers.find("draw", match.state.ply)
    assert offer is not None
    own_score = score if match.state.seat == seat else -score
    if accepts_draw(own_score, match.state.ply):
        return _accepted(match, offer, seat)
    return OfferDeclined(seat, "draw")


def _require_possible(match: Match, seat: int, kind: OfferKind) -> None:
    if kind == "draw":
        require_draw_possible(match)
        return
    require_no_pause(match)
    if match.created.rated:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, f"There is no {kind} in a rated match.")
    if kind == "takeback" and not plies_to_take_back(match.state, seat):
        raise Refusal(Code.OFFER_TOO_SOON, "You have not made a move yet that could be taken back.")


def _accepted_by_offering(match: Match, offer: OpenOffer, seat: int) -> Event:
    if seat in offer.agreed:
        raise Refusal(Code.OFFER_OPEN, "You have offered that already.")
    if offer.kind == "takeback":
        name = match.state.game.seat_names[offer.seat]
        raise Refusal(Code.OFFER_OPEN, f"{name} asks for a takeback; answer that first.")
    return _accepted(match, offer, seat)


def _accepted(match: Match, offer: OpenOffer, seat: int) -> Event:
    if offer.kind == "takeback":
        return OfferAccepted(seat, offer.kind, offer.lapses_at_ply)
    return OfferAccepted(seat, offer.kind, _lapses_at_ply(match, offer.kind, offer.agreed | {seat}))


def _lapses_at_ply(match: Match, kind: OfferKind, agreed: frozenset[int]) -> int:
    state = match.state
    asked = [seat for seat in _unanswered(match, kind, agreed) if match.is_person(seat)]
    return ply_after_next_turn(asked, state.seat, state.ply, len(match.players))


def _unanswered(match: Match, kind: OfferKind, agreed: frozenset[int]) -> Sequence[int]:
    """Return the seats that have not agreed; a player of several seats answers once for all of them."""
    seats = match.staying if kind == "draw" else match.voters
    in_favour = {match.holder_of(seat) for seat in agreed}
    return sorted(seat for seat in seats if match.holder_of(seat) not in in_favour)


def _agreed(match: Match, offer: OpenOffer, now_ms: int) -> Event:
    match offer.kind:
        case "draw":
            return agreed_draw(match, now_ms)
        case "takeback":
            return TakenBack(offer.seat, offer.plies, clocks_ms_of(match, now_ms))
        case "pause":
            return begun_pause(match, now_ms)


def _require_open(match: Match, kind: OfferKind) -> OpenOffer:
    offer = match.offers.find(kind, match.state.ply)
    if offer is None:
        name = _NAMES[kind].capitalize()
        raise Refusal(Code.OFFER_LAPSED, f"{name} is no longer offered: it was answered, or a move was made.")
    return offer
