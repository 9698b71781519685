"""Entries of the transposition table: their contents, replacement, and wins counted from the root."""

import numpy as np
import pytest

from millrace.engine.games import find_game
from millrace.engine.search import new_histories
from millrace.engine.transposition_table import (
    ABSENT,
    BUCKET_ENTRIES,
    ENTRY_BYTES,
    EXACT,
    LOWER_BOUND,
    MAX_WIN_PLIES,
    UPPER_BOUND,
    WIN,
    entry_bound,
    entry_depth,
    entry_move,
    entry_value,
    find_entry,
    find_in_two_levels,
    make_entry,
    new_table,
    prefetch_entry,
    settles,
    store_entry,
    store_in_two_levels,
    value_from_position,
    value_from_root,
)


def test_an_entry_keeps_its_values() -> None:
    table = new_table(1).entries
    key = np.uint64(0xFEDCBA9876543210)
    assert find_entry(table, key) == ABSENT
    store_entry(table, key, np.uint64(make_entry(0xFFFF, -WIN, 99, LOWER_BOUND, 255)))
    known = np.uint64(find_entry(table, key))
    assert (entry_move(known), entry_value(known), entry_depth(known), entry_bound(known)) == (
        0xFFFF,
        -WIN,
        99,
        LOWER_BOUND,
    )


@pytest.mark.parametrize("megabytes", [1, 2, 32])
def test_a_bucket_lies_in_one_cache_line(megabytes: int) -> None:
    entries = new_table(megabytes).entries
    assert entries.nbytes == megabytes << 20
    assert entries.ctypes.data % (BUCKET_ENTRIES * ENTRY_BYTES) == 0


def test_prefetching_an_entry_changes_nothing() -> None:
    table = new_table(1)
    key = np.uint64(0x123456789ABCDEF0)
    store_entry(table.entries, key, np.uint64(make_entry(7, -120, 9, EXACT, 3)))
    before = table.entries.copy()
    for expected in (key, ~key, np.uint64(0)):
        prefetch_entry(table.entries, expected)
    assert (table.entries == before).all()


def test_a_cleared_table_equals_a_new_one() -> None:
    table = new_table(1)
    table.begin_search()
    key = np.uint64(0xFEDCBA9876543210)
    store_entry(table.entries, key, np.uint64(make_entry(7, 5, 3, EXACT, table.generation)))
    table.histories = new_histories(find_game("morris"), 0)
    table.clear()
    assert find_entry(table.entries, key) == ABSENT
    assert table.generation == 0
    assert table.histories is None


def test_an_entry_without_a_move_inherits_the_move_of_its_key() -> None:
    table = new_table(1).entries
    store_entry(table, np.uint64(1), np.uint64(make_entry(12, 5, 3, EXACT, 0)))
    store_entry(table, np.uint64(1), np.uint64(make_entry(0, 9, 4, EXACT, 0)))
    known = np.uint64(find_entry(table, np.uint64(1)))
    assert (entry_move(known), entry_value(known)) == (12, 9)


def test_a_full_bucket_replaces_its_shallowest_entry() -> None:
    table = new_table(1).entries
    keys = [np.uint64(index << 32) for index in range(1, 6)]
    for key, depth in zip(keys, (4, 2, 6, 8, 3), strict=True):
        store_entry(table, key, np.uint64(make_entry(1, 0, depth, EXACT, 0)))
    assert [find_entry(table, key) != ABSENT for key in keys] == [True, False, True, True, True]


def test_an_entry_torn_by_two_writers_is_absent() -> None:
    table = new_table(1).entries
    key, other = np.uint64(1 << 32), np.uint64(2 << 32)
    store_entry(table, key, np.uint64(make_entry(1, 10, 5, EXACT, 0)))
    first_word = table[0, 0]
    store_entry(table, key, np.uint64(make_entry(2, 20, 6, EXACT, 0)))
    assert find_entry(table, key) != ABSENT
    table[0, 0] = first_word
    assert find_entry(table, key) == ABSENT
    assert find_entry(table, other) == ABSENT


@pytest.mark.parametrize("value", [0, -57, WIN - 9, 9 - WIN])
def test_a_wins_distance_in_the_table_counts_from_its_own_position(value: int) -> None:
    assert value_from_root(value_from_position(value, 4), 4) == value
    assert value_from_position(WIN - 9, 4) == WIN - 5


@pytest.mark.parametrize(
    ("value", "bound", "depth", "is_settled"),
    [
        (50, LOWER_BOUND, 6, True),
        (50, EXACT, 7, True),
        (50, UPPER_BOUND, 6, False),
        (49, UPPER_BOUND, 6, True),
        (49, LOWER_BOUND, 6, False),
        (49, EXACT, 5, False),
        (WIN - 9, LOWER_BOUND, 6, True),
        (9 - WIN, UPPER_BOUND, 6, True),
    ],
)
def test_an_entry_decides_on_which_side_of_a_bound_a_value_is(
    value: int, bound: int, depth: int, is_settled: bool
) -> None:
    assert settles(make_entry(0, value, depth, bound, 0), 6, 50, 3, MAX_WIN_PLIES) == is_settled


def test_a_missing_entry_decides_nothing() -> None:
    assert not settles(ABSENT, 1, -WIN, 0, MAX_WIN_PLIES)
    assert not settles(ABSENT, 1, WIN, 0, MAX_WIN_PLIES)


@pytest.mark.parametrize(("value", "bound"), [(WIN - 9, LOWER_BOUND), (9 - WIN, UPPER_BOUND)])
def test_an_entry_decides_nothing_if_a_draw_may_come_first(value: int, bound: int) -> None:
    entry = make_entry(0, value, 6, bound, 0)
    assert settles(entry, 6, 50, 3, 9)
    assert not settles(entry, 6, 50, 3, 8)


def test_of_two_levels_the_first_keeps_the_larger_subtree_and_the_second_the_latest() -> None:
    table, size = new_table(1).entries, new_table(1).entries.shape[0]
    keys = [np.uint64(3 + size * number) for number in range(1, 6)]

    def known() -> list[int]:
        """Return the numbers of the keys that the table has."""
        return [number for number, key in enumerate(keys) if find_in_two_levels(table, key) != ABSENT]

    def store(number: int, nodes: int) -> None:
        store_in_two_levels(table, keys[number], np.uint64(make_entry(number + 1, 0, 1, EXACT, nodes)))

    store(0, 500)
    assert known() == [0]
    store(1, 20)
    store(2, 10)
    assert known() == [0, 2]
    store(3, 500)
    assert known() == [0, 3]
    store(4, 499)
    assert known() == [3, 4]
    store(3, 7)
    assert known() == [3, 4]
    store(0, 8)
    assert known() == [0, 3]
