"""The referee: what a command or the time leads to in a match.

Pure: it gets the time, the ratings and the lag as arguments, and returns events that are not stored yet. What a match
becomes with its events is `server.matches.fold`; what follows by itself is `server.matches.automatic_events`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from millrace.engine.game import IllegalMoveError, MoveSyntaxError, RepetitionError
from millrace.engine.state import State
from millrace.protocol import (
    Abort,
    AcceptOffer,
    AskForSeat,
    Berserk,
    ChangePlayer,
    ChooseStandIn,
    Claim,
    Code,
    CommandId,
    Decline,
    DeclineOffer,
    DeclineRematch,
    Ended,
    EndPause,
    Event,
    FillSeat,
    GiveTime,
    Join,
    LeaveSeat,
    MatchCommand,
    Moved,
    Offer,
    PauseBots,
    Play,
    Player,
    Rematch,
    Resign,
    ResumeBots,
    Resumed,
    StandInChosen,
    Termination,
)
from millrace.protocol.refusal import Refusal

from .absence import claim_absence
from .automatic_events import automatic_events, is_without_consequences, with_automatic_events
from .berserk import go_berserk
from .endings import EXPLANATIONS, RESTARTED, UNWATCHED, called_off, clocks_ms_of, forfeit
from .extra_time import give_time
from .lag_compensation import NO_COMPENSATION, LagCompensation
from .match import Match, Phase
from .offers import accept_offer, ask_for_seat, decline_offer, make_offer
from .pauses import ended_pause, pause_bots, require_no_pause, resume_bots
from .rematch import decline_rematch, offer_rematch
from .seat_assignment import SeatRatings, join, leave_seat, no_ratings, seat_bot
from .substitutions import change_player
from .tournament_matches import require_no_tournament

FORGOTTEN_MS = 86_400_000
"""A match between bots that has stood still for longer ends when the server starts."""


class Decision(NamedTuple):
    """What a command leads to."""

    events: list[Event]
    played: State | None = None
    """The position after the ply, if the decision is one: folding its event need not compute it again."""
    lag: LagCompensation | None = None
    """The quotas after the ply; None if they do not change."""
    page_command: CommandId | None = None
    """The command of the page that has thought for the bot. It is stored with the ply, which marks the match."""


def decide(  # noqa: PLR0911  # one return for each kind of command
    match: Match,
    command: MatchCommand,
    player: Player,
    now_ms: int,
    *,
    seat_ratings: SeatRatings = no_ratings,
    lag: LagCompensation = NO_COMPENSATION,
    claimable_at_ms: Sequence[int | None] = (),
) -> Decision:
    """Return what a player's command leads to: at least one event.

    `claimable_at_ms` says for each seat from when its player's absence can be claimed, None while it cannot.
    Raises: Refusal.
    """
    if isinstance(command, Play):
        _require_seat(match, command.seat, player)
        if match.departures:
            _require_playing(match, command.seat)
        return decide_ply(match, command.seat, command.move, now_ms, lag)
    if isinstance(command, Join):
        return Decision(join(match, command.seat, player, now_ms, seat_ratings))
    if isinstance(command, FillSeat):
        return Decision(seat_bot(match, command.seat, command.level, player, now_ms, seat_ratings))
    if isinstance(command, Decline):
        return Decision([_decline(match, player, now_ms)])
    if isinstance(command, AskForSeat | PauseBots | ResumeBots):
        _require_playing(match)
        return Decision(with_automatic_events(match, [_decide_for_spectator(match, command, player, now_ms)], now_ms))
    if isinstance(command, ChangePlayer):
        _require_playing(match)
        require_no_tournament(match)
        events = change_player(match, command.seat, command.level, player)
        return Decision(with_automatic_events(match, events, now_ms))
    _require_seat(match, command.seat, player)
    if isinstance(command, LeaveSeat):
        return Decision([leave_seat(match, command.seat, player)])
    if isinstance(command, Abort | Rematch | DeclineRematch):
        require_no_tournament(match)
        return Decision([_decide_outside_play(match, command, now_ms)])
    _require_playing(match, command.seat)
    if isinstance(command, Claim):
        if command.for_seat in match.seats_of(player.id):
            raise Refusal(Code.NOT_ABSENT, "That seat is yours.")
        return Decision(claim_absence(match, command, claimable_at_ms, now_ms))
    return Decision(with_automatic_events(match, [_decide_during_play(match, command, now_ms)], now_ms))


def decide_ply(match: Match, seat: int, move: str, now_ms: int, lag: LagCompensation = NO_COMPENSATION) -> Decision:
    """Return what a ply of the seat's player, a person or a bot, leads to. Raises: Refusal."""
    _require_playing(match)
    if match.pause is not None:
        require_no_pause(match)
    if match.state.seat != seat:
        name = match.state.game.seat_names[match.state.seat]
        raise Refusal(Code.NOT_YOUR_TURN, "It is {name}'s turn.", name=name)
    state = play_text(match.state, move)
    clock = match.clock and match.clock.after_ply(state.seat, now_ms, lag.compensation_ms(seat))
    clocks_ms = None if clock is None else clock.remaining_ms
    events: list[Event] = [Moved(seat, match.state.format_move(state.move), clocks_ms)]
    if not is_without_consequences(match, state):
        events += automatic_events(match.moved_to(state, clocks_ms, now_ms), now_ms)
    return Decision(events, state, lag.after_ply(seat) if lag.quotas else None)


