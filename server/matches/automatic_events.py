"""Automatic events: what follows in a match without a command, by the rules, the time, or votes.

Pure; the events are not stored yet. The rules or the time limit end a match, a flag falls, a first ply does not come in
time, a vote is settled, or a seat passes because it has no other ply or is skipped.
"""

from collections.abc import Iterator, Sequence

from millrace.engine.game import Outcome
from millrace.engine.state import State
from millrace.protocol import Ended, Event, Moved, StoodIn, Termination

from .departures import STAND_IN_LEVEL, rank_behind
from .endings import EXPLANATIONS, clocks_ms_of, forfeit
from .flag_fall import fallen_flag
from .fold import apply_next
from .match import Match, Phase
from .offers import next_by_agreement
from .pauses import due_pause


def with_automatic_events(match: Match, events: Sequence[Event], now_ms: int) -> list[Event]:
    """Return the events of a match, followed by the automatic events to which they lead."""
    for event in events:
        match = apply_next(match, event, now_ms)
    return [*events, *automatic_events(match, now_ms)]


def automatic_events(match: Match, now_ms: int, allowance_ms: int = 0) -> Iterator[Event]:
    """Yield the automatic events, one after another, until nothing more follows.

    A flag falls `allowance_ms` late, because a ply that is on its way still counts.
    """
    while match.phase is not Phase.OVER and (event := _next_event(match, now_ms, allowance_ms)) is not None:
        yield event
        match = apply_next(match, event, now_ms)


def is_without_consequences(match: Match, state: State) -> bool:
    """Return True if a ply that leads to `state` surely has no automatic events, as for most plies; False if unsure."""
    is_plain = match.limit_at_ms is None and match.pauses_at_ply is None and not match.departures
    return is_plain and state.outcome is None and state.forced_pass is None


def _next_event(match: Match, now_ms: int, allowance_ms: int) -> Event | None:
    if match.phase is Phase.WAITING:
        return _lapse(match, now_ms)
    return (
        _end(match, now_ms)
        or fallen_flag(match, now_ms, allowance_ms)
        or _missed_first_ply(match, now_ms)
        or due_pause(match, now_ms)
        or next_by_agreement(match, now_ms)
        or _settled_vote(match, now_ms)
        or _pass(match, now_ms)
    )


def _lapse(match: Match, now_ms: int) -> Ended | None:
    """Return the end of a match whose open seats were not taken in time."""
    if match.lapses_at_ms is None or now_ms < match.lapses_at_ms:
        return None
    return Ended(None, Termination.NO_SHOW, "nobody took the open seat in time", None, clocks_ms_of(match, now_ms))


def _end(match: Match, now_ms: int) -> Ended | None:
    state = match.state
    if state.outcome is not None:
        return _end_by_rules(match, state.outcome, now_ms)
    if match.limit_at_ms is not None and now_ms >= match.limit_at_ms and state.adjudication is not None:
        return _end_by_rules(match, state.adjudication, now_ms)
    return _win_of_last(match, now_ms) if match.departures and len(match.staying) == 1 else None


def _missed_first_ply(match: Match, now_ms: int) -> Event | None:
    """Return the end of a match in which a player has not made the first ply in time: without result, but in a
    tournament the player loses, or has left a table of three or four."""
    due_at_ms = match.first_ply_due_at_ms
    if due_at_ms is None or now_ms < due_at_ms or match.state.forced_pass is not None:
        return None
    seat = match.state.seat
    if match.created.tournament is not None and len(match.players) > 2:
        return forfeit(match, seat, "absence", now_ms)
    explanation = f"{match.state.game.seat_names[seat]} did not make the first move in time"
    ranks = None if match.created.tournament is None else tuple(1 + (other == seat) for other in range(2))
    return Ended(ranks, Termination.NO_SHOW, explanation, seat, clocks_ms_of(match, now_ms))


def _settled_vote(match: Match, now_ms: int) -> StoodIn | None:
    """Return how a seat goes on, once all have voted on it or the time for votes is over. In a tournament a bot plays
    on at once."""
    is_in_tournament = match.created.tournament is not None
    for departure in match.departures:
        if departure.stand_in is None and (is_in_tournament or departure.is_decided(match.voters, now_ms)):
            choice = "bot" if is_in_tournament else departure.choice_of(match.voters)
            return StoodIn(departure.seat, choice, STAND_IN_LEVEL if choice == "bot" else None)
    return None


def _pass(match: Match, now_ms: int) -> Moved | None:
    """Return the pass of a seat that has no other ply or is skipped; it costs no time and gains none."""
    state = match.state
    if match.pause is not None or (state.forced_pass is None and not _is_skipped(match)):
        return None
    return Moved(state.seat, state.format_move(state.game.rules.forced_pass), clocks_ms_of(match, now_ms), forced=True)


def _is_skipped(match: Match) -> bool:
    """Return whether to pass for the seat to move: it is to be skipped, its game allows that, and another seat that is
    not skipped can still make a ply, so that the match comes to its end."""
    skipped = {departure.seat for departure in match.departures if departure.stand_in == "skip"}
    state = match.state
    if state.seat not in skipped or not state.can_be_skipped:
        return False
    for _ in range(len(match.players) - 1):
        state = state.after(state.game.rules.forced_pass)
        if state.seat not in skipped and state.outcome is None and state.forced_pass is None:
            return True
    return False


def _end_by_rules(match: Match, outcome: Outcome, now_ms: int) -> Ended:
    """Return the end by the rules; seats that left rank behind those that stayed."""
    explanation = match.state.game.rules.end_reasons.get(outcome.reason) or EXPLANATIONS[outcome.reason]
    ranks = rank_behind(outcome.ranks, match.departures)
    return Ended(ranks, outcome.reason, explanation, None, clocks_ms_of(match, now_ms))


def _win_of_last(match: Match, now_ms: int) -> Ended:
    """Return the end in which the only seat that stayed wins."""
    last = match.departures[-1]
    (seat,) = match.staying
    explanation = f"only {match.state.game.seat_names[seat]} has stayed"
    ranks = rank_behind((1,) * len(match.players), match.departures)
    return Ended(ranks, last.reason, explanation, last.seat, clocks_ms_of(match, now_ms))
