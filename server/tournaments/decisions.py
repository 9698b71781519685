"""What a player's command, or the time, leads to in a tournament.

Pure: time, ratings, ids and who is online are arguments; the events are not stored yet. What a tournament becomes with
its events is `server.tournaments.tournament`.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from millrace.protocol import (
    ArenaPlan,
    ClockSettings,
    Code,
    IdentityId,
    MatchId,
    Player,
    RatingKind,
    Termination,
    TournamentId,
)
from millrace.protocol.refusal import Refusal

from ..matches.berserk import suits_berserk
from ..matches.clock import find_fault
from ..matches.creation import is_offered_start
from ..matches.match import Match
from ..matches.named_games import require_game, require_start
from ..matches.speed import expected_ms, speed_of
from .arena_pairing import Seating, Waiting
from .events import (
    AnyEvent,
    Begun,
    Closed,
    Disqualified,
    Joined,
    Opened,
    Pair,
    PlayerPaused,
    Reminded,
    Scored,
    WavePaired,
    Withdrawn,
)
from .tournament import MINUTE_MS, SITE, Entrant, Tournament

SEATS = 2
LEAST_MINUTES = 20
LEAST_MATCHES, MOST_MATCHES = 3, 150
"""How many matches of its clock an arena must have room for."""
MOST_AHEAD_MS = 60 * 86_400_000
"""How long before its start a tournament may be announced."""
BETWEEN_MS = 15_000
"""What passes between two matches of a player."""
SHARE_OF_TIME = 0.8
"""The share of the expected thinking time that matches take on average."""
WAVE_SHARE = 0.1
"""Of an expected match: the time between two waves, within these bounds."""
LEAST_WAVE_MS, MOST_WAVE_MS = 8_000, 50_000
LEAST_WAIT_MS = 2_000
"""How long a player who is about to be paired had at least to see the last board."""
REMINDER_MS = 10 * MINUTE_MS
"""How long before the start the players are reminded."""
MISSED_TO_PAUSE = 2
"""First moves missed after which a player is paused."""


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


def kind_of(plan: ArenaPlan) -> RatingKind:
    """Return the kind of ratings of an arena."""
    return RatingKind(plan.game, SEATS, speed_of(plan.clock))


def expected_match_ms(clock: ClockSettings) -> int:
    """Return how long a match with a clock takes on average, and what passes until the next one.

    >>> expected_match_ms(ClockSettings(180_000, 2_000))
    431000
    """
    return round(SEATS * SHARE_OF_TIME * expected_ms(clock)) + BETWEEN_MS


def wave_ms(clock: ClockSettings) -> int:
    """Return the time between two waves.

    >>> [wave_ms(ClockSettings(ms)) for ms in (15_000, 180_000, 1_800_000)]
    [8000, 30300, 50000]
    """
    return min(MOST_WAVE_MS, max(LEAST_WAVE_MS, round(WAVE_SHARE * expected_match_ms(clock))))


def can_berserk(plan: ArenaPlan) -> bool:
    """Return whether players may halve their time."""
    return plan.berserk and suits_berserk(plan.clock)


def require_plan(plan: ArenaPlan, now_ms: int, least_minutes: int = LEAST_MINUTES) -> None:
    """Refuse an arena that could not be played. Raises: Refusal."""
    game = require_game(plan.game)
    if SEATS not in game.seats:
        raise Refusal(Code.BAD_SEATS, "{game} cannot be played by {seats}.", game=game.title, seats=SEATS)
    start = require_start(plan.game, plan.setup)
    if start.start.seats != SEATS or start.outcome is not None:
        raise Refusal(Code.BAD_SETUP, "An arena needs a start for two players.")
    if plan.rated and not is_offered_start(plan.game, plan.setup, SEATS):
        raise Refusal(Code.BAD_SETUP, "A rated tournament must use one of the game's own starts.")
    if fault := find_fault(plan.clock):
        raise Refusal(Code.BAD_CLOCK, fault)
    if plan.clock.renews or plan.clock.match_limit_ms is not None:
        raise Refusal(Code.BAD_CLOCK, "An arena needs a clock for the whole match, without a limit for it.")
    if plan.minutes < least_minutes:
        raise Refusal(Code.BAD_TOURNAMENT, "An arena lasts {least} to 720 minutes.", least=least_minutes)
    _require_room(plan, least_minutes)
    if not now_ms - MINUTE_MS <= plan.starts_at_ms <= now_ms + MOST_AHEAD_MS:
        raise Refusal(Code.BAD_TOURNAMENT, "An arena starts within the next 60 days.")


def _require_room(plan: ArenaPlan, least_minutes: int) -> None:
    matches = plan.minutes * MINUTE_MS / expected_match_ms(plan.clock)
    if matches < LEAST_MATCHES and least_minutes == LEAST_MINUTES:
        raise Refusal(Code.BAD_TOURNAMENT, "That is too short for this clock; choose more minutes.")
    if matches > MOST_MATCHES:
        raise Refusal(Code.BAD_TOURNAMENT, "That is too long for this clock; choose fewer minutes.")


def join(tournament: Tournament, candidate: Candidate) -> list[AnyEvent]:
    """Return what happens when a player joins or comes back; nothing if the player has joined. Raises: Refusal."""
    _require_open(tournament)
    entrant = tournament.entrants.get(candidate.player.id)
    if entrant is not None and entrant.is_disqualified:
        raise Refusal(Code.NOT_ADMITTED, "You have been disqualified from this tournament.")
    if entrant is None:
        _require_admitted(tournament, candidate)
    elif not entrant.is_paused:
        return []
    return [Joined(candidate.player.id, candidate.rating, candidate.provisional)]


def leave(tournament: Tournament, identity: IdentityId) -> list[AnyEvent]:
    """Return what happens when a player leaves, who withdraws before the start and later pauses; nothing if the player
    is not paired anyway. Raises: Refusal.
    """
    _require_open(tournament)
    entrant = tournament.entrants.get(identity)
    if entrant is None or entrant.is_paused:
        return []
    return [Withdrawn(identity) if tournament.status == "planned" else PlayerPaused(identity)]


def disqualify(tournament: Tournament, identity: IdentityId, by: IdentityId) -> list[AnyEvent]:
    """Return what happens when a moderator disqualifies a player, also after the end. Raises: Refusal."""
    entrant = tournament.entrants.get(identity)
    if entrant is None:
        raise Refusal(Code.NOT_JOINED, "This player has not joined the tournament.")
    return [] if entrant.is_disqualified else [Disqualified(identity, by)]


def due(tournament: Tournament, now_ms: int) -> list[AnyEvent]:
    """Return what the time leads to: a reminder, the start, or the end. An arena of the calendar that nobody has joined
    ends at its start. Every result must have been counted before the end.
    """
    if tournament.status == "planned" and now_ms >= tournament.plan.starts_at_ms:
        return [Begun() if tournament.entrants or tournament.by != SITE.id else Closed()]
    is_soon = tournament.status == "planned" and now_ms >= tournament.plan.starts_at_ms - REMINDER_MS
    if is_soon and not tournament.is_reminded and players_to_remind(tournament):
        return [Reminded()]
    if tournament.status == "running" and now_ms >= tournament.ends_at_ms:
        return [Closed()]
    return []


def players_to_remind(tournament: Tournament) -> list[IdentityId]:
    """Return the players who joined in good time before the start; the others have just seen when it is."""
    latest_ms = tournament.plan.starts_at_ms - REMINDER_MS
    return [entrant.identity for entrant in tournament.entrants.values() if entrant.waits_since_ms < latest_ms]


def waiting_players(tournament: Tournament, online: Collection[IdentityId], now_ms: int) -> list[Waiting]:
    """Return the players who can be paired, if a wave is due; otherwise nobody.

    A wave is due a certain time after the last one, or as soon as all matches are over. A player who has just finished
    waits for the next wave.
    """
    if tournament.status != "running" or now_ms >= tournament.ends_at_ms:
        return []
    free = [
        _waiting(entrant, rank)
        for rank, entrant in enumerate(tournament.standings, 1)
        if _is_free(entrant) and entrant.identity in online
    ]
    waiting = [each for each in free if now_ms - each.waits_since_ms >= LEAST_WAIT_MS]
    everyone_waits = not tournament.pairs and len(waiting) == len(free)
    is_due = everyone_waits or now_ms - tournament.wave_at_ms >= wave_ms(tournament.plan.clock)
    return waiting if is_due and len(waiting) >= SEATS else []


def wave_of(tournament: Tournament, seatings: Sequence[Seating], matches: Iterator[MatchId]) -> list[AnyEvent]:
    """Return the event of a wave, if all its players are still free. `matches` yields new ids."""
    players = [identity for seating in seatings for identity in seating]
    if tournament.status != "running" or not seatings:
        return []
    if any(not _is_free(tournament.entrants.get(identity)) for identity in players):
        return []
    taken = {pair.table for pair in tournament.pairs.values()}
    tables = (table for table in range(1, 2 * len(tournament.entrants) + 2) if table not in taken)
    return [WavePaired(tuple(Pair(next(matches), seating, next(tables)) for seating in seatings))]


def opened(tournament: Tournament, matches: Sequence[MatchId]) -> list[AnyEvent]:
    """Return the event that matches of a wave have been created; nothing if all are known to be, or are over."""
    new = tuple(match for match in matches if match in tournament.pairs and match not in tournament.opened)
    return [Opened(new)] if new else []


def score(tournament: Tournament, match: Match) -> list[AnyEvent]:
    """Return what the end of a match leads to: nothing if it is not one of the tournament's, was counted before, or
    ended too late."""
    pair = tournament.pairs.get(match.id)
    ended = match.ended
    if pair is None or ended is None or match.ended_at_ms is None or match.ended_at_ms > tournament.ends_at_ms:
        return []
    ranks = None if ended.ranks is None or match.is_void else (ended.ranks[0], ended.ranks[1])
    absent = ended.seat if ended.reason == Termination.NO_SHOW else None
    events: list[AnyEvent] = [Scored(match.id, ranks, match.state.ply, tuple(sorted(match.berserk)), absent)]
    if absent is not None:
        entrant = tournament.entrants[pair.players[absent]]
        if entrant.missed + 1 >= MISSED_TO_PAUSE and not entrant.is_paused:
            events.append(PlayerPaused(entrant.identity, "missed"))
    return events


def _waiting(entrant: Entrant, rank: int) -> Waiting:
    return Waiting(entrant.identity, rank, entrant.rating, entrant.waits_since_ms, entrant.opponents, entrant.seats)


def _is_free(entrant: Entrant | None) -> bool:
    return entrant is not None and entrant.match is None and not entrant.is_paused


def _require_open(tournament: Tournament) -> None:
    if tournament.status == "over":
        raise Refusal(Code.TOURNAMENT_OVER, "This tournament is over.")


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
