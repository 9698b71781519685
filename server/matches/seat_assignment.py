"""Seat assignment: who takes a seat of a match, and with which rating.

Pure. Which seats a new match has is decided in `server.matches.creation`.
"""

from collections.abc import Callable
from typing import TypeAlias

from millrace.protocol import Code, Created, Event, Player, Seated, SeatFreed, SeatRating, Started
from millrace.protocol.refusal import Refusal

from .automatic_events import with_automatic_events
from .built_in_bots import find_bot
from .match import Match, Phase
from .speed import FIRST_PLY_MS, speed_of

SeatRatings: TypeAlias = Callable[[Created, Player], SeatRating | None]
"""Looks up a player's current rating in matches of the kind that is created; None for guests, who have none."""


def no_ratings(_created: Created, _player: Player) -> None:
    """Look up no rating: the `SeatRatings` of matches in which ratings do not matter."""


def join(match: Match, seat: int | None, player: Player, now_ms: int, seat_ratings: SeatRatings) -> list[Event]:
    """Return the events by which a player takes an open seat, by default the first. Raises: Refusal."""
    if seat is None:
        free = [index for index, holder in enumerate(match.players) if holder is None]
        if not free:
            raise Refusal(Code.SEAT_TAKEN, "Every seat of this match is taken.")
        seat = free[0]
    return _take_seat(match, seat, player, now_ms, seat_ratings)


def seat_bot(
    match: Match, seat: int, level: int | str, player: Player, now_ms: int, seat_ratings: SeatRatings
) -> list[Event]:
    """Return the events by which a player of the match gives an open seat to a bot. Raises: Refusal."""
    if not match.seats_of(player.id):
        raise Refusal(Code.NOT_YOUR_SEAT, "Only a player of this match can give a seat to a bot.")
    return _take_seat(match, seat, find_bot(level, match.state.game), now_ms, seat_ratings)


def leave_seat(match: Match, seat: int, player: Player) -> SeatFreed:
    """Return the event by which a player who has joined leaves the seat before the match starts. Raises: Refusal."""
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The match is over.")
    if match.phase is Phase.PLAYING:
        raise Refusal(Code.ALREADY_STARTED, "The match has started; you can only abort or resign now.")
    if match.maker is not None and match.maker.id == player.id:
        raise Refusal(Code.HOST_STAYS, "You created this match; call it off instead of leaving your seat.")
    return SeatFreed(seat, player)


def start_of(created: Created) -> Started:
    """Return the event by which a match starts once every seat has its player."""
    # The host of a simul cannot make the first ply at forty boards in time.
    has_no_limit = created.clock is None or created.host is not None
    return Started(None if has_no_limit else FIRST_PLY_MS.get(speed_of(created.clock)))


def require_account(player: Player) -> None:
    """Refuse a guest a seat of a rated match. Raises: Refusal."""
    if not player.registered:
        raise Refusal(Code.ACCOUNT_NEEDED, "You need an account to play rated matches.")


def _take_seat(match: Match, seat: int, player: Player, now_ms: int, seat_ratings: SeatRatings) -> list[Event]:
    if seat >= len(match.players):
        raise Refusal(Code.BAD_SEATS, "This match has {seats} seats, counted from 0.", seats=len(match.players))
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The match is over.")
    if match.players[seat] is not None:
        raise Refusal(Code.SEAT_TAKEN, "That seat is taken.")
    if player.level is None:
        _require_invited(match, player)
    events: list[Event] = [Seated(seat, player, seat_ratings(match.created, player))]
    if match.players.count(None) == 1:
        events.append(start_of(match.created))
    return with_automatic_events(match, events, now_ms)


def _require_invited(match: Match, player: Player) -> None:
    """Refuse an open seat to a player who may not take it."""
    if match.created.rated:
        require_account(player)
        if match.seats_of(player.id):
            raise Refusal(Code.BAD_SEATS, "In a rated match you have one seat. Leave the other to an opponent.")
    if match.created.invited not in (None, player.id):
        raise Refusal(Code.NOT_FOR_YOU, "This seat is reserved for the player who was challenged.")
