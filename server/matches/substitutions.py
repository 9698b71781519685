"""Substitutions: a seat of a casual match that is played changes between a person and a built-in bot.

Pure. By agreement, a player hands the seat over to a bot, or a spectator takes one over from a bot; each other person
with a seat must agree (`server.matches.offers`). Who plays alone changes the players without asking anyone. Two events
follow: the seat is freed, and the new player is seated.
"""

from collections.abc import Sequence

from millrace.protocol import Code, Event, OfferKind, Player, Seated, SeatFreed
from millrace.protocol.refusal import Refusal

from .built_in_bots import bot_player, find_bot, level_of_bot
from .match import Match
from .open_offers import OpenOffer

KINDS: Sequence[OfferKind] = ("hand_over", "take_over")


def bot_for(match: Match, seat: int, level: int | str | None) -> int | str:
    """Return the level of the bot to which a player may hand over the seat. Raises: Refusal."""
    if level is None:
        raise Refusal(Code.BAD_SEATS, "Choose the level of the bot that plays on for you.")
    if match.voters <= set(match.seats_of(match.holder_of(seat))):
        raise _nobody_left()
    return level_of_bot(find_bot(level, match.state.game))


def require_seat_of_bot(match: Match, seat: int, player: Player) -> None:
    """Check that a spectator may ask to play on for the bot of a seat. Raises: Refusal."""
    if _require_taken(match, seat).level is None or match.departure_of(seat) is not None:
        raise Refusal(Code.SEAT_TAKEN, "That seat is not a bot's.")
    if match.seats_of(player.id):
        raise Refusal(Code.OFFER_NOT_POSSIBLE, "You have a seat in this match already.")
    if player.bot:
        raise Refusal(Code.NOT_FOR_BOTS, "Bots cannot take over seats; wait for a challenge instead.")
    if not match.voters:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, "Only bots play this match; there is nobody to ask.")


def change_player(match: Match, seat: int, level: int | str | None, player: Player) -> list[Event]:
    """Return the events that give a seat to a bot, or to the player (None), who must play alone. Raises: Refusal."""
    holder = _require_taken(match, seat)
    playing = {match.holder_of(each) for each in match.voters}
    is_alone = playing == {player.id} or (not playing and match.created.by == player.id)
    if not is_alone or match.created.rated:
        raise Refusal(Code.NOT_FOR_YOU, "You can only change the players of a casual match in which you play alone.")
    if match.departure_of(seat) is not None:
        raise Refusal(Code.SEAT_LEFT, "The player of that seat has left, and nobody else can take it.")
    if level is not None and match.voters == {seat} and match.created.by != player.id:
        # Others might have come, so nobody could come back.
        raise _nobody_left()
    newcomer = player if level is None else find_bot(level, match.state.game)
    if newcomer.id == holder.id:
        raise Refusal(Code.SEAT_TAKEN, "That is who plays this seat already.")
    return [SeatFreed(seat, holder), Seated(seat, newcomer)]


def freed(match: Match, offer: OpenOffer) -> SeatFreed:
    """Return the event by which a substitution begins on which all have agreed."""
    return SeatFreed(offer.seat, _require_taken(match, offer.seat))


def next_seated(match: Match) -> Seated | None:
    """Return the event that follows a freed seat: its new player is seated."""
    for offer in match.offers.made:
        if offer.kind in KINDS and match.players[offer.seat] is None:
            newcomer = offer.player or bot_player(offer.level or 1)
            return Seated(offer.seat, newcomer)
    return None


def _nobody_left() -> Refusal:
    text = "Nobody would be left to play against the bot. Start a match between bots instead."
    return Refusal(Code.OFFER_NOT_POSSIBLE, text)


def _require_taken(match: Match, seat: int) -> Player:
    """Return the player of a seat of a match in progress, in which every seat is taken. Raises: Refusal."""
    if seat >= len(match.players):
        raise Refusal(Code.BAD_SEATS, "This match has {seats} seats, counted from 0.", seats=len(match.players))
    holder = match.players[seat]
    assert holder is not None
    return holder
