"""What happens in a match by itself, as events that are not stored yet: by the rules, by the time, by votes.

The rules or the time limit end it, a flag falls, a first ply does not come, a vote is settled, a seat that has no other
ply passes, or is passed over because its player left. Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from millrace.engine.game import Outcome
from millrace.engine.state import State

from ..protocol import Ended, Event, Left, Moved, Started, StoodIn, Termination
from .departures import STAND_IN_LEVEL, rank_behind
from .match import Match, Phase
from .offers import next_by_agreement
from .speed import FIRST_PLY_MS, speed_of

COMMON_ENDINGS: Mapping[str, str] = {
    Termination.REPETITION: "the same position came up for the third time",
    Termination.QUIET_LIMIT: "too many plies passed without progress",
    Termination.ABORTED: "the match was called off",
    Termination.DECLINED: "the challenge was declined",
}


GIVEN_UP: Mapping[str, str] = {
    Termination.RESIGNATION: "{} resigned",
    Termination.TIME: "{}'s time ran out",
    Termination.ABSENCE: "{} was away too long",
}
"""How a seat's name is told to have lost a match of two."""


def given_up(match: Match, seat: int, reason: Literal["resignation", "time", "absence"], now_ms: int) -> Event:
    """Return how a seat gives up: of two seats the other wins, more go on without it."""
    if len(match.players) > 2:
        return Left(seat, reason)
    ranks = tuple(2 if other == seat else 1 for other in range(2))
    name = match.state.game.seat_names[seat]
    return Ended(ranks, reason, GIVEN_UP[reason].format(name), seat, clocks_ms_of(match, now_ms))


def called_off(words: str) -> Ended:
    """Return the end without result that the server puts to an untimed match, with the reason."""
    return Ended(None, Termination.ABORTED, words)


def and_what_follows(match: Match, events: Sequence[Event], now_ms: int) -> list[Event]:
    """Return the events with what the server has to add to them."""
    for event in events:
        match = match.following(event, now_ms)
    return [*events, *what_follows(match, now_ms)]


def what_follows(match: Match, now_ms: int, allowance_ms: int = 0) -> Iterator[Event]:
    """Yield what happens by itself, one thing after the other until nothing more does.

    A flag falls only `allowance_ms` late: a ply that is on the way may still come in time.
    """
    while match.phase is not Phase.OVER and (event := _next_by_itself(match, now_ms, allowance_ms)) is not None:
        yield event
        match = match.following(event, now_ms)


def follows_nothing(match: Match, state: State) -> bool:
    """Return whether a ply that leads to `state` has no consequences, as most have none: a quick answer, perhaps False
    where there are none."""
    return state.outcome is None and state.forced_pass is None and not match.departures and match.limit_at_ms is None


def clocks_ms_of(match: Match, now_ms: int) -> tuple[int, ...] | None:
    """Return what each seat has left, None in an untimed match."""
    return None if match.clock is None else match.clock.left_ms(now_ms)


def start_of(match: Match) -> Started:
    """Return how the match begins now that every seat has its player."""
    settings = match.created.clock
    return Started(None if settings is None else FIRST_PLY_MS.get(speed_of(settings)))


def _next_by_itself(match: Match, now_ms: int, allowance_ms: int) -> Event | None:
    if match.phase is Phase.WAITING:
        return _lapse(match, now_ms)
    return (
        _end(match, now_ms)
        or _fallen_flag(match, now_ms, allowance_ms)
        or _no_show(match, now_ms)
        or next_by_agreement(match, now_ms)
        or _settlement(match, now_ms)
        or _pass(match, now_ms)
    )


def _lapse(match: Match, now_ms: int) -> Ended | None:
    """Return the end of a match whose open seats nobody has taken in time."""
    if match.lapses_at_ms is None or now_ms < match.lapses_at_ms:
        return None
    return Ended(None, Termination.NO_SHOW, "nobody took the open seat in time", None, clocks_ms_of(match, now_ms))


def _end(match: Match, now_ms: int) -> Ended | None:
    state = match.state
    if state.outcome is not None:
        return _judged(match, state.outcome, now_ms)
    if match.limit_at_ms is not None and now_ms >= match.limit_at_ms and state.adjudication is not None:
        return _judged(match, state.adjudication, now_ms)
    return _last_stays(match, now_ms) if match.departures and len(match.staying) == 1 else None


def _fallen_flag(match: Match, now_ms: int, allowance_ms: int) -> Event | None:
    clock = match.clock
    if clock is None or clock.running is None or not clock.has_flag_fallen(now_ms - allowance_ms):
        return None
    return given_up(match, clock.running, "time", now_ms)


def _no_show(match: Match, now_ms: int) -> Ended | None:
    """Return the end without result of a match in which somebody has not made the first ply in time."""
    due_at_ms = match.first_ply_due_at_ms
    if due_at_ms is None or now_ms < due_at_ms or match.state.forced_pass is not None:
        return None
    seat = match.state.seat
    words = f"{match.state.game.seat_names[seat]} did not make the first move in time"
    return Ended(None, Termination.NO_SHOW, words, seat, clocks_ms_of(match, now_ms))


def _settlement(match: Match, now_ms: int) -> StoodIn | None:
    """Return what the votes on a seat come to, if nothing more is waited for."""
    for departure in match.departures:
        if departure.is_decided(match.voters, now_ms):
            choice = departure.choice_of(match.voters)
            return StoodIn(departure.seat, choice, STAND_IN_LEVEL if choice == "bot" else None)
    return None


def _pass(match: Match, now_ms: int) -> Moved | None:
    """Return the pass of a seat that has no other ply or is skipped; it costs no time and gains none."""
    state = match.state
    if match.pause is not None or (state.forced_pass is None and not _is_skipped(match)):
        return None
    return Moved(state.seat, state.format_move(state.game.rules.forced_pass), clocks_ms_of(match, now_ms), forced=True)


def _is_skipped(match: Match) -> bool:
    """Return whether the seat to move is to be passed over: it was left to be skipped, its game lets it pass, and
    somebody who is not skipped can still make a ply, so that the match comes to its end."""
    skipped = {departure.seat for departure in match.departures if departure.stand_in == "skip"}
    state = match.state
    if state.seat not in skipped or not state.can_be_skipped:
        return False
    for _ in range(len(match.players) - 1):
        state = state.after(state.game.rules.forced_pass)
        if state.seat not in skipped and state.outcome is None and state.forced_pass is None:
            return True
    return False


def _judged(match: Match, outcome: Outcome, now_ms: int) -> Ended:
    """Return the end by the rules; those who left rank behind those who stayed."""
    words = match.state.game.rules.end_reasons.get(outcome.reason) or COMMON_ENDINGS[outcome.reason]
    ranks = rank_behind(outcome.ranks, match.departures)
    return Ended(ranks, outcome.reason, words, None, clocks_ms_of(match, now_ms))


def _last_stays(match: Match, now_ms: int) -> Ended:
    """Return the end by which the only seat that was not left wins."""
    last = match.departures[-1]
    (seat,) = match.staying
    words = f"only {match.state.game.seat_names[seat]} has stayed"
    ranks = rank_behind((1,) * len(match.players), match.departures)
    return Ended(ranks, last.reason, words, last.seat, clocks_ms_of(match, now_ms))
