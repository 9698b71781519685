"""The fold: what a match becomes with each of its events.

Pure. Every match that is served, replayed or exported is made here, from stored events alone.
"""

import dataclasses
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from millrace.engine.state import State
from millrace.protocol import (
    Annotated,
    Berserked,
    Created,
    Ended,
    Event,
    Left,
    MatchId,
    Moved,
    OfferAccepted,
    OfferDeclined,
    Offered,
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

from ..journal.entries import Entry, Recorded
from .departures import Departure
from .match import Match, Phase
from .open_offers import OpenOffers
from .pauses import after_pause_event
from .rematch import after_rematch_answer
from .takebacks import after_takeback


def replay(match_id: MatchId, events: Sequence[Recorded]) -> Match:
    """Return the match after its stored events, at least one."""
    first, *rest = events
    assert isinstance(first.entry.event, Created)
    match = replace(Match.of(match_id, first.entry.event), created_at_ms=first.entry.at_ms)
    for recorded in rest:
        match = apply_event(match, recorded)
    return match


def apply_event(match: Match, recorded: Recorded, played: State | None = None) -> Match:
    """Return the match after its next event.

    `played` is the position after a ply, if the caller has it: it saves computing the position of a `Moved` again.
    """
    seq, entry = recorded
    assert seq == match.seq + 1
    return _folded(replace(match, seq=seq), entry, played)


def apply_next(match: Match, event: Event, at_ms: int) -> Match:
    """Return the match as it will be if the event is stored next."""
    return apply_event(match, Recorded(match.seq + 1, Entry(event, at_ms)))


def _folded(match: Match, entry: Entry, played: State | None) -> Match:  # noqa: PLR0911, PLR0912  # one return for each kind
    match entry.event:
        case Seated() | SeatFreed() as event:
            return _after_seat_event(match, event)
        case Started(first_ply_ms):
            return _after_start(match, first_ply_ms, entry.at_ms)
        case Moved(seat, move, clocks_ms):
            mover = match.players[seat]
            if entry.command_id is not None and mover is not None and mover.level is not None:
                match = replace(match, has_page_plies=True)
            return match.moved_to(_position_after(match, move, played), clocks_ms, entry.at_ms)
        case Left() | StandInChosen() | StoodIn() as event:
            return _after_departure_event(match, event, entry.at_ms)
        case Ended() as ended:
            clock = None if match.clock is None else match.clock.stop(entry.at_ms)
            return replace(
                match,
                phase=Phase.OVER,
                ended=ended,
                ended_at_ms=entry.at_ms,
                clock=clock,
                offers=OpenOffers(),
                pause=None,
            )
        case Offered() | OfferAccepted() | OfferDeclined() as event:
            return replace(match, offers=match.offers.after(event, match.state.ply))
        case TakenBack() | TimeGiven() | Paused() | PauseEnded() as event:
            return _after_agreement(match, event, entry.at_ms)
        case Berserked(seat, clocks_ms):
            return _after_berserk(match, seat, clocks_ms)
        case Resumed() as resumed:
            return _after_restart(match, resumed, entry.at_ms)
        case RematchOffered() | RematchDeclined() as event:
            return after_rematch_answer(match, event)
        case RematchStarted(successor):
            return replace(match, successor=successor)
        case Rated() as rated:
            return replace(match, rated=rated)
        case Voided() | Annotated() as event:
            return match if isinstance(event, Annotated) else replace(match, is_void=True)
        case Created():
            raise AssertionError("a match is created once")


def _after_seat_event(match: Match, event: Seated | SeatFreed) -> Match:
    seat = event.seat
    player, rating = (event.player, event.rating) if isinstance(event, Seated) else (None, None)
    players = (*match.players[:seat], player, *match.players[seat + 1 :])
    ratings = (*match.ratings[:seat], rating, *match.ratings[seat + 1 :])
    # After a substitution, what its seat offered or was offered is void.
    is_substitution = match.phase is not Phase.WAITING and player is not None
    offers = dataclasses.replace(match.offers, made=()) if is_substitution else match.offers
    # A person plays on until the end.
    pauses_at_ply = match.pauses_at_ply if player is None or player.level is not None else None
    return replace(match, players=players, ratings=ratings, offers=offers, pauses_at_ply=pauses_at_ply)


def _position_after(match: Match, move: str, played: State | None) -> State:
    if played is not None and played.previous is match.state:
        return played
    return match.state.after(match.state.parse_move(move))


def _after_start(match: Match, first_ply_ms: int | None, at_ms: int) -> Match:
    started = replace(match, phase=Phase.PLAYING, first_ply_ms=first_ply_ms, turn_at_ms=at_ms, present_from_ms=at_ms)
    if match.clock is None:
        return started
    limit_ms = match.clock.settings.match_limit_ms
    limit_at_ms = None if limit_ms is None else at_ms + limit_ms
    clock = match.clock if first_ply_ms is not None else match.clock.run(match.state.seat, at_ms)
    return replace(started, clock=clock, limit_at_ms=limit_at_ms)


def _after_berserk(match: Match, seat: int, clocks_ms: tuple[int, ...]) -> Match:
    assert match.clock is not None
    clock = match.clock.without_increment(seat).set_to(clocks_ms, match.clock.running, match.clock.since_ms)
    return replace(match, clock=clock, berserk=match.berserk | {seat})


def _after_restart(match: Match, resumed: Resumed, at_ms: int) -> Match:
    assert match.clock is not None
    goes_on_at_ms = at_ms + resumed.grace_ms
    clock = match.clock.set_to(resumed.clocks_ms, match.clock.running, goes_on_at_ms)
    limit_at_ms = None if resumed.limit_ms is None else goes_on_at_ms + resumed.limit_ms
    return replace(
        match,
        clock=clock,
        limit_at_ms=limit_at_ms,
        turn_at_ms=goes_on_at_ms,
        present_from_ms=goes_on_at_ms,
        vacation=resumed.vacation,
    )


def _after_agreement(match: Match, event: TakenBack | TimeGiven | Paused | PauseEnded, at_ms: int) -> Match:
    match event:
        case TakenBack():
            return after_takeback(match, event, at_ms)
        case TimeGiven(_, seats, given_ms, periods):
            return replace(match, clock=None if match.clock is None else match.clock.given(seats, given_ms, periods))
        case Paused() | PauseEnded():
            return after_pause_event(match, event, at_ms)


def _after_departure_event(match: Match, event: Left | StandInChosen | StoodIn, at_ms: int) -> Match:
    match event:
        case Left(seat, reason):
            clock = match.clock
            if clock is not None and clock.running == seat:
                clock = clock.stop(at_ms)
            return replace(match, clock=clock, departures=(*match.departures, Departure(seat, reason, at_ms)))
        case StandInChosen(seat, for_seat, choice):
            return _with_changed_departure(match, for_seat, lambda departure: departure.voted(seat, choice))
        case StoodIn(seat, choice):
            return _with_changed_departure(
                match, seat, lambda departure: dataclasses.replace(departure, stand_in=choice)
            )


def _with_changed_departure(match: Match, seat: int, change: Callable[[Departure], Departure]) -> Match:
    departures = (change(each) if each.seat == seat else each for each in match.departures)
    return replace(match, departures=tuple(departures))
