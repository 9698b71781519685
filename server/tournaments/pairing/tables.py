"""Tournaments of three and four seats: who sits together, points by place, and duplicate pastures. Pure."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

Player = TypeVar("Player", bound=Hashable)

PLACE_POINTS: Mapping[int, Sequence[int]] = {2: (2, 0), 3: (3, 1, 0), 4: (4, 2, 1, 0)}
"""The points of each place, by the number of players at the table."""


def split_into_tables(ranked: Sequence[Player], seats: int) -> list[list[Player]]:
    """Return tables by rank, with the full number of seats as far as possible and one seat fewer otherwise.

    Those that cannot be seated are left out: of five players for four seats, the last. Smaller tables come last.

    >>> split_into_tables("abcdefghij", 4)
    [['a', 'b', 'c', 'd'], ['e', 'f', 'g'], ['h', 'i', 'j']]
    """
    count = len(ranked)
    smaller = next(
        (
            tables
            for tables in range(seats)
            if count - tables * (seats - 1) >= 0 and (count - tables * (seats - 1)) % seats == 0
        ),
        None,
    )
    if smaller is None or seats - 1 < 2:
        return split_into_tables(ranked[:-1], seats) if ranked else []
    full = (count - smaller * (seats - 1)) // seats
    sizes = [seats] * full + [seats - 1] * smaller
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    return [list(ranked[start : start + size]) for start, size in zip(starts, sizes, strict=True)]


def rotate_seats(table: Sequence[Player], sat: Mapping[Player, Sequence[int]]) -> list[Player]:
    """Return a table's players in order of their seats, so that everybody has each seat about as often.

    `sat` counts how often each player has had each seat. The arrangement with the smallest sum of squares is chosen,
    and among equal ones the first in order of rank.
    """
    arrangements: list[list[Player]] = list(_arrangements(list(table)))
    return min(arrangements, key=lambda players: _unevenness(players, sat))


def _arrangements(players: list[Player]) -> Iterable[list[Player]]:
    if not players:
        yield []
    for index, player in enumerate(players):
        yield from ([player, *rest] for rest in _arrangements(players[:index] + players[index + 1 :]))


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
    cells: int = 0
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


def duplicate_differences(tables: Mapping[str, Iterable[Sequence[TableSeat]]]) -> dict[str, Fraction]:
    """Return each player's cells less the mean of all who had the same seat on the same pasture, over all matches.

    `tables` has the seats of all matches on each pasture, in order. Stand-ins
    count in the mean, since they had the same seat, but get nothing.
    """
    differences: dict[str, Fraction] = defaultdict(Fraction)
    for matches in tables.values():
        seats_by_index: dict[tuple[int, int], list[TableSeat]] = defaultdict(list)
        for match in matches:
            for index, seat in enumerate(match):
                seats_by_index[len(match), index].append(seat)
        for seats in seats_by_index.values():
            _add_differences(differences, seats)
    return dict(differences)


def _add_differences(differences: dict[str, Fraction], seats: Sequence[TableSeat]) -> None:
    """Add the differences of all who had the same seat to `differences`."""
    mean = Fraction(sum(seat.cells for seat in seats), len(seats))
    for seat in seats:
        if not seat.stand_in:
            differences[seat.player] += seat.cells - mean
