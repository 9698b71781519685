"""What players settle among themselves at the board: draws, takebacks, pauses, time given away.

Pure, as the referee is: it is told who asks and the time, and returns events that are not stored yet.

Who is asked: for a draw every seat that still plays, for all else only people, so that a bot never stands in the way.
"""

from collections.abc import Sequence

from millrace.engine.state import State

from ..protocol import (
    AcceptOffer,
    BoardCommand,
    Code,
    DeclineOffer,
    Ended,
    EndPause,
    Event,
    GiveTime,
    IdentityId,
    Offer,
    OfferAccepted,
    OfferDeclined,
    Offered,
    OfferKind,
    Paused,
    PauseEnded,
    TakenBack,
    Termination,
    TimeGiven,
)
from ..protocol.refusal import Refusal
from .departures import rank_behind
from .match import Match, Phase
from .open_offers import (
    MORE_TIME_MS,
    MOST_MORE_MS,
    PAUSE_GRACE_MS,
    PAUSE_MS,
    OpenOffer,
    first_ply_of,
    is_draw_taken,
)

_WORDS: dict[OfferKind, str] = {"draw": "a draw", "takeback": "a takeback", "pause": "a pause"}


def decide_at_board(match: Match, command: BoardCommand, now_ms: int) -> Event:
    """Return the event to which a command of a seat that still plays leads. Raises: Refusal."""
    match command:
        case Offer(seat=seat, kind=kind, ply=ply):
            return _decide_offer(match, seat, kind, ply)
        case AcceptOffer(seat=seat, kind=kind):
            offer = _require_open(match, kind)
            if seat in offer.agreed:
                raise Refusal(Code.OFFER_OPEN, "That is your own offer; the others have to answer it.")
            return _accepted(match, offer, seat)
        case DeclineOffer(seat=seat, kind=kind):
            _require_open(match, kind)
            return OfferDeclined(seat, kind)
        case GiveTime(seat=seat):
            return _decide_more_time(match, seat)
        case EndPause(seat=seat):
            if match.pause is None:
                raise Refusal(Code.NOT_PAUSED, "The match is not paused.")
            return _pause_ended(match, seat)


def require_no_pause(match: Match) -> None:
    """Raise a Refusal if the match is paused."""
    if match.pause is not None:
        raise Refusal(Code.PAUSED, "The match is paused; end the pause first.")


def next_by_agreement(match: Match, now_ms: int) -> Event | None:
    """Return what follows now that all have agreed to it, or that a pause has lasted long enough."""
    if match.pause is not None and now_ms >= match.pause.ends_at_ms:
        return _pause_ended(match, None)
    for offer in match.offers.made:
        if match.state.ply < offer.lapses_at_ply and not _unanswered(match, offer.kind, offer.agreed):
            return _effect(match, offer, now_ms)
    return None


def bot_to_answer(match: Match) -> int | None:
    """Return the seat of the bot whose answer to a draw offer is waited for."""
    offer = match.offers.find("draw", match.state.ply) if match.phase is Phase.PLAYING else None
    if offer is None:
        return None
    seats = _unanswered(match, "draw", offer.agreed)
    return next(
        (seat for seat in seats if (player := match.players[seat]) is not None and player.level is not None), None
    )


def answer_of_bot(match: Match, seat: int, value: int) -> Event:
    """Return a bot's answer to the draw that is offered to it; `value` is the position's, from the mover's view."""
    offer = match.offers.find("draw", match.state.ply)
    assert offer is not None
    own_value = value if match.state.seat == seat else -value
    if is_draw_taken(own_value, match.state.ply):
        return _accepted(match, offer, seat)
    return OfferDeclined(seat, "draw")


def _decide_offer(match: Match, seat: int, kind: OfferKind, ply: int | None) -> Event:
    if ply is not None and ply != match.state.ply:
        raise Refusal(Code.OFFER_LAPSED, "A move was made in the meantime, so nothing was offered.")
    _require_possible(match, seat, kind)
    offer = match.offers.find(kind, match.state.ply)
    if offer is not None:
        if seat in offer.agreed:
            raise Refusal(Code.OFFER_OPEN, "You have offered that already.")
        if kind == "takeback":
            name = match.state.game.seat_names[offer.seat]
            raise Refusal(Code.OFFER_OPEN, f"{name} asks for a takeback; answer that first.")
        return _accepted(match, offer, seat)
    plies = match.offers.must_wait(seat, kind, match.state.ply, len(match.players))
    if plies:
        raise Refusal(
            Code.OFFER_TOO_SOON, f"You offered {_WORDS[kind]} not long ago; offer it again after {plies} more moves."
        )
    if kind == "takeback":
        return Offered(seat, kind, match.state.ply + 1, plies_to_take_back(match.state, seat))
    return Offered(seat, kind, _lapses_at_ply(match, kind, frozenset({seat})))