def play_text(state: State, move: str) -> State:
    """Return the position after the move of that text. Raises: Refusal if it is not a legal move."""
    try:
        return state.play(state.parse_move(move))
    except MoveSyntaxError as error:
        raise Refusal(Code.BAD_MOVE, str(error)) from None
    except RepetitionError as error:
        raise Refusal(Code.REPETITION_REFUSED, str(error)) from None
    except IllegalMoveError as error:
        raise Refusal(Code.ILLEGAL_MOVE, str(error)) from None


def decide_due(match: Match, now_ms: int, allowance_ms: int = 0) -> list[Event]:
    """Return the automatic events that are due, such as a fallen flag; none most of the time.

    A flag falls `allowance_ms` late, because a ply that is on its way still counts.
    """
    return list(automatic_events(match, now_ms, allowance_ms))


def decide_resume(match: Match, last_sign_of_life_ms: int, now_ms: int) -> list[Event]:
    """Return what the server adds to a match when it comes back: a running clock gets a grace period, and an
    exhibition, which has lost its spectators, ends, as does a match of bots that nobody has watched for long."""
    if match.created.exhibition and match.phase is Phase.PLAYING:
        return [called_off(RESTARTED)]
    if match.is_between_bots and now_ms - match.turn_at_ms > FORGOTTEN_MS:
        return [called_off(UNWATCHED)]
    return decide_after_interruption(match, last_sign_of_life_ms, now_ms)


def decide_after_interruption(match: Match, interrupted_ms: int, now_ms: int) -> list[Event]:
    """Return what the server adds to a match when it can store events again: a running clock gets a grace period."""
    if match.phase is not Phase.PLAYING or match.clock is None or match.pause is not None:
        return []
    clock = match.clock.resume(interrupted_ms, now_ms)
    limit_ms = None if match.limit_at_ms is None else max(0, match.limit_at_ms - interrupted_ms)
    return [Resumed(clock.remaining_ms, clock.since_ms - now_ms, limit_ms)]


def _decide_during_play(  # noqa: PLR0911  # one return for each kind of command
    match: Match,
    command: Resign | ChooseStandIn | Offer | AcceptOffer | DeclineOffer | GiveTime | Berserk | EndPause,
    now_ms: int,
) -> Event:
    match command:
        case Resign(seat=seat):
            return forfeit(match, seat, "resignation", now_ms)
        case ChooseStandIn(seat=seat, for_seat=for_seat, choice=choice):
            _require_open_choice(match, for_seat)
            return StandInChosen(seat, for_seat, choice)
        case Offer(seat=seat, kind=kind, ply=ply, level=level):
            return make_offer(match, seat, kind, ply, level)
        case AcceptOffer(seat=seat, kind=kind):
            return accept_offer(match, seat, kind)
        case DeclineOffer(seat=seat, kind=kind):
            return decline_offer(match, seat, kind)
        case GiveTime(seat=seat):
            return give_time(match, seat, now_ms)
        case Berserk(seat=seat):
            return go_berserk(match, seat, now_ms)
        case EndPause(seat=seat):
            return ended_pause(match, seat)


def _decide_for_spectator(
    match: Match, command: AskForSeat | PauseBots | ResumeBots, player: Player, now_ms: int
) -> Event:
    match command:
        case AskForSeat(seat=seat):
            return ask_for_seat(match, seat, player)
        case PauseBots():
            return pause_bots(match, player, now_ms)
        case ResumeBots(plies=plies):
            return resume_bots(match, player, plies)


def _decide_outside_play(match: Match, command: Abort | Rematch | DeclineRematch, now_ms: int) -> Event:
    match command:
        case Abort(seat=seat):
            return _abort(match, seat, now_ms)
        case Rematch(seat=seat):
            return offer_rematch(match, seat)
        case DeclineRematch(seat=seat):
            return decline_rematch(match, seat)


def _decline(match: Match, player: Player, now_ms: int) -> Ended:
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The challenge has already been withdrawn.")
    if match.created.invited != player.id or match.phase is Phase.PLAYING:
        raise Refusal(Code.NOT_FOR_YOU, "There is no challenge for you to decline.")
    explanation = EXPLANATIONS[Termination.DECLINED]
    return Ended(None, Termination.DECLINED, explanation, None, clocks_ms_of(match, now_ms))


def _abort(match: Match, seat: int, now_ms: int) -> Ended:
    if match.phase is Phase.OVER:
        raise Refusal(Code.MATCH_OVER, "The match is over.")
    _require_staying(match, seat)
    if match.phase is Phase.WAITING and match.maker is not None and seat not in match.seats_of(match.maker.id):
        raise Refusal(
            Code.HOST_NEEDED,
            "Only {name}, who created the match, can call it off. You can leave your seat.",
            name=match.maker.name,
        )
    if match.state.ply >= len(match.players):
        raise Refusal(Code.ALREADY_STARTED, "Every player has moved; you can only resign now.")
    explanation = EXPLANATIONS[Termination.ABORTED]
    return Ended(None, Termination.ABORTED, explanation, seat, clocks_ms_of(match, now_ms))


def _require_open_choice(match: Match, for_seat: int) -> None:
    departure = match.departure_of(for_seat)
    if departure is None:
        raise Refusal(Code.NOTHING_TO_CHOOSE, "The player of that seat has not left.")
    if departure.stand_in is not None:
        raise Refusal(Code.NOTHING_TO_CHOOSE, "It is already decided who plays this seat.")


def _require_seat(match: Match, seat: int, player: Player) -> None:
    if not match.is_held_by(seat, player.id):
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
        raise Refusal(Code.SEAT_LEFT, "You have left this match; the others play on.")
