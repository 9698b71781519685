"""Arenas of three and four seats: tables by rank, a pasture for each round, and points by place.

Everybody waits for the last table of a round, so that all cells on a pasture can be compared. When the time is over, no
round begins, and the one being played is finished.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from millrace.protocol import IdentityId

from ..events import Pair, Scored
from ..pairing.tables import (
    TableSeat,
    duplicate_differences,
    place_points,
    rotate_seats,
    seat_at_tables,
    table_sizes,
)
from ..tournament import Entrant, Round, Tournament
from .kind import Kind, Question, Ranked, Table, Wave
from .rounds import is_round_due

TWELFTHS = 12
"""Scores are in twelfths of a point: two, three or four may share points."""
PAIRED_QUICKLY = 8
"""Players whom a round seats within a few milliseconds."""


class _Results(NamedTuple):
    """What a player has done at tables."""

    points: tuple[int, ...] = ()
    """Twelfths, of each table."""
    difference: Fraction = Fraction(0)
    first_places: int = 0


def _is_time_over(tournament: Tournament, now_ms: int) -> bool:
    return tournament.deadline_ms is not None and now_ms >= tournament.deadline_ms


def _is_finished(tournament: Tournament, now_ms: int) -> bool:
    return _is_time_over(tournament, now_ms) and not tournament.pairs


def _question(tournament: Tournament, online: Collection[IdentityId], now_ms: int) -> Question | None:
    if not is_round_due(tournament, now_ms):
        return None
    here = [each.entrant for each in _standings(tournament) if each.entrant.is_free and each.entrant.identity in online]
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


def _seats_of(pair: Pair, scored: Scored, entrants: Mapping[IdentityId, Entrant]) -> list[TableSeat]:
    """Return how the seats of a table ended; who left, or is disqualified, has nothing."""
    assert scored.ranks is not None
    cells = scored.cells or (None,) * len(pair.players)
    return [
        TableSeat(identity, rank, count, seat in scored.left or entrants[identity].is_disqualified)
        for seat, (identity, rank, count) in enumerate(zip(pair.players, scored.ranks, cells, strict=True))
    ]


def _finished_tables(round_: Round, entrants: Mapping[IdentityId, Entrant]) -> list[list[TableSeat]]:
    """Return the tables of a round that have a result."""
    scored = ((pair, round_.scored.get(pair.match)) for pair in round_.pairs)
    return [_seats_of(pair, each, entrants) for pair, each in scored if each is not None and each.ranks is not None]


def _results(tournament: Tournament) -> Mapping[IdentityId, _Results]:
    found = dict.fromkeys(tournament.entrants, _Results())
    for round_ in tournament.rounds:
        tables = _finished_tables(round_, tournament.entrants)
        differences = duplicate_differences(tables)
        for table in tables:
            points = place_points(table)
            best = min((seat.place for seat in table if not seat.stand_in), default=0)
            for seat in table:
                identity = IdentityId(seat.player)
                before = found[identity]
                found[identity] = _Results(
                    (*before.points, int(TWELFTHS * points[identity])),
                    before.difference + differences[identity],
                    before.first_places + (not seat.stand_in and seat.place == best),
                )
    return found


def _standings(tournament: Tournament) -> tuple[Ranked, ...]:
    """Return the players by points, then difference, or the other way round in a duplicate; then by rating."""
    rows = [
        Ranked(entrant, sum(points), points, None, difference=difference, first_places=first_places)
        for entrant, (points, difference, first_places) in zip(
            tournament.entrants.values(), _results(tournament).values(), strict=True
        )
    ]

    def key(row: Ranked) -> tuple[bool, Fraction | int | None, Fraction | int | None, int, int]:
        assert row.difference is not None
        merits = (-row.difference, -row.score) if tournament.plan.duplicate else (-row.score, -row.difference)
        return row.entrant.is_disqualified, *merits, -row.entrant.rating, row.entrant.order

    return tuple(sorted(rows, key=key))


def _tables(tournament: Tournament) -> tuple[Table, ...]:
    return tuple(
        _table(tournament, number, pair, round_.scored.get(pair.match))
        for number, round_ in enumerate(tournament.rounds, 1)
        for pair in round_.pairs
    )


def _table(tournament: Tournament, number: int, pair: Pair, scored: Scored | None) -> Table:
    points = None
    if scored is not None and scored.ranks is not None:
        by_player = place_points(_seats_of(pair, scored, tournament.entrants))
        points = tuple(int(TWELFTHS * by_player[identity]) for identity in pair.players)
    return Table(number, pair.table, pair.players, pair, points)


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
