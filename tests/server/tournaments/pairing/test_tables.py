"""Tables of three and four: who sits together and where, points by place, and duplicate pastures."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from millrace.server.tournaments.pairing.tables import (
    PLACE_POINTS,
    TableSeat,
    duplicate_differences,
    place_points,
    rotate_seats,
    seat_at_tables,
    table_sizes,
)


@pytest.mark.parametrize(
    ("count", "seats", "sizes"),
    [
        (8, 4, [4, 4]),
        (7, 4, [4, 3]),
        (6, 4, [3, 3]),
        (9, 4, [3, 3, 3]),
        (5, 4, None),
        (2, 4, None),
        (5, 3, [3, 2]),
        (4, 3, [2, 2]),
        (1, 3, None),
    ],
)
def test_tables_are_as_full_as_possible(count: int, seats: int, sizes: list[int] | None) -> None:
    assert table_sizes(count, seats) == sizes


@given(st.integers(0, 200), st.sampled_from([3, 4]))
def test_at_most_two_players_are_left_over(count: int, seats: int) -> None:
    assert any(table_sizes(each, seats) is not None for each in range(max(0, count - 2), count + 1))


def met_after(rounds: Sequence[Sequence[Sequence[int]]]) -> dict[int, Counter[int]]:
    """Return how often players have met at the tables of some rounds."""
    met: dict[int, Counter[int]] = defaultdict(Counter)
    for table in (table for each in rounds for table in each):
        for one, other in permutations(table, 2):
            met[one][other] += 1
    return met


def meetings(tables: Sequence[Sequence[int]], met: Mapping[int, Mapping[int, int]]) -> int:
    return sum(met[one][other] ** 2 for table in tables for one, other in combinations(table, 2))


def all_tables(players: tuple[int, ...], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        rest = tuple(each for each in players if each not in table)
        yield from ([table, *tables] for tables in all_tables(rest, sizes[1:]))


def test_players_who_have_not_met_sit_by_rank() -> None:
    assert seat_at_tables("abcdefghij", [4, 3, 3], {}) == [list("abcd"), list("efg"), list("hij")]


@given(st.integers(3, 40), st.sampled_from([3, 4]), st.lists(st.randoms(), max_size=6))
def test_everybody_sits_at_one_table(count: int, seats: int, past: list[Random]) -> None:
    sizes = table_sizes(count, seats)
    assume(sizes is not None)
    assert sizes is not None
    rounds = []
    for random in past:
        players = random.sample(range(count), count)
        rounds.append([players[start : start + seats] for start in range(0, count, seats)])
    tables = seat_at_tables(range(count), sizes, met_after(rounds))
    assert sorted(map(len, tables), reverse=True) == sizes
    assert sorted(player for table in tables for player in table) == list(range(count))


@pytest.mark.parametrize(("count", "seats", "rounds"), [(8, 4, 6), (9, 3, 5), (7, 4, 6), (12, 4, 3)])
def test_as_few_as_possible_meet_again(count: int, seats: int, rounds: int) -> None:
    played: list[list[list[int]]] = []
    sizes = table_sizes(count, seats)
    assert sizes is not None
    for _ in range(rounds):
        met = met_after(played)
        tables = seat_at_tables(range(count), sizes, met)
        assert meetings(tables, met) == min(meetings(each, met) for each in all_tables(tuple(range(count)), sizes))
        played.append(tables)


def test_players_get_the_seats_that_they_have_had_least_often() -> None:
    sat = {"ann": [2, 0, 0], "ben": [0, 2, 0], "cem": [0, 0, 2]}
    assert rotate_seats(["ann", "ben", "cem"], sat) == ["ben", "cem", "ann"]


def test_newcomers_sit_in_order_of_rank() -> None:
    assert rotate_seats(["ann", "ben", "cem", "dot"], {}) == ["ann", "ben", "cem", "dot"]


@given(st.integers(3, 4))
def test_seats_are_shared_evenly_over_many_rounds(seats: int) -> None:
    players = [f"player {index}" for index in range(seats)]
    sat = {player: [0] * seats for player in players}
    for _ in range(3 * seats):
        for seat, player in enumerate(rotate_seats(players, sat)):
            sat[player][seat] += 1
    assert all(set(counts) == {3} for counts in sat.values())


def test_places_give_four_two_one_and_nothing() -> None:
    assert place_points([TableSeat(name, place) for place, name in enumerate("abcd", 1)]) == {
        "a": 4,
        "b": 2,
        "c": 1,
        "d": 0,
    }
    assert place_points([TableSeat(name, place) for place, name in enumerate("abc", 1)]) == {"a": 3, "b": 1, "c": 0}


def test_the_points_of_a_stand_in_go_to_nobody_and_the_others_move_up() -> None:
    seats = [TableSeat("a", 2), TableSeat("left", 1, stand_in=True), TableSeat("c", 3), TableSeat("d", 4)]
    assert place_points(seats) == {"a": 4, "left": 0, "c": 2, "d": 1}


def test_shared_places_share_their_points() -> None:
    seats = [TableSeat("a", 1), TableSeat("b", 1), TableSeat("c", 3)]
    assert place_points(seats) == {"a": 2, "b": 2, "c": 0}


def test_duplicate_pastures_count_the_difference_from_all_in_the_same_seat() -> None:
    one = [TableSeat("a", 1, 20), TableSeat("b", 2, 10)]
    other = [TableSeat("c", 1, 16), TableSeat("d", 2, 14)]
    assert duplicate_differences([one, other]) == {"a": 2, "b": -2, "c": -2, "d": 2}


def test_a_stand_in_counts_in_the_mean_and_who_left_as_one_without_cells() -> None:
    tables = [[TableSeat("a", 1, 20)], [TableSeat("left", 1, 10, stand_in=True)]]
    assert duplicate_differences(tables) == {"a": 5, "left": -15}


def test_a_match_that_was_not_played_to_its_end_is_not_compared() -> None:
    tables = [[TableSeat("a", 1, 20)], [TableSeat("b", 1, None)], [TableSeat("left", 2, None, stand_in=True)]]
    assert duplicate_differences(tables) == {"a": 0, "b": 0, "left": -20}


def test_tables_of_different_sizes_are_not_compared() -> None:
    tables = [[TableSeat("a", 1, 20), TableSeat("b", 2, 9)], [TableSeat("c", 1, 3)]]
    assert duplicate_differences(tables) == {"a": 0, "b": 0, "c": 0}


@given(st.lists(st.integers(1, 4), min_size=3, max_size=4))
def test_a_table_gives_away_all_points(places: list[int]) -> None:
    seats = [TableSeat(name, place) for name, place in zip("abcd", places, strict=False)]
    assert sum(place_points(seats).values()) == sum(PLACE_POINTS[len(seats)])


@given(st.lists(st.lists(st.integers(0, 64), min_size=3, max_size=3), min_size=1, max_size=8))
def test_differences_of_full_tables_sum_to_nothing(cells: list[list[int]]) -> None:
    matches = [
        [TableSeat(f"{index}-{seat}", 1, count) for seat, count in enumerate(row)] for index, row in enumerate(cells)
    ]
    differences = duplicate_differences(matches)
    assert sum(differences.values()) == 0
    assert all(isinstance(each, Fraction) for each in differences.values())
