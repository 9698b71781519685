"""Swiss tournaments: each round pairs players with equal scores who have not met, by FIDE's Dutch system."""

from collections.abc import Collection, Sequence

from millrace.protocol import Code, IdentityId, TournamentPlan
from millrace.protocol.refusal import Refusal

from ..pairing.swiss import NoPairingError, pair_round
from ..pairing.swiss_history import Scoring, Swiss
from ..tournament import Tournament
from .kind import Kind, Question, Ranked, Wave
from .rounds import by_strength, is_round_due, ranked, swiss_of, tables_of

LEAST_ROUNDS = 3
SCORING = Scoring()
PAIRED_QUICKLY = 8
"""Players whom a round pairs within a few milliseconds."""


def require_rounds(plan: TournamentPlan) -> None:
    """Refuse a Swiss of too few rounds. Raises: Refusal."""
    if plan.rounds < LEAST_ROUNDS:
        raise Refusal(Code.BAD_TOURNAMENT, "A Swiss has 3 to 15 rounds.")


def report_of(tournament: Tournament) -> Swiss:
    """Return a tournament as it is reported, and as the next round is paired; players are numbered by strength."""
    return swiss_of(tournament, tournament.plan.rounds, SCORING)


def _question(tournament: Tournament, _: Collection[IdentityId], now_ms: int) -> Question | None:
    if not is_round_due(tournament, now_ms):
        return None
    players = tuple(each.identity for each in by_strength(tournament))
    return Question(_paired, (report_of(tournament), players), len(players) > PAIRED_QUICKLY)


def _paired(swiss: Swiss, players: Sequence[IdentityId]) -> Wave | None:
    try:
        pairs, bye = pair_round(swiss)
    except NoPairingError:
        return None
    seatings = [(players[white - 1], players[black - 1]) for white, black in pairs]
    return Wave(seatings, () if bye is None else (players[bye - 1],)) if seatings else None


def _is_finished(tournament: Tournament, _: int) -> bool:
    return not tournament.pairs and len(tournament.rounds) >= tournament.plan.rounds


def _admits(tournament: Tournament) -> bool:
    return 2 * len(tournament.rounds) <= tournament.plan.rounds


def _standings(tournament: Tournament) -> tuple[Ranked, ...]:
    return ranked(tournament, report_of(tournament))


SWISS = Kind(
    most_players=100,
    question=_question,
    is_finished=_is_finished,
    standings=_standings,
    admits=_admits,
    rounds=lambda tournament: tournament.plan.rounds,
    tables=lambda tournament: tables_of(tournament, SCORING),
    clock_of=lambda tournament, _: tournament.plan.clock,
)
