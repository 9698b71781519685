"""What a player's command, or the time, leads to in a tournament.

Pure: time, ratings, ids and who is online are arguments; the events are not stored yet. What a tournament becomes with
its events is `server.tournaments.tournament`.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from millrace.protocol import (
    Code,
    Ended,
    IdentityId,
    MatchId,
    Moved,
    Player,
    RatingKind,
    Started,
    Termination,
    TournamentId,
    TournamentPlan,
)
from millrace.protocol.refusal import Refusal

from ..callers.user_text import require_line, require_showable
from ..journal.entries import Recorded
from ..matches.berserk import suits_berserk
from ..matches.clock import find_fault
from ..matches.creation import is_offered_start
from ..matches.match import Match
from ..matches.named_games import require_game, require_start
from ..matches.speed import speed_of
from .events import (
    AnyEvent,
    Begun,
    Closed,
    Disqualified,
    Halted,
    Joined,
    Opened,
    Pair,
    PairingForbidden,
    PlayerPaused,
    Reminded,
    Scored,
    WavePaired,
    Withdrawn,
)
from .kinds.all_kinds import kind_of
from .kinds.arena import LEAST_MINUTES, require_length
from .kinds.kind import Question, Wave
from .kinds.rounds import DAY_MS, next_round_at_ms
from .kinds.simul import UNSTARTED_MS, is_host, require_casual
from .kinds.swiss import require_rounds
from .tournament import MINUTE_MS, SITE, Tournament

MOST_AHEAD_MS = 60 * 86_400_000
"""How long before its start a tournament may be announced."""
REMINDER_MS = 10 * MINUTE_MS
"""How long before the start the players are reminded."""
MISSED_TO_PAUSE = 2
"""First moves missed after which a player is paused."""
BY_CORRESPONDENCE = ("swiss", "round_robin")
"""The kinds that can have days for each move."""
MOST_FORBIDDEN = 100
"""Pairs of players of a Swiss who are kept apart."""


class Candidate(NamedTuple):
    """A player who wants to join."""

    player: Player
    rating: int
    provisional: bool
    matches: int
    """Rated matches of this kind."""
    password: str = ""


def digest_of(tournament: TournamentId, password: str) -> str:
    """Return what is stored of a password; empty for none. It keeps strangers out of a tournament, nothing more."""
    return hashlib.sha256(f"{tournament}\n{password}".encode()).hexdigest() if password else ""


def rating_kind_of(plan: TournamentPlan) -> RatingKind:
    """Return the kind of ratings of a tournament."""
    return RatingKind(plan.game, plan.seats, speed_of(plan.clock))


def can_berserk(plan: TournamentPlan) -> bool:
    """Return whether players may halve their time."""
    return plan.kind == "arena" and plan.seats == 2 and plan.berserk and suits_berserk(plan.clock)


def require_plan(plan: TournamentPlan, now_ms: int, least_minutes: int = LEAST_MINUTES) -> None:
    """Refuse a tournament that could not be played, or shown. Raises: Refusal."""
    require_line(plan.name)
    require_showable(plan.description)
    if not plan.name.strip():
        raise Refusal(Code.BAD_TOURNAMENT, "A tournament needs a name.")
    game, seats = require_game(plan.game), plan.seats
    if seats not in game.seats:
        raise Refusal(Code.BAD_SEATS, "{game} cannot be played by {seats}.", game=game.title, seats=seats)
    _require_tables(plan)
    start = require_start(plan.game, plan.setup)
    if start.start.seats != 2 or start.outcome is not None:
        raise Refusal(Code.BAD_SETUP, "A tournament needs a start for two players.")
    if plan.rated and not is_offered_start(plan.game, plan.setup, 2):
        raise Refusal(Code.BAD_SETUP, "A rated tournament must use one of the game's own starts.")
    _require_clock(plan)
    if plan.kind == "arena":
        require_length(plan, least_minutes)
    elif plan.kind == "swiss":
        require_rounds(plan)
    elif plan.kind == "simul":
        require_casual(plan)
    if plan.ratings is not None and plan.ratings.least > plan.ratings.most:
        raise Refusal(Code.BAD_TOURNAMENT, "The lowest rating is above the highest.")
    if not now_ms - MINUTE_MS <= plan.starts_at_ms <= now_ms + MOST_AHEAD_MS:
        raise Refusal(Code.BAD_TOURNAMENT, "A tournament starts within the next 60 days.")


def _require_clock(plan: TournamentPlan) -> None:
    """Refuse a clock that does not suit the tournament. Raises: Refusal."""
    if fault := find_fault(plan.clock):
        raise Refusal(Code.BAD_CLOCK, fault)
    if plan.clock.match_limit_ms is not None:
        raise Refusal(Code.BAD_CLOCK, "A tournament needs a clock without a limit for the match.")
    if plan.clock.renews and plan.kind not in BY_CORRESPONDENCE:
        raise Refusal(Code.BAD_CLOCK, "Only a Swiss or a round robin can be played by correspondence.")
    if plan.round_days and not plan.clock.initial_ms <= plan.round_days * DAY_MS * plan.clock.renews:
        raise Refusal(Code.BAD_TOURNAMENT, "Only rounds by correspondence have days, at least those of one move.")


def _require_tables(plan: TournamentPlan) -> None:
    """Refuse tables, or what only tables have, where that is not possible. Raises: Refusal."""
    if plan.seats > 2 and plan.kind != "arena":
        raise Refusal(Code.BAD_TOURNAMENT, "Only arenas have tables of three or four.")
    if plan.seats > 2 and plan.setup:
        raise Refusal(Code.BAD_SETUP, "An arena of tables draws a start for each round.")
    if plan.seats == 2 and plan.duplicate:
        raise Refusal(Code.BAD_TOURNAMENT, "Only tables of three or four can be compared with each other.")


def join(tournament: Tournament, candidate: Candidate) -> list[AnyEvent]:
    """Return what happens when a player joins or comes back; nothing if the player has joined. Raises: Refusal."""
    _require_open(tournament)
    if is_host(tournament, candidate.player.id):
        raise Refusal(Code.NOT_ADMITTED, "You are the host of this exhibition.")
    entrant = tournament.entrants.get(candidate.player.id)
    if entrant is not None and entrant.is_disqualified:
        raise Refusal(Code.NOT_ADMITTED, "You have been disqualified from this tournament.")
    if entrant is None:
        _require_room(tournament)
        _require_admitted(tournament, candidate)
    elif not entrant.is_paused:
        return []
    return [Joined(candidate.player.id, candidate.rating, candidate.provisional)]


def leave(tournament: Tournament, identity: IdentityId) -> list[AnyEvent]:
    """Return what happens when a player leaves, who withdraws before the start and later pauses; nothing if the player
    is not paired anyway. The host of a simul calls it off. Raises: Refusal.
    """
    _require_open(tournament)
    is_planned = tournament.status == "planned"
    if is_host(tournament, identity):
        return [Closed()] if is_planned else []
    entrant = tournament.entrants.get(identity)
    if entrant is None or entrant.is_paused:
        return []
    return [Withdrawn(identity) if is_planned else PlayerPaused(identity)]


def departures(tournament: Tournament, has_gone: Callable[[IdentityId], bool]) -> list[AnyEvent]:
    """Return what happens when accounts are banned or deleted, or may not play here any more: their players leave. A
    simul without its host is called off until its boards are there.
    """
    if tournament.status == "over":
        return []
    if tournament.plan.kind == "simul" and not tournament.rounds and has_gone(tournament.by):
        return [Closed()]
    return [event for each in tournament.entrants if has_gone(each) for event in leave(tournament, each)]


def disqualify(tournament: Tournament, identity: IdentityId, by: IdentityId) -> list[AnyEvent]:
    """Return what happens when a moderator disqualifies a player, also after the end, or the host of a simul, which is
    then called off. Raises: Refusal.
    """
    if is_host(tournament, identity):
        _require_open(tournament)
        return [Closed()]
    entrant = tournament.entrants.get(identity)
    if entrant is None:
        raise Refusal(Code.NOT_JOINED, "This player has not joined the tournament.")
    return [] if entrant.is_disqualified else [Disqualified(identity, by)]


def forbid(tournament: Tournament, players: tuple[IdentityId, IdentityId], *, on: bool) -> list[AnyEvent]:
    """Return what happens when the organiser of a Swiss keeps two players apart, or no longer; nothing if that is so.
    Raises: Refusal.
    """
    _require_open(tournament)
    if tournament.plan.kind != "swiss":
        raise Refusal(Code.BAD_TOURNAMENT, "Players can be kept apart only in a Swiss.")
    if len({*players} & tournament.entrants.keys()) < len(players):
        raise Refusal(Code.NOT_JOINED, "Name two different players who have joined the tournament.")
    if (frozenset(players) in tournament.forbidden) == on:
        return []
    if on and len(tournament.forbidden) >= MOST_FORBIDDEN:
        raise Refusal(Code.BAD_TOURNAMENT, "At most {bound} pairs can be kept apart.", bound=MOST_FORBIDDEN)
    return [PairingForbidden(players, on)]


def due(tournament: Tournament, now_ms: int) -> list[AnyEvent]:
    """Return what the time leads to: a reminder, the start, or the end. A tournament of the calendar that nobody has
    joined ends at its start, a simul that its host has not started an hour later. Every result must have been counted
    before the end.
    """
    if tournament.status == "planned" and tournament.plan.kind == "simul":
        if now_ms >= tournament.plan.starts_at_ms + UNSTARTED_MS:
            return [Closed()]
    elif tournament.status == "planned" and now_ms >= tournament.plan.starts_at_ms:
        return [Begun() if tournament.entrants or tournament.by != SITE.id else Closed()]
    is_soon = tournament.status == "planned" and now_ms >= tournament.plan.starts_at_ms - REMINDER_MS
    if is_soon and not tournament.is_reminded and players_to_remind(tournament):
        return [Reminded()]
    if tournament.status == "running" and kind_of(tournament).is_finished(tournament, now_ms):
        return [Closed()]
    return []


def halted(tournament: Tournament, _: int, since_ms: int, until_ms: int) -> list[AnyEvent]:
    """Return what an interruption, in which nothing could be stored, leads to: the time of a tournament that should
    have been running stood still. Nothing if another node has stored that already.
    """
    from_ms = max(since_ms, tournament.plan.starts_at_ms, tournament.halted_until_ms)
    return [Halted(from_ms, until_ms)] if tournament.status != "over" and from_ms < until_ms else []


def players_to_remind(tournament: Tournament) -> list[IdentityId]:
    """Return the players who joined in good time before the start; the others have just seen when it is."""
    latest_ms = tournament.plan.starts_at_ms - REMINDER_MS
    return [entrant.identity for entrant in tournament.entrants.values() if entrant.waits_since_ms < latest_ms]


def whom_to_pair(tournament: Tournament, online: Collection[IdentityId], now_ms: int) -> Question | None:
    """Return the question whom to pair now; None if no wave or round is due."""
    kind = kind_of(tournament)
    if tournament.status != "running" or kind.is_finished(tournament, now_ms):
        return None
    return kind.question(tournament, online, now_ms)


def wave_of(
    asked: Tournament, now: Tournament, wave: Wave | None, matches: Iterator[MatchId], seed: int
) -> list[AnyEvent]:
    """Return the event of a wave, or the end if nobody can be paired any more.

    Nothing if meanwhile another wave was held or a player has become unavailable, or is another identity since the
    account was deleted; in rounds also if one has come, since
    everybody must be accounted for, or if other players are to be kept apart. `matches` yields new ids, and `seed`
    chooses the pasture of a round of tables.
    """
    has_rounds = now.plan.kind != "arena"
    if now.status != "running" or now.waves != asked.waves:
        return []
    if has_rounds and (_present(now) != _present(asked) or now.forbidden != asked.forbidden):
        return []
    if wave is None:
        return [Closed()]
    players = [identity for seating in wave.seatings for identity in seating]
    entrants = [now.entrants.get(identity) for identity in players if not is_host(now, identity)]
    if not all(entrant and entrant.is_free for entrant in entrants) or not (players or has_rounds):
        return []
    taken = {pair.table for pair in now.pairs.values()}
    tables = (table for table in range(1, 2 * len(now.entrants) + 2) if table not in taken)
    pairs = tuple(Pair(next(matches), seating, next(tables)) for seating in wave.seatings)
    return [WavePaired(pairs, tuple(wave.byes), tuple(wave.walkovers), seed if now.plan.seats > 2 else None)]


def _present(tournament: Tournament) -> list[IdentityId]:
    return [identity for identity, entrant in tournament.entrants.items() if not entrant.is_paused]


def opened(tournament: Tournament, matches: Sequence[MatchId]) -> list[AnyEvent]:
    """Return the event that matches of a wave have been created; nothing if all are known to be, or are over."""
    new = tuple(match for match in matches if match in tournament.pairs and match not in tournament.opened)
    return [Opened(new)] if new else []


def score(tournament: Tournament, match: Match) -> list[AnyEvent]:
    """Return what the end of a match leads to: nothing if it is not one of the tournament's, was counted before, or
    ended too late in an arena for two seats."""
    pair = tournament.pairs.get(match.id)
    ended = match.ended
    if pair is None or ended is None or match.ended_at_ms is None:
        return []
    deadline_ms = None if tournament.has_rounds else tournament.deadline_ms
    if deadline_ms is not None and match.ended_at_ms > deadline_ms:
        return []
    ranks = None if match.is_void else ended.ranks
    absent = ended.seat if _has_not_come(match) else None
    scored = Scored(match.id, ranks, match.state.ply, tuple(sorted(match.berserk)), absent)
    if tournament.plan.seats > 2:
        scored = replace(scored, left=_left_seats(match, ended), cells=_cells_of(match))
    events: list[AnyEvent] = [scored]
    for seat in scored.left if absent is None else (absent,):
        entrant = tournament.entrants[pair.players[seat]]
        if entrant.missed + 1 >= MISSED_TO_PAUSE and not entrant.is_paused:
            events.append(PlayerPaused(entrant.identity, "missed"))
    return events


def is_round_over(tournament: Tournament, now_ms: int) -> bool:
    """Return whether the date has come at which a round ends, with matches that are not finished."""
    return bool(tournament.plan.round_days and tournament.pairs) and now_ms >= next_round_at_ms(tournament)


def score_unfinished(tournament: Tournament, now_ms: int, match: Match, recorded: Sequence[Recorded]) -> list[AnyEvent]:
    """Return what the end of a round by date leads to for a match that is being played: the player whose turns have
    taken longer in all has lost. Nothing if the match is over. `recorded` are its events.
    """
    if match.id not in tournament.pairs or match.to_move is None:
        return []
    used_ms, from_ms = [0, 0], now_ms
    for event, at_ms in ((each.entry.event, each.entry.at_ms) for each in recorded):
        if isinstance(event, Moved):
            used_ms[event.seat] += at_ms - from_ms
        if isinstance(event, Moved | Started):
            from_ms = at_ms
    used_ms[match.to_move] += now_ms - from_ms
    first, second = used_ms
    return [Scored(match.id, (1 + (first > second), 1 + (second > first)), match.state.ply)]


def _left_seats(match: Match, ended: Ended) -> tuple[int, ...]:
    """Return the seats whose players have left a table; a smaller one of two has ended with that."""
    left = [departure.seat for departure in match.departures]
    return tuple(left) if ended.seat is None or ended.seat in left else (*left, ended.seat)


def _cells_of(match: Match) -> tuple[int, ...] | None:
    """Return what the game counts for each seat first, its cells; None unless the match was played to its end."""
    return None if match.state.outcome is None else next((tally.counts for tally in match.state.tallies), None)


def _has_not_come(match: Match) -> bool:
    """Return whether a match has ended because a player did not make the first move in time; by correspondence, the
    clock is the limit for it."""
    assert match.ended is not None
    clock, reason = match.created.clock, match.ended.reason
    is_by_clock = clock is not None and clock.renews and reason == Termination.TIME
    return reason == Termination.NO_SHOW or (is_by_clock and match.state.ply < len(match.players))


def _require_open(tournament: Tournament) -> None:
    if tournament.status == "over":
        raise Refusal(Code.TOURNAMENT_OVER, "This tournament is over.")


def _require_room(tournament: Tournament) -> None:
    kind = kind_of(tournament)
    if tournament.status == "running" and not kind.admits(tournament):
        raise Refusal(Code.NOT_ADMITTED, "This tournament has begun; it is too late to join.")
    if len(tournament.entrants) >= kind.most_players:
        raise Refusal(Code.NOT_ADMITTED, "This tournament is full.")


def _require_admitted(tournament: Tournament, candidate: Candidate) -> None:
    plan = tournament.plan
    if candidate.player.bot and not plan.bots:
        raise Refusal(Code.NOT_FOR_BOTS, "This tournament is for people only.")
    if tournament.password and digest_of(tournament.id, candidate.password) != tournament.password:
        raise Refusal(Code.NOT_ADMITTED, "The password of this tournament is different.")
    if plan.ratings is not None and not plan.ratings.least <= candidate.rating <= plan.ratings.most:
        raise Refusal(
            Code.NOT_ADMITTED,
            "This tournament is for ratings from {least} to {most}; yours is {rating}.",
            least=plan.ratings.least,
            most=plan.ratings.most,
            rating=candidate.rating,
        )
    if candidate.matches < plan.least_matches:
        raise Refusal(
            Code.NOT_ADMITTED,
            "You need {least} rated matches of this kind to join; you have played {matches}.",
            least=plan.least_matches,
            matches=candidate.matches,
        )
