"""Tables of three and four seats: who sits together and where, points by place, and duplicate pastures. Pure."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import TypeVar

Player = TypeVar("Player", bound=Hashable)

PLACE_POINTS: Mapping[int, Sequence[int]] = {2: (2, 0), 3: (3, 1, 0), 4: (4, 2, 1, 0)}
"""The points of each place, by the number of players at the table."""
AGAIN = 1_000_000
"""Of two who have met once; the distance of two ranks weighs 1 for each rank."""
NEAR = 6
"""How far apart two tables may be that exchange players."""


def table_sizes(count: int, seats: int) -> list[int] | None:
    """Return the sizes of tables: full ones, then those with one seat fewer; None if players would be left over.

    >>> table_sizes(10, 4), table_sizes(4, 3), table_sizes(5, 4)
    ([4, 3, 3], [2, 2], None)
    """
    tables = -(-count // seats)
    smaller = tables * seats - count
    return [seats] * (tables - smaller) + [seats - 1] * smaller if smaller <= tables else None


def seat_at_tables(
    ranked: Sequence[Player], sizes: Sequence[int], met: Mapping[Player, Mapping[Player, int]]
) -> list[list[Player]]:
    """Return tables by rank, among which players change places so that as few as possible meet again.

    `met` says how often players have met. Each two tables near each other are divided anew until none of them can be
    bettered: first by the squares of the meetings, then by the distance of ranks. With two tables that is the best
    there is; with more, three tables together might do better.

    >>> seat_at_tables("abcd", [2, 2], {"a": {"b": 1}, "b": {"a": 1}})
    [['a', 'c'], ['b', 'd']]
    """
    ranks = iter(range(len(ranked)))
    tables = [tuple(next(ranks) for _ in range(size)) for size in sizes]
    costs = [
        [AGAIN * met.get(one, {}).get(other, 0) ** 2 + abs(rank - place) for place, other in enumerate(ranked)]
        for rank, one in enumerate(ranked)
    ]

    def cost(division: Sequence[Sequence[int]]) -> int:
        return sum(costs[one][other] for table in division for one, other in combinations(table, 2))

    is_better = True
    while is_better:
        is_better = False
        for one, other in combinations(range(len(tables)), 2):
            here = [tables[one], tables[other]]
            best = here if other - one > NEAR else min([here, *_divisions(*here)], key=cost)
            if best is not here:
                is_better = True
                tables[one], tables[other] = best
    return [[ranked[rank] for rank in table] for table in sorted(tables)]


def _divisions(one: Sequence[int], other: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to divide the players of two tables between them."""
    players = sorted((*one, *other))
    for table in combinations(players, len(one)):
        yield [table, tuple(player for player in players if player not in table)]


def rotate_seats(table: Sequence[Player], sat: Mapping[Player, Sequence[int]]) -> list[Player]:
    """Return a table's players in order of their seats, so that everybody has each seat about as often.

    `sat` counts how often each player has had each seat. The arrangement with the smallest sum of squares is chosen,
    and among equal ones the first in order of rank.
    """
    return min(map(list, permutations(table)), key=lambda players: _unevenness(players, sat))


def _unevenness(players: Sequence[Player], sat: Mapping[Player, Sequence[int]]) -> int:
    return sum(
        (sat[player][seat] + 1) ** 2 - sat[player][seat] ** 2 for seat, player in enumerate(players) if player in sat
    )


@dataclass(frozen=True, slots=True)
class TableSeat:
    """How a seat of a finished match ended."""

    player: str
    place: int
    """From 1; players who share a place have the same number."""
    cells: int | None = 0
    """None if the match was not played to its end by the rules."""
    stand_in: bool = False
    """Whether a stand-in played the seat at the end."""


def place_points(seats: Sequence[TableSeat]) -> dict[str, Fraction]:
    """Return the points of each player at a table.

    A stand-in's seat gets nothing, and the others are placed among themselves, with the points of a full table. Players
    who share places share their points.

    >>> place_points([TableSeat("a", 1), TableSeat("b", 2, stand_in=True), TableSeat("c", 3), TableSeat("d", 3)])
    {'a': Fraction(4, 1), 'b': Fraction(0, 1), 'c': Fraction(3, 2), 'd': Fraction(3, 2)}
    """
    points = PLACE_POINTS[len(seats)]
    present = sorted((seat for seat in seats if not seat.stand_in), key=lambda seat: seat.place)
    shared: dict[int, list[int]] = defaultdict(list)
    for index, seat in enumerate(present):
        shared[seat.place].append(points[index])
    return {
        seat.player: Fraction(0) if seat.stand_in else Fraction(sum(shared[seat.place]), len(shared[seat.place]))
        for seat in seats
    }


def duplicate_differences(matches: Iterable[Sequence[TableSeat]]) -> dict[str, Fraction]:
    """Return each player's cells less the mean of all who had the same seat in these matches of one round.

    Tables of different sizes have different pastures. Stand-ins count in the mean, since they had the same seat, but
    the player who left counts as one without cells.
    """
    by_seat: dict[tuple[int, int], list[TableSeat]] = defaultdict(list)
    for match in matches:
        for index, seat in enumerate(match):
            by_seat[len(match), index].append(seat)
    differences: dict[str, Fraction] = {}
    for seats in by_seat.values():
        cells = [seat.cells for seat in seats if seat.cells is not None]
        mean = Fraction(sum(cells), len(cells)) if cells else Fraction(0)
        for seat in seats:
            counted = 0 if seat.stand_in else seat.cells
            differences[seat.player] = Fraction(0) if counted is None else counted - mean
    return differences
