"""Learning from errors of the static evaluation: towards the search's value, within bounds, for similar positions
only.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from millrace.engine.search.correction_history import (
    MAX_CORRECTION,
    PARTS,
    correction_of,
    new_corrections,
    update_correction,
)

MOST = 2 * MAX_CORRECTION

words = st.integers(0, 2**64 - 1)
errors = st.integers(-60_000, 60_000)
depths = st.integers(1, 100)


def rows_of(mover: int, opponent: int) -> NDArray[np.uint64]:
    return np.array([[mover, opponent]], dtype=np.uint64)


@given(words, words, st.lists(st.tuples(errors, depths), max_size=40))
def test_a_correction_never_exceeds_the_error(mover: int, opponent: int, found: list[tuple[int, int]]) -> None:
    corrections, rows = new_corrections(), rows_of(mover, opponent)
    for error, depth in found:
        update_correction(corrections, rows, 0, error, depth)
    seen = [0, *(min(max(error, -MOST), MOST) for error, _ in found)]
    assert min(seen) - 1 <= correction_of(corrections, rows, 0) <= max(seen)


@given(words, words, st.integers(-MOST, MOST), depths)
def test_repeated_errors_are_learnt(mover: int, opponent: int, error: int, depth: int) -> None:
    corrections, rows = new_corrections(), rows_of(mover, opponent)
    for _ in range(3000):
        update_correction(corrections, rows, 0, error, depth)
    assert abs(correction_of(corrections, rows, 0) - error) <= 1


@given(words, words, st.lists(st.tuples(errors, depths), max_size=40), st.lists(depths, max_size=200))
def test_an_expected_value_changes_nothing(
    mover: int, opponent: int, found: list[tuple[int, int]], again: list[int]
) -> None:
    corrections, rows = new_corrections(), rows_of(mover, opponent)
    for error, depth in found:
        update_correction(corrections, rows, 0, error, depth)
    expected = correction_of(corrections, rows, 0)
    for depth in again:
        update_correction(corrections, rows, 0, expected, depth)
    assert abs(correction_of(corrections, rows, 0) - expected) <= 1


def test_half_of_a_correction_applies_if_only_one_side_is_the_same() -> None:
    corrections = new_corrections()
    for _ in range(1000):
        update_correction(corrections, rows_of(0b11, 0b1100), 0, 100, 10)
    assert correction_of(corrections, rows_of(0b11, 0b110000), 0) in (49, 50)
    assert correction_of(corrections, rows_of(0b110000, 0b1100), 0) in (49, 50)
    assert correction_of(corrections, rows_of(0b1100, 0b11), 0) == 0, "the other side's men are not the mover's"


@given(st.lists(words, min_size=2, max_size=40, unique=True), st.sampled_from([-1, 1]))
def test_a_correction_from_one_side_is_bounded(opponents: list[int], sign: int) -> None:
    corrections = new_corrections()
    for opponent in opponents * 100:
        update_correction(corrections, rows_of(0b11, opponent), 0, sign * 60_000, 10)
    assert abs(corrections).max() <= MAX_CORRECTION * PARTS


def test_a_correction_belongs_to_the_position_of_its_ply() -> None:
    corrections = new_corrections()
    rows = np.array([[1, 2], [4, 8]], dtype=np.uint64)
    update_correction(corrections, rows, 1, 100, 10)
    assert correction_of(corrections, rows, 0) == 0
    assert correction_of(corrections, rows, 1) > 0


def test_deeper_searches_teach_more() -> None:
    shallow, deep, rows = new_corrections(), new_corrections(), rows_of(1, 2)
    update_correction(shallow, rows, 0, 200, 1)
    update_correction(deep, rows, 0, 200, 12)
    assert 0 < correction_of(shallow, rows, 0) < correction_of(deep, rows, 0)
