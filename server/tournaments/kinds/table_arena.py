"""Arenas of three and four seats: tables by rank, a pasture for each round, and points by place.

Everybody waits for the last table of a round, so that all cells on a pasture can be compared. When the time is over, no
round begins, and the one being played is finished.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from millrace.protocol import IdentityId, MatchId

from ..events import Pair, Scored
from ..pairing.tables import (
    TableSeat,
    duplicate_differences,
    place_points,
    rotate_seats,
    seat_at_tables,
    table_sizes,
)
from ..tournament import Entrant, Tournament
from .kind import Kind, Question, Ranked, Table, Wave
from .rounds import is_round_due

TWELFTHS = 12
"""Scores are in twelfths of a point: two, three or four may share points."""
PAIRED_QUICKLY = 8
"""Players whom a round seats within a few milliseconds."""


class _SeatResult(NamedTuple):
    """What a player has for a table."""

    player: IdentityId
    points: int
    """Twelfths."""
    difference: Fraction
    is_first: bool


def _is_finished(tournament: Tournament, now_ms: int) -> bool:
    return tournament.deadline_ms is not None and now_ms >= tournament.deadline_ms and not tournament.pairs


def _question(tournament: Tournament, online: Collection[IdentityId], now_ms: int) -> Question | None:
    if not is_round_due(tournament, now_ms):
        return None
    ranked = (each.entrant for each in tournament.once(_standings))
    here = [entrant for entrant in ranked if entrant.is_free and entrant.identity in online]
    seats = tournament.plan.seats
    while here and table_sizes(len(here), seats) is None:
        # The player with the most matches waits; of several the last.
        here.remove(max(reversed(here), key=lambda each: len(each.seats)))
    return Question(_paired, (tuple(here), seats), len(here) > PAIRED_QUICKLY) if here else None


def _paired(ranked: Sequence[Entrant], seats: int) -> Wave:
    """Return the tables of a round. `ranked` are the players in order, whom tables can seat without leaving any out."""
    sizes = table_sizes(len(ranked), seats)
    assert sizes is not None
    met = {each.identity: Counter(each.opponents) for each in ranked}
    sat = {each.identity: [each.seats.count(seat) for seat in range(seats)] for each in ranked}
    tables = seat_at_tables([each.identity for each in ranked], sizes, met)
    return Wave([tuple(rotate_seats(table, sat)) for table in tables])


def _seats_of(pair: Pair, scored: Scored, out: Collection[IdentityId]) -> list[TableSeat]:
    """Return how the seats of a table ended; who left, or is `out`, has nothing."""
    assert scored.ranks is not None
    cells = scored.cells or (None,) * len(pair.players)
    return [
        TableSeat(identity, rank, count, seat in scored.left or identity in out)
        for seat, (identity, rank, count) in enumerate(zip(pair.players, scored.ranks, cells, strict=True))
    ]


@lru_cache(maxsize=256)
def _round_results(
    pairs: tuple[Pair, ...], scored: tuple[Scored, ...], out: frozenset[IdentityId]
) -> Mapping[MatchId, Sequence[_SeatResult]]:
    """Return the results of those tables of a round that have one, by seat; `out` are the disqualified players."""
    by_match = {each.match: each for each in scored if each.ranks is not None}
    tables = {pair.match: _seats_of(pair, by_match[pair.match], out) for pair in pairs if pair.match in by_match}
    differences = duplicate_differences(tables.values())
    found = {}
    for match, table in tables.items():
        points = place_points(table)
        best = min((seat.place for seat in table if not seat.stand_in), default=None)
        found[match] = [
            _SeatResult(
                IdentityId(seat.player),
                int(TWELFTHS * points[seat.player]),
                differences[seat.player],
                not seat.stand_in and seat.place == best,
            )
            for seat in table
        ]
    return found


def _results(tournament: Tournament) -> list[Mapping[MatchId, Sequence[_SeatResult]]]:
    """Return the results of each round."""
    out = frozenset(each.identity for each in tournament.entrants.values() if each.is_disqualified)
    return [_round_results(each.pairs, tuple(each.scored.values()), out) for each in tournament.rounds]


def _standings(tournament: Tournament) -> tuple[Ranked, ...]:
    """Return the players by points, then difference, or the other way round in a duplicate; then by rating."""
    played: dict[IdentityId, list[_SeatResult]] = {identity: [] for identity in tournament.entrants}
    for result in (result for round_ in _results(tournament) for table in round_.values() for result in table):
        played[result.player].append(result)
    rows = [_ranked(tournament.entrants[identity], results) for identity, results in played.items()]

    def key(row: Ranked) -> tuple[bool, Fraction, Fraction, int, int]:
        merits = Fraction(-row.score), -(row.difference or Fraction(0))
        first, second = reversed(merits) if tournament.plan.duplicate else merits
        return row.entrant.is_disqualified, first, second, -row.entrant.rating, row.entrant.order

    return tuple(sorted(rows, key=key))


def _ranked(entrant: Entrant, results: Sequence[_SeatResult]) -> Ranked:
    points = tuple(each.points for each in results)
    difference = sum((each.difference for each in results), Fraction(0))
    first_places = sum(each.is_first for each in results)
    return Ranked(entrant, sum(points), points, None, difference=difference, first_places=first_places)


def _tables(tournament: Tournament) -> tuple[Table, ...]:
    tables = []
    for number, (round_, results) in enumerate(zip(tournament.rounds, _results(tournament), strict=True), 1):
        for pair in round_.pairs:
            points = tuple(each.points for each in results[pair.match]) if pair.match in results else None
            tables.append(Table(number, pair.table, pair.players, pair, points))
    return tuple(tables)


TABLE_ARENA = Kind(
    most_players=100,
    question=_question,
    is_finished=_is_finished,
    standings=_standings,
    admits=lambda _: True,
    rounds=lambda _: 0,
    tables=_tables,
    clock_of=lambda tournament, _: tournament.plan.clock,
)
