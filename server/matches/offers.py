"""Offers between players: draws, takebacks, pauses and substitutions, from the offer to what follows when all agree.

Pure. What is special about each kind is in `server.matches.draw_offers`, `takebacks`, `pauses` and `substitutions`;
which offers are open is in `server.matches.open_offers`.

Every seat that still plays must agree to a draw. To everything else only people must agree, so that a bot never stands
in the way.
"""

from collections.abc import Mapping, Sequence

from millrace.protocol import Code, Event, OfferAccepted, OfferDeclined, Offered, OfferKind, Player, TakenBack
from millrace.protocol.refusal import Refusal

from .draw_offers import accepts_draw, agreed_draw, require_draw_possible
from .endings import clocks_ms_of
from .match import Match, Phase
from .open_offers import OpenOffer, ply_after_next_turn
from .pauses import begun_pause, ended_pause, require_no_pause
from .substitutions import bot_for, freed, next_seated, require_seat_of_bot
from .takebacks import plies_to_take_back
from .tournament_matches import require_no_tournament

_NOT_RATED: Mapping[OfferKind, str] = {
    "takeback": "Takebacks are not allowed in rated matches.",
    "pause": "Pauses are not allowed in rated matches.",
    "hand_over": "Seats cannot be taken over in rated matches.",
    "take_over": "Seats cannot be taken over in rated matches.",
}
_TOO_SOON: Mapping[OfferKind, str] = {
    "draw": "You offered a draw recently; you can offer it again after {plies} more moves.",
    "takeback": "You asked for a takeback recently; you can ask again after {plies} more moves.",
    "pause": "You asked for a pause recently; you can ask again after {plies} more moves.",
    "hand_over": "You asked for a bot recently; you can ask again after {plies} more moves.",
    "take_over": "You asked to replace the bot recently; you can ask again after {plies} more moves.",
}
_LAPSED: Mapping[OfferKind, str] = {
    "draw": "The draw offer is no longer open: it was answered, or a move was made.",
    "takeback": "The request for a takeback is no longer open: it was answered, or a move was made.",
    "pause": "The request for a pause is no longer open: it was answered, or a move was made.",
    "hand_over": "The request for a bot is no longer open: it was answered, or a move was made.",
    "take_over": "The request for a seat is no longer open: it was answered, or a move was made.",
}
_ASKED: Mapping[OfferKind, str] = {
    "takeback": "{name} asks for a takeback; answer that first.",
    "hand_over": "{name} asks for a bot to play on; answer that first.",
}
OFFER_TEXTS = tuple({text: None for texts in (_NOT_RATED, _TOO_SOON, _LAPSED, _ASKED) for text in texts.values()})
"""The messages of refusals above, for translators."""


def make_offer(match: Match, seat: int, kind: OfferKind, ply: int | None, level: int | str | None = None) -> Event:
    """Return the event by which a seat makes an offer, or accepts the same offer of another. Raises: Refusal.

    `ply` is the last one that the player had seen; None if that does not matter. `level` is that of the bot to which
    the seat is handed over.
    """
    if kind == "take_over":
        raise Refusal(Code.OFFER_NOT_POSSIBLE, "Players of the match cannot take over another seat.")
    if ply is not None and ply != match.state.ply:
        raise Refusal(Code.OFFER_LAPSED, "A move was made in the meantime, so nothing was offered.")
    _require_possible(match, seat, kind)
    offer = match.offers.find(kind, match.state.ply)
    if offer is not None:
        return _accepted_by_offering(match, offer, seat)
    _require_patience(match, seat, kind)
    if kind == "takeback":
        return Offered(seat, kind, match.state.ply + 1, plies_to_take_back(match.state, seat))
    bot = bot_for(match, seat, level) if kind == "hand_over" else None
    return Offered(seat, kind, _lapses_at_ply(match, kind, frozenset({seat})), level=bot)


def ask_for_seat(match: Match, seat: int, player: Player) -> Event:
    """Return the event by which a spectator asks to play on for the bot of a seat. Raises: Refusal."""
    require_seat_of_bot(match, seat, player)
    _require_possible(match, seat, "take_over")
    if match.offers.find("take_over", match.state.ply) is not None:
        raise Refusal(Code.OFFER_OPEN, "A spectator has asked for a seat already; wait for the answer.")
    _require_patience(match, seat, "take_over")
    return Offered(seat, "take_over", _lapses_at_ply(match, "take_over", frozenset({seat})), player=player)


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
    seated = next_seated(match)
    if seated is not None:
        return seated
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
    require_no_tournament(match)
    if match.created.rated:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, _NOT_RATED[kind])
    if kind == "takeback" and not plies_to_take_back(match.state, seat):
        raise Refusal(Code.OFFER_TOO_SOON, "You have no move to take back yet.")


def _require_patience(match: Match, seat: int, kind: OfferKind) -> None:
    """Refuse an offer of a kind that the seat made not long ago. Raises: Refusal."""
    plies = match.offers.plies_to_wait(seat, kind, match.state.ply, len(match.players))
    if plies:
        raise Refusal(Code.OFFER_TOO_SOON, _TOO_SOON[kind], plies=plies)


def _accepted_by_offering(match: Match, offer: OpenOffer, seat: int) -> Event:
    if seat in offer.agreed:
        raise Refusal(Code.OFFER_OPEN, "You have offered that already.")
    if offer.kind in ("takeback", "hand_over"):
        name = match.state.game.seat_names[offer.seat]
        raise Refusal(Code.OFFER_OPEN, _ASKED[offer.kind], name=name)
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
        case "hand_over" | "take_over":
            return freed(match, offer)


def _require_open(match: Match, kind: OfferKind) -> OpenOffer:
    offer = match.offers.find(kind, match.state.ply)
    if offer is None:
        raise Refusal(Code.OFFER_LAPSED, _LAPSED[kind])
    return offer
