"""The referee: what a command, the time and the rules lead to, as events that are not stored yet.

Pure: no sockets, no storage, no clock of its own, no randomness; it is told the time and who asks. Whatever the server
has to add to an event by itself comes with it (`server.matches.automatic_events`). What a match is after its events is
in `server.matches.match`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from millrace.engine.state import State

from ..protocol import (
    Abort,
    AcceptOffer,
    ChooseStandIn,
    Claim,
    Code,
    Decline,
    DeclineOffer,
    DeclineRematch,
    Ended,
    EndPause,
    Event,
    FillSeat,
    GiveTime,
    Join,
    MatchCommand,
    Moved,
    Offer,
    Play,
    Player,
    Rematch,
    Resign,
    Resumed,
    Seated,
    StandIn,
    StandInChosen,
    Termination,
)
from ..protocol.refusal import Refusal
from .absence import decide_claim
from .automatic_events import (
    COMMON_ENDINGS,
    and_what_follows,
    called_off,
    clocks_ms_of,
    follows_nothing,
    given_up,
    start_of,
    what_follows,
)
from .creation import bot_for, require_account
from .match import Match, Phase
from .move_text import play_text
from .offers import decide_at_board, require_no_pause
from .rematch import decide_rematch, decline_rematch


def decide(  # noqa: PLR0911, PLR0912  # one return for each kind of command
    match: Match,
    command: MatchCommand,
    player: Player,
    now_ms: int,
    compensated_ms: int = 0,
    claimable_at_ms: Sequence[int | None] = (),
) -> list[Event]:
    """Return the events to which a command of somebody leads, at least one.

    Of the time that a ply took, `compensated_ms` do not count; `claimable_at_ms` says for each seat from when its
    player's absence does, None where the player is there. Raises: Refusal.
    """
    match command:
        case Join(seat=seat):
            return _decide_join(match, seat, player, now_ms)
        case Decline():
            return _decide_decline(match, player, now_ms)
        case FillSeat(seat=seat, level=level):
            if not match.seats_of(player.id):
                raise Refusal(Code.NOT_YOUR_SEAT, "Only a player of this match may seat a bot.")
            return _take_seat(match, seat, bot_for(level, match.state.game), now_ms)
        case Play():
            return decide_play(match, command, player, now_ms, compensated_ms).events
        case Resign(seat=seat):
            _require_seat(match, seat, player)
            _require_playing(match, seat)
            return and_what_follows(match, [given_up(match, seat, "resignation", now_ms)], now_ms)
        case ChooseStandIn(seat=seat, for_seat=for_seat, choice=choice):
            _require_seat(match, seat, player)
            _require_playing(match, seat)
            return _decide_stand_in(match, seat, for_seat, choice, now_ms)
        case Claim(seat=seat, for_seat=for_seat):
            _require_seat(match, seat, player)
            _require_playing(match, seat)
            if for_seat in match.seats_of(player.id):
                raise Refusal(Code.NOT_ABSENT, "That seat is yours.")
            return decide_claim(match, command, claimable_at_ms, now_ms)
        case Abort(seat=seat):
            _require_seat(match, seat, player)
            return _decide_abort(match, seat, now_ms)
        case Rematch(seat=seat):
            _require_seat(match, seat, player)
            return [decide_rematch(match, seat)]
        case DeclineRematch(seat=seat):
            _require_seat(match, seat, player)
            return [decline_rematch(match, seat)]
        case Offer() | AcceptOffer() | DeclineOffer() | GiveTime() | EndPause():
            _require_seat(match, command.seat, player)
            _require_playing(match, command.seat)
            return and_what_follows(match, [decide_at_board(match, command, now_ms)], now_ms)


class PlyDecision(NamedTuple):
    """The events of a ply, and the state after it, which `Match.after` need not compute again."""

    events: list[Event]
    state: State


def decide_play(match: Match, command: Play, player: Player, now_ms: int, compensated_ms: int = 0) -> PlyDecision:
    """Decide as `decide` does, and also return the state after the ply. Raises: Refusal."""
    _require_seat(match, command.seat, player)
    _require_playing(match, command.seat)
    return _ply_decision(match, command.seat, command.move, now_ms, compensated_ms)


def decide_ply(match: Match, seat: int, move: str, now_ms: int, compensated_ms: int = 0) -> list[Event]:
    """Return the events of a ply of the player or bot that holds the seat. Raises: Refusal."""
    return _ply_decision(match, seat, move, now_ms, compensated_ms).events


def _ply_decision(match: Match, seat: int, move: str, now_ms: int, compensated_ms: int) -> PlyDecision:
    _require_playing(match)
    require_no_pause(match)
    if match.to_move != seat:
        name = match.state.game.seat_names[match.state.seat]
        raise Refusal(Code.NOT_YOUR_TURN, f"It is {name}'s turn.")
    state = play_text(match.state, move)
    clocks_ms = None if match.clock is None else match.clock.after_ply(state.seat, now_ms, compensated_ms).remaining_ms
    moved = Moved(seat, match.state.format_move(state.move), clocks_ms)
    if follows_nothing(match, state):
        return PlyDecision([moved], state)
    return PlyDecision([moved, *what_follows(match.moved_to(state, clocks_ms, now_ms), now_ms)], state)


def decide_due(match: Match, now_ms: int, allowance_ms: int = 0) -> list[Event]:
    """Return what happens by itself at this time, if anything: a flag falls, votes are counted, time is up.

    A flag falls `allowance_ms` late, so that a ply on its way still comes in time.
    """
    return list(what_follows(match, now_ms, allowance_ms))


def decide_resume(match: Match, last_sign_of_life_ms: int, now_ms: int) -> list[Event]:
    """Return the event that sets a running clock right after the server was away, or that ends an exhibition, which
    nobody watches by then; else nothing."""
    if match.created.exhibition and match.phase is Phase.PLAYING:
        return [called_off("the server was restarted")]
    if match.phase is not Phase.PLAYING or match.clock is None or match.pause is not None:
        return []
    clock = match.clock.resume(last_sign_of_life_ms, now_ms)
    limit_ms = None if match.limit_at_ms is None else max(0, match.limit_at_ms - last_sign_of_life_ms)
    return [Resumed(clock.remaining_ms, clock.since_ms - now_ms, limit_ms)]


def _decide_join(match: Match, seat: int | None, player: Player, now_ms: int) -> list[Event]:
    free = [index for index, holder in enumerate(match.players) if holder is None]
    if seat is None:
        if not free:
            raise Refusal(Code.SEAT_TAKEN, "Every seat of this match is taken.")
        seat = free[0]
    return _take_seat(match, seat, player, now_ms)


def _take_seat(match: Match, seat: int, player: Player, now_ms: int) -> list[Event]:
    if seat >= len(match.players):
        raise Refusal(Code.BAD_SEATS, f"This match has {len(match.players)} seats, counted from 0.")
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The match is over.")
    if match.players[seat] is not None:
        raise Refusal(Code.SEAT_TAKEN, "That seat is taken.")
    if player.level is None:
        _require_welcome(match, player)
    events: list[Event] = [Seated(seat, player)]
    if match.players.count(None) == 1:
        events.append(start_of(match))
    return and_what_follows(match, events, now_ms)


def _decide_decline(match: Match, player: Player, now_ms: int) -> list[Event]:
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The challenge is withdrawn already.")
    if match.created.invited != player.id or match.phase is Phase.PLAYING:
        raise Refusal(Code.NOT_FOR_YOU, "There is no challenge to you to decline.")
    words = COMMON_ENDINGS[Termination.DECLINED]
    return [Ended(None, Termination.DECLINED, words, None, clocks_ms_of(match, now_ms))]


def _decide_abort(match: Match, seat: int, now_ms: int) -> list[Event]:
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The match is over.")
    _require_staying(match, seat)
    if match.state.ply >= len(match.players):
        raise Refusal(Code.ALREADY_STARTED, "Every seat has made a ply; the match can only be resigned now.")
    words = COMMON_ENDINGS[Termination.ABORTED]
    return [Ended(None, Termination.ABORTED, words, seat, clocks_ms_of(match, now_ms))]


def _decide_stand_in(match: Match, seat: int, for_seat: int, choice: StandIn, now_ms: int) -> list[Event]:
    departure = match.departure_of(for_seat)
    if departure is None:
        raise Refusal(Code.NOTHING_TO_CHOOSE, "Nobody has left that seat.")
    if departure.stand_in is not None:
        raise Refusal(Code.NOTHING_TO_CHOOSE, "It is settled already how that seat goes on.")
    return and_what_follows(match, [StandInChosen(seat, for_seat, choice)], now_ms)


def _require_welcome(match: Match, player: Player) -> None:
    """Refuse an open seat to whom it is not open."""
    if match.created.rated:
        require_account(player)
    if match.created.invited not in (None, player.id):
        raise Refusal(Code.NOT_FOR_YOU, "That seat is kept for the player who was challenged.")


def _require_seat(match: Match, seat: int, player: Player) -> None:
    if seat not in match.seats_of(player.id):
        raise Refusal(Code.NOT_YOUR_SEAT, "That seat is not yours.")


def _require_playing(match: Match, seat: int | None = None) -> None:
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The match is over.")
    if match.phase is Phase.WAITING:
        raise Refusal(Code.NOT_STARTED, "The match has not started; a seat is still open.")
    if seat is not None:
        _require_staying(match, seat)


def _require_staying(match: Match, seat: int) -> None:
    if match.departure_of(seat) is not None:
        raise Refusal(Code.SEAT_LEFT, "You have left this match; others play on.")
