"""The events of a match as sentences with names. Pure."""

from collections.abc import Mapping, Sequence

from millrace.protocol import (
    Berserked,
    Created,
    Ended,
    Left,
    MatchEvent,
    Moved,
    OfferAccepted,
    OfferDeclined,
    Offered,
    OfferKind,
    Paused,
    PauseEnded,
    Rated,
    RematchDeclined,
    RematchOffered,
    RematchStarted,
    Resumed,
    Seated,
    SeatFreed,
    StandInChosen,
    Started,
    StoodIn,
    TakenBack,
    TimeGiven,
    Voided,
)

from ..clock_texts import format_days, format_timing
from ..match_view import MatchView, OpenOffer
from .seat_names import YOU, SeatNames

OFFERS: Mapping[OfferKind, str] = {
    "draw": "a draw",
    "takeback": "for a takeback",
    "pause": "for a pause",
    "hand_over": "for a bot to play on",
    "take_over": "to play on for the bot",
}
"""Each kind of offer, as it follows `offers` or `asks`."""

ANSWERS = "Type accept or decline."


def event_text(  # noqa: PLR0911, PLR0912  # one return for each kind of event
    match_event: MatchEvent, view: MatchView, names: SeatNames, offers: Sequence[OpenOffer] = ()
) -> str:
    """Return an event as a sentence; empty for events that the board shows.

    `view` is the match after it, and `offers` are those that were open before it.
    """
    match match_event.event:
        case Moved(seat, move, _, forced):
            return _ply_text(match_event, len(view.moves), seat, move, forced, names)
        case Seated(player=player):
            return f"{names.player_says(player, 'now plays' if _is_played(view) else 'joins')}."
        case SeatFreed(_, player):
            # During play, the next event tells who plays now.
            return "" if _is_played(view) else f"{names.player_says(player, 'leaves')} the match."
        case Started(first_ply_ms):
            return _start_text(view.created, first_ply_ms)
        case Offered(seat, kind) as offer:
            return _offer_text(offer, names, seat, kind)
        case OfferAccepted(seat, kind):
            return f"{names.says(seat, 'accepts')} {_noun(kind)}."
        case OfferDeclined(seat, kind) if any((offer.kind, offer.seat) == (kind, seat) for offer in offers):
            return f"{names.says(seat, 'withdraws')} the {'draw offer' if kind == 'draw' else 'request'}."
        case OfferDeclined(seat, kind):
            return f"{names.says(seat, 'declines')} {_noun(kind)}."
        case TakenBack(seat, plies):
            count = "the last move" if plies == 1 else f"{plies} moves"
            return f"{names.says(seat, 'takes')} back {count}."
        case TimeGiven(seat, _, given_ms):
            return f"{names.says(seat, 'gives')} {given_ms // 1000} seconds to the others."
        case Berserked(seat):
            return f"{names.says(seat, 'goes')} berserk: half the time, for one more point."
        case Paused():
            return "The match is paused. Type resume to continue."
        case Resumed(grace_ms=grace_ms, vacation=int(seat)):
            return f"{names.says(seat, 'is')} on vacation for {format_days(grace_ms)}; the clock stands still."
        case PauseEnded() | Resumed():
            return "The match continues."
        case Left(seat, reason):
            choice = "" if names.title(seat) == YOU else f" Type standin {seat + 1} bot, or standin {seat + 1} skip."
            return names.left(seat, reason) + choice
        case StandInChosen(seat, for_seat, choice):
            return f"{names.says(seat, 'votes')} that {_stand_in(choice)} for {names.title(for_seat)}."
        case StoodIn(seat, choice):
            return f"For {names.title(seat)}, {_stand_in(choice)}."
        case Ended() as ended:
            return names.result(ended)
        case Rated() as rated:
            return _rating_text(rated, names)
        case Voided(explanation):
            return f"The result is void: {explanation.rstrip('.')}."
        case RematchOffered(seat):
            is_answered = any(names.title(each) == YOU for each in {seat, *view.rematch_offers})
            return f"{names.says(seat, 'wants')} a rematch." + ("" if is_answered else f" {ANSWERS}")
        case RematchDeclined(seat):
            return f"{names.says(seat, 'does')} not want a rematch."
        case RematchStarted(match):
            return f"The rematch begins: {match}"
        case _:
            return ""


def _start_text(created: Created | None, first_ply_ms: int | None) -> str:
    if created is None or created.clock is None:
        return "The match begins."
    text = f"The match begins: {format_timing(created.clock, created.seats)}."
    if first_ply_ms is None:
        return text
    return f"{text} Each player has {first_ply_ms // 1000} seconds for the first move; the clocks start after it."


def _is_played(view: MatchView) -> bool:
    """Return whether a match has begun."""
    return view.to_move is not None or bool(view.moves)


def _ply_text(match_event: MatchEvent, number: int, seat: int, move: str, forced: bool, names: SeatNames) -> str:
    if forced:
        return f"{number}. {names.title(seat)} could not move and passed"
    achieved = () if match_event.view is None else match_event.view.highlights
    more = "".join(f", {text}" for text in dict.fromkeys(each.text for each in achieved))
    return f"{number}. {names.title(seat)}: {move}{more}"


def _offer_text(offer: Offered, names: SeatNames, seat: int, kind: OfferKind) -> str:
    if kind == "take_over":
        asker = "A spectator" if offer.player is None else offer.player.name
        return f"{asker} asks to play on for {names.title(seat)}. {ANSWERS}"
    said = names.says(seat, "offers" if kind == "draw" else "asks")
    return f"{said} {OFFERS[kind]}." + ("" if names.title(seat) == YOU else f" {ANSWERS}")


def _noun(kind: OfferKind) -> str:
    return {"hand_over": "the change to a bot", "take_over": "the change of the seat"}.get(kind, f"the {kind}")


def _stand_in(choice: str) -> str:
    return "a bot plays on" if choice == "bot" else "the turns are skipped"


def _rating_text(rated: Rated, names: SeatNames) -> str:
    if rated.reason is not None:
        return f"The match is not rated: {rated.explanation.rstrip('.')}."
    changes = (
        f"{names.title(seat)} {change.before} -> {change.after} ({change.after - change.before:+})"
        for seat, change in enumerate(rated.changes)
        if change is not None
    )
    return "Ratings: " + ", ".join(changes)
