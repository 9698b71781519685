"""Round robins: everybody meets everybody, by Berger tables."""

from collections.abc import Collection

from millrace.protocol import IdentityId

from ..pairing.round_robin import berger_rounds, byes
from ..pairing.swiss_history import Scoring
from ..tournament import Tournament
from .kind import Kind, Question, Ranked, Wave
from .rounds import by_strength, is_round_due, ranked, swiss_of, tables_of

SCORING = Scoring(pairing_bye=0)
"""Everybody has the same number of byes, so they count nothing."""


def rounds_of(tournament: Tournament) -> int:
    """Return how many rounds there are."""
    players = len(tournament.entrants)
    return max(0, players - 1 + players % 2) * (2 if tournament.plan.double else 1)


def _question(tournament: Tournament, _: Collection[IdentityId], now_ms: int) -> Question | None:
    return Question(_paired, (tournament,)) if is_round_due(tournament, now_ms) else None


def _paired(tournament: Tournament) -> Wave:
    """Return the next round; whoever has left loses, or has nothing if the opponent has left too."""
    entrants = tournament.entrants
    players = [each.identity for each in by_strength(tournament)]
    rounds = berger_rounds(players, double=tournament.plan.double)
    number = len(tournament.rounds)
    bye = byes(players, rounds)[number]
    seatings, walkovers = [], []
    for pair in rounds[number]:
        present = [identity for identity in pair if not entrants[identity].is_paused]
        if len(present) == len(pair):
            seatings.append(pair)
        elif present:
            walkovers.append((present[0], pair[1] if present[0] == pair[0] else pair[0]))
    return Wave(seatings, () if bye is None else (bye,), walkovers)


def _is_finished(tournament: Tournament, _: int) -> bool:
    return not tournament.pairs and len(tournament.rounds) >= rounds_of(tournament)


def _standings(tournament: Tournament) -> tuple[Ranked, ...]:
    return ranked(tournament, swiss_of(tournament, rounds_of(tournament), SCORING))


ROUND_ROBIN = Kind(
    most_players=16,
    question=_question,
    is_finished=_is_finished,
    standings=_standings,
    admits=lambda _: False,
    rounds=rounds_of,
    tables=lambda tournament: tables_of(tournament, SCORING),
    clock_of=lambda tournament, _: tournament.plan.clock,
)
