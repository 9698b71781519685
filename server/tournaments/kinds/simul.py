"""Simultaneous exhibitions: the host plays all accepted players at once.

The host is the organiser and no entrant. Everyone else who joins applies, and plays if the host accepts them.
"""

from collections.abc import Collection

from millrace.protocol import Code, IdentityId, TournamentPlan
from millrace.protocol.refusal import Refusal

from ..events import Accepted, AnyEvent, Begun
from ..pairing.swiss_history import Scoring
from ..tournament import MINUTE_MS, Tournament
from .kind import Kind, Question, Ranked, Seating, Wave
from .rounds import tables_of

MOST_BOARDS = 40
UNSTARTED_MS = 60 * MINUTE_MS
"""How long after its announced time a simul that has not been started is called off."""


def require_casual(plan: TournamentPlan) -> None:
    """Refuse a rated simul. Raises: Refusal."""
    if plan.rated:
        raise Refusal(Code.BAD_TOURNAMENT, "A simultaneous exhibition is not rated.")


def is_host(tournament: Tournament, identity: IdentityId) -> bool:
    """Return whether a player is the host of a simul."""
    return tournament.plan.kind == "simul" and tournament.by == identity


def accept(tournament: Tournament, identity: IdentityId, *, on: bool) -> list[AnyEvent]:
    """Return what happens when the host accepts a player, or removes one; nothing if that is so. Raises: Refusal."""
    _require_simul(tournament)
    entrant = tournament.entrants.get(identity)
    if entrant is None:
        raise Refusal(Code.NOT_JOINED, "This player has not joined the tournament.")
    if entrant.is_accepted == on:
        return []
    if tournament.status != "planned":
        raise Refusal(Code.ALREADY_STARTED, "The exhibition has begun; its players stay as they are.")
    if on and len(_accepted(tournament)) >= MOST_BOARDS:
        raise Refusal(Code.BAD_TOURNAMENT, "A host plays at most {bound} boards.", bound=MOST_BOARDS)
    return [Accepted(identity, on)]


def start(tournament: Tournament) -> list[AnyEvent]:
    """Return what happens when the host starts; nothing if the simul has begun. Raises: Refusal."""
    _require_simul(tournament)
    if tournament.status == "planned" and not _accepted(tournament):
        raise Refusal(Code.BAD_TOURNAMENT, "Accept a player first.")
    return [Begun()] if tournament.status == "planned" else []


def _require_simul(tournament: Tournament) -> None:
    if tournament.plan.kind != "simul":
        raise Refusal(Code.BAD_TOURNAMENT, "Only a simultaneous exhibition has a host.")
    if tournament.status == "over":
        raise Refusal(Code.TOURNAMENT_OVER, "This tournament is over.")


def _accepted(tournament: Tournament) -> list[IdentityId]:
    """Return whom the host plays, in the order of their applications."""
    return [each.identity for each in tournament.entrants.values() if each.is_accepted and each.is_free]


def _question(tournament: Tournament, _: Collection[IdentityId], _now_ms: int) -> Question | None:
    return None if tournament.rounds else Question(_paired, (tournament,))


def _paired(tournament: Tournament) -> Wave:
    return Wave([_seating(tournament, table, each) for table, each in enumerate(_accepted(tournament), 1)])


def _seating(tournament: Tournament, table: int, player: IdentityId) -> Seating:
    seat = tournament.plan.host_seat
    is_first = table % 2 == 1 if seat == "alternating" else seat == "first"
    return (tournament.by, player) if is_first else (player, tournament.by)


def _standings(tournament: Tournament) -> tuple[Ranked, ...]:
    """Return the accepted players by score, then the others, each in the order of their applications."""
    scores = {
        identity: points
        for table in tables_of(tournament, Scoring())
        for identity, points in zip(table.players, table.points or (), strict=False)
    }
    rows = [
        Ranked(each, scores.get(each.identity, 0), (scores[each.identity],) if each.identity in scores else (), None)
        for each in tournament.entrants.values()
    ]
    return tuple(sorted(rows, key=_standing_key))


def _standing_key(row: Ranked) -> tuple[bool, bool, int, int]:
    return row.entrant.is_disqualified, not row.entrant.is_accepted, -row.score, row.entrant.order


SIMUL = Kind(
    most_players=200,
    question=_question,
    is_finished=lambda tournament, _: bool(tournament.rounds) and not tournament.pairs,
    standings=_standings,
    admits=lambda _: False,
    rounds=lambda _: 1,
    tables=lambda tournament: tables_of(tournament, Scoring()),
    clock_of=lambda tournament, _: tournament.plan.clock,
)
