"""Solving endings of Nine Men's Morris: published counts, and entries that follow from their moves."""

from concurrent.futures import ThreadPoolExecutor
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from millrace.engine.bits import kernel, subtract_atomically
from millrace.engine.game import EngineError
from millrace.engine.games.morris.points import POINTS
from millrace.engine.games.morris.symmetries import SYMMETRIES, image_of
from millrace.engine.games.morris.tablebase_index import LEAST_MEN, Numbering, entry_of, make_numbering, table_name
from millrace.engine.tablebase.codes import WON_AT_ONCE
from millrace.engine.tablebase.initialisation import first_word, new_class_moves, prepare_moves
from millrace.engine.tablebase.pairs import PAIRS, pairs_below, pairs_up_to, parse_pair, tables_of
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.settling import WEIGHT_BITS, report_to_entry
from millrace.engine.tablebase.solving_table import CODE_MASK, DUE_SHIFT, MOVES_SHIFT, NEVER_LOST, new_table
from millrace.engine.tablebase.state_counts import states_in
from millrace.engine.tablebase.tables import NO_CODES, codes_of
from millrace.engine.tablebase.verification import count_results, find_wrong_entry
from tests.engine.tablebase.small_tables import TRUTHS, Solved, solve_pair

MEN_AND_SETS = st.sets(st.integers(0, POINTS - 1), min_size=6, max_size=8).flatmap(
    lambda points: st.permutations(sorted(points))
)


def bits_of(points: list[int]) -> np.uint64:
    return np.uint64(sum(1 << point for point in points))


@pytest.mark.parametrize("men", TRUTHS)
def test_wins_draws_losses_and_distances_agree_with_published_ones(
    numbering: Numbering, solved: Solved, men: tuple[int, int]
) -> None:
    census = count_results(numbering, men, codes_of(solved[men], len(solved[men])), threads=2)
    assert census == TRUTHS[men]
    assert census.positions == comb(24, men[0]) * comb(24 - men[0], men[1])


@pytest.mark.parametrize("men", TRUTHS)
def test_states_of_a_table_are_counted_without_listing_them(men: tuple[int, int]) -> None:
    truth = TRUTHS[men]
    assert states_in(table_name(*men)) == truth.orbits_won + truth.orbits_drawn + truth.orbits_lost


def test_every_position_with_three_men_each_follows_from_its_moves(tablebase: Tablebase, solved: Solved) -> None:
    assert find_wrong_entry(tablebase.index, (3, 3), codes_of(solved[3, 3], len(solved[3, 3]))) is None


@pytest.mark.parametrize("men", [(4, 3), (3, 4)])
def test_positions_with_four_men_against_three_follow_from_their_moves(
    tablebase: Tablebase, solved: Solved, men: tuple[int, int]
) -> None:
    assert find_wrong_entry(tablebase.index, men, codes_of(solved[men], len(solved[men])), first=5, step=23) is None


def test_a_wrong_entry_contradicts_its_moves(tablebase: Tablebase, solved: Solved) -> None:
    wrong = solved[3, 3].copy()
    wrong[4_321] += 2
    assert find_wrong_entry(tablebase.index, (3, 3), codes_of(wrong, len(wrong))) == 4_321


@given(MEN_AND_SETS, st.integers(0, SYMMETRIES - 1))
def test_symmetric_positions_have_the_same_code(
    numbering: Numbering, solved: Solved, points: list[int], symmetry: int
) -> None:
    mover_men = 3 if len(points) == 6 else len(points) - 3
    if mover_men > 4:
        points, mover_men = points[:7], 4
    mover, opponent = bits_of(points[:mover_men]), bits_of(points[mover_men:])
    codes = solved[mover_men, len(points) - mover_men]
    code = codes[entry_of(numbering, mover, opponent)]
    images = [image_of(numbering.images, men, symmetry) for men in (mover, opponent)]
    assert codes[entry_of(numbering, np.uint64(images[0]), np.uint64(images[1]))] == code


@pytest.mark.interpreted
def test_results_of_captures_are_known_before_anything_is_settled() -> None:
    numbering = make_numbering(LEAST_MEN)
    table = new_table(numbering, (3, 3))
    moves = new_class_moves(table)
    one_to_close, apart = bits_of([0, 1, 12]), bits_of([9, 14, 21])
    words = []
    for mover, opponent in ((one_to_close, apart), (apart, one_to_close)):
        entry = entry_of(numbering, mover, opponent)
        in_table, number = divmod(entry, len(table.sets))
        leader = numbering.leaders[numbering.first_classes[3] + in_table]
        prepare_moves(numbering, 3, leader, moves)
        words.append(first_word(numbering, 3, NO_CODES, moves, leader, table.sets[number]))
        table.words[entry] = words[-1]
    assert words[0] >> DUE_SHIFT & CODE_MASK == WON_AT_ONCE
    assert words[0] >> MOVES_SHIFT == NEVER_LOST
    assert words[1] == SYMMETRIES * 3 * 18 << MOVES_SHIFT
    report_to_entry(table, WON_AT_ONCE, entry << WEIGHT_BITS | SYMMETRIES)
    assert table.words[entry] == SYMMETRIES * (3 * 18 - 1) << MOVES_SHIFT


def test_one_thread_finds_the_same_as_several(numbering: Numbering, solved: Solved) -> None:
    tables = {table_name(*men): table for men, table in solved.items()}
    for men in ((4, 3), (4, 4)):
        for name, table in solve_pair(numbering, men, tables, threads=1).items():
            assert np.array_equal(table, tables[name])


def test_concurrent_subtractions_lose_nothing() -> None:
    numbers = np.full(4, 1 << 31, dtype=np.uint32)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: subtract_often(numbers, 1 << 20), range(2)))
    assert set(numbers.tolist()) == {(1 << 31) - (1 << 19)}


@kernel
def subtract_often(numbers: NDArray[np.uint32], times: int) -> None:
    for at in range(times):
        subtract_atomically(numbers, at & 3, 1)


def test_pairs_come_after_those_that_captures_lead_to() -> None:
    assert pairs_up_to((5, 5)) == ((3, 3), (4, 3), (4, 4), (5, 3), (5, 4), (6, 3), (5, 5))
    assert len(PAIRS) == 28
    for at, pair in enumerate(PAIRS):
        assert all(below in PAIRS[:at] for below in pairs_below(pair))
    assert pairs_below((5, 4)) == ((4, 4), (5, 3))
    assert tables_of((4, 4)) == ("4-4",)
    assert tables_of(parse_pair("3-5")) == ("5-3", "3-5")


@pytest.mark.parametrize("text", ["", "5", "2-3", "10-3", "a-b", "3-3-3"])
def test_a_pair_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(EngineError):
        parse_pair(text)