def _require_possible(match: Match, seat: int, kind: OfferKind) -> None:
    if kind == "draw":
        has_bots = any(player is not None and player.level is not None for player in match.players)
        if has_bots and len(match.players) > 2:
            raise Refusal(Code.OFFER_NOT_POSSIBLE, "A bot plays along, and it plays to the end.")
        if match.state.ply < len(match.players):
            raise Refusal(Code.OFFER_TOO_SOON, "Play has only begun; you can still call the match off.")
        return
    require_no_pause(match)
    if match.created.rated:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, f"There is no {kind} in a rated match.")
    if kind == "takeback" and not plies_to_take_back(match.state, seat):
        raise Refusal(Code.OFFER_TOO_SOON, "You have made no move yet that could be taken back.")


def plies_to_take_back(state: State, seat: int) -> int:
    """Return how many plies lie between a state and the latest in which the seat had a choice; 0 if there is none."""
    plies = 0
    while state.previous is not None:
        state, plies = state.previous, plies + 1
        if state.seat == seat and state.forced_pass is None:
            return plies
    return 0


def _accepted(match: Match, offer: OpenOffer, seat: int) -> Event:
    if offer.kind == "takeback":
        return OfferAccepted(seat, offer.kind, offer.lapses_at_ply)
    return OfferAccepted(seat, offer.kind, _lapses_at_ply(match, offer.kind, offer.agreed | {seat}))


def _lapses_at_ply(match: Match, kind: OfferKind, agreed: frozenset[int]) -> int:
    state = match.state
    asked = [seat for seat in _unanswered(match, kind, agreed) if _is_person(match, seat)]
    return first_ply_of(asked, state.seat, state.ply, len(match.players))


def _unanswered(match: Match, kind: OfferKind, agreed: frozenset[int]) -> Sequence[int]:
    """Return the seats that have not agreed; whoever holds several answers once for all of them."""
    seats = match.staying if kind == "draw" else match.voters
    in_favour = {_holder(match, seat) for seat in agreed}
    return sorted(seat for seat in seats if _holder(match, seat) not in in_favour)


def _holder(match: Match, seat: int) -> IdentityId:
    player = match.players[seat]
    assert player is not None
    return player.id


def _is_person(match: Match, seat: int) -> bool:
    player = match.players[seat]
    return player is not None and player.level is None


def _effect(match: Match, offer: OpenOffer, now_ms: int) -> Event:
    clocks_ms = None if match.clock is None else match.clock.left_ms(now_ms)
    match offer.kind:
        case "draw":
            ranks = rank_behind((1,) * len(match.players), match.departures)
            return Ended(ranks, Termination.AGREEMENT, "the players agreed on a draw", None, clocks_ms)
        case "takeback":
            return TakenBack(offer.seat, offer.plies, clocks_ms)
        case "pause":
            return Paused(clocks_ms, now_ms + PAUSE_MS)


def _require_open(match: Match, kind: OfferKind) -> OpenOffer:
    offer = match.offers.find(kind, match.state.ply)
    if offer is None:
        raise Refusal(
            Code.OFFER_LAPSED,
            f"{_WORDS[kind].capitalize()} is not offered any more: it was answered, or a move was made.",
        )
    return offer


def _decide_more_time(match: Match, seat: int) -> Event:
    clock = match.clock
    if clock is None:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, "This match has no clock.")
    most_ms = clock.settings.initial_ms + MOST_MORE_MS
    others = [other for other in sorted(match.staying) if _holder(match, other) != _holder(match, seat)]
    seats = tuple(other for other in others if clock.remaining_ms[other] < most_ms)
    if not seats:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, "The others have more than enough time.")
    return TimeGiven(seat, seats, MORE_TIME_MS)


def _pause_ended(match: Match, seat: int | None) -> Event:
    assert match.pause is not None
    clocks_ms = None if match.clock is None else match.clock.remaining_ms
    return PauseEnded(seat, clocks_ms, PAUSE_GRACE_MS, match.pause.limit_ms)
