"""Tables of three and four: who sits together and where, points by place, and duplicate pastures."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.tournaments.pairing.tables import (
    TableSeat,
    duplicate_differences,
    place_points,
    rotate_seats,
    split_into_tables,
)


@pytest.mark.parametrize(
    ("count", "seats", "sizes"),
    [
        (8, 4, [4, 4]),
        (7, 4, [4, 3]),
        (6, 4, [3, 3]),
        (9, 4, [3, 3, 3]),
        (5, 4, [4]),
        (5, 3, [3, 2]),
        (4, 3, [2, 2]),
        (1, 3, []),
    ],
)
def test_tables_are_as_full_as_possible(count: int, seats: int, sizes: list[int]) -> None:
    assert [len(table) for table in split_into_tables(range(count), seats)] == sizes


@given(st.integers(0, 200), st.sampled_from([3, 4]))
def test_tables_are_by_rank_and_leave_out_two_at_most(count: int, seats: int) -> None:
    seated = [player for table in split_into_tables(range(count), seats) for player in table]
    assert seated == list(range(len(seated)))
    assert count - len(seated) <= 2


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
    assert duplicate_differences({"meadow": [one, other]}) == {"a": 2, "b": -2, "c": -2, "d": 2}


def test_a_stand_in_counts_in_the_mean_but_gets_nothing() -> None:
    tables = {"meadow": [[TableSeat("a", 1, 20)], [TableSeat("left", 1, 10, stand_in=True)]]}
    assert duplicate_differences(tables) == {"a": 5}


@given(st.lists(st.lists(st.integers(0, 64), min_size=3, max_size=3), min_size=1, max_size=8))
def test_differences_of_full_tables_sum_to_nothing(cells: list[list[int]]) -> None:
    matches = [
        [TableSeat(f"{index}-{seat}", 1, count) for seat, count in enumerate(row)] for index, row in enumerate(cells)
    ]
    differences = duplicate_differences({"meadow": matches})
    assert sum(differences.values()) == 0
    assert all(isinstance(each, Fraction) for each in differences.values())
