"""Arenas: players are paired in waves until the time is over."""

from collections.abc import Collection

from millrace.protocol import ClockSettings, Code, IdentityId, TournamentPlan
from millrace.protocol.refusal import Refusal

from ...matches.speed import expected_ms
from ..tournament import MINUTE_MS, Entrant, Tournament
from .arena_pairing import Waiting, pair_wave
from .kind import Kind, Question, Ranked, Wave

SEATS = 2
LEAST_MINUTES = 20
LEAST_MATCHES, MOST_MATCHES = 3, 150
"""How many matches of its clock an arena must have room for."""
BETWEEN_MS = 15_000
"""What passes between two matches of a player."""
SHARE_OF_TIME = 0.8
"""The share of the expected thinking time that matches take on average."""
WAVE_SHARE = 0.1
"""Of an expected match: the time between two waves, within these bounds."""
LEAST_WAVE_MS, MOST_WAVE_MS = 8_000, 50_000
LEAST_WAIT_MS = 2_000
"""How long a player who is about to be paired had at least to see the last board."""
PAIRED_QUICKLY = 16
"""Players whom a wave pairs within a few milliseconds."""


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


def require_length(plan: TournamentPlan, least_minutes: int = LEAST_MINUTES) -> None:
    """Refuse an arena that is too short or too long. Raises: Refusal."""
    if plan.minutes < least_minutes:
        raise Refusal(Code.BAD_TOURNAMENT, "An arena lasts {least} to 720 minutes.", least=least_minutes)
    matches = plan.minutes * MINUTE_MS / expected_match_ms(plan.clock)
    if matches < LEAST_MATCHES and least_minutes == LEAST_MINUTES:
        raise Refusal(Code.BAD_TOURNAMENT, "That is too short for this clock; choose more minutes.")
    if matches > MOST_MATCHES:
        raise Refusal(Code.BAD_TOURNAMENT, "That is too long for this clock; choose fewer minutes.")


def _waiting_players(tournament: Tournament, online: Collection[IdentityId], now_ms: int) -> list[Waiting]:
    """Return the players who can be paired, if a wave is due; otherwise nobody.

    A wave is due a certain time after the last one, or as soon as all matches are over. A player who has just finished
    waits for the next wave.
    """
    is_late = now_ms - tournament.wave_at_ms >= wave_ms(tournament.plan.clock)
    if tournament.pairs and not is_late:
        return []
    free = [
        _waiting(ranked.entrant, rank)
        for rank, ranked in enumerate(tournament.once(_standings), 1)
        if ranked.entrant.is_free and ranked.entrant.identity in online
    ]
    waiting = [each for each in free if now_ms - each.waits_since_ms >= LEAST_WAIT_MS]
    everyone_waits = len(waiting) == len(free)
    return waiting if (is_late or everyone_waits) and len(waiting) >= SEATS else []


def _waiting(entrant: Entrant, rank: int) -> Waiting:
    return Waiting(entrant.identity, rank, entrant.rating, entrant.waits_since_ms, entrant.opponents, entrant.seats)


def _question(tournament: Tournament, online: Collection[IdentityId], now_ms: int) -> Question | None:
    waiting = _waiting_players(tournament, online, now_ms)
    if not waiting:
        return None
    is_first = not tournament.waves
    is_long = not is_first and len(waiting) > PAIRED_QUICKLY
    return Question(_paired, (tuple(waiting), len(tournament.entrants), is_first), is_long)


def _paired(waiting: tuple[Waiting, ...], players: int, is_first: bool) -> Wave:
    return Wave(pair_wave(waiting, players, is_first=is_first))


def _is_finished(tournament: Tournament, now_ms: int) -> bool:
    return tournament.deadline_ms is not None and now_ms >= tournament.deadline_ms


def _standings(tournament: Tournament) -> tuple[Ranked, ...]:
    """Return the players by score, then performance, then rating."""
    ordered = sorted(tournament.entrants.values(), key=_standing_key)
    return tuple(Ranked(each, each.score, each.points, each.performance) for each in ordered)


def _standing_key(entrant: Entrant) -> tuple[bool, int, int, int, int]:
    performance = entrant.performance or 0
    return entrant.is_disqualified, -entrant.score, -performance, -entrant.rating, entrant.order


ARENA = Kind(
    most_players=5_000,
    question=_question,
    is_finished=_is_finished,
    standings=_standings,
    admits=lambda _: True,
    rounds=lambda _: 0,
    tables=lambda _: (),
    clock_of=lambda tournament, _: tournament.plan.clock,
)
