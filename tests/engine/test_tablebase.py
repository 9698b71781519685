"""Solved endings of Nine Men's Morris: the counts that others found, entries that follow from their moves, and play.

The counts are those of a solver written apart, which agreed with Malom's databases on 60,000 random positions.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from millrace.engine.analysis import Analysis, Limits, analyse, no_clock
from millrace.engine.bindings import bindings_of
from millrace.engine.bits import kernel, subtract_atomically
from millrace.engine.game import EngineError, TableBytes
from millrace.engine.games import find_game
from millrace.engine.games.morris.points import ALL_POINTS, POINTS
from millrace.engine.games.morris.symmetries import SYMMETRIES, image_of
from millrace.engine.games.morris.tablebase_index import (
    LEAST_MEN,
    Numbering,
    entries_of,
    entry_of,
    make_numbering,
    men_of,
    pack_points,
    rank_of,
    spread_points,
    table_name,
)
from millrace.engine.search import value_of_code
from millrace.engine.state import State
from millrace.engine.tablebase.codes import DRAWN, LOST_NOW, WON_AT_ONCE, is_lost, is_won
from millrace.engine.tablebase.initialisation import first_word, new_class_moves, prepare_moves
from millrace.engine.tablebase.pairs import PAIRS, pairs_below, pairs_up_to, parse_pair, tables_of
from millrace.engine.tablebase.probing import Solution, Tablebase
from millrace.engine.tablebase.retrograde_analysis import PairSolver
from millrace.engine.tablebase.settling import WEIGHT_BITS, report_to_entry
from millrace.engine.tablebase.solving_table import CODE_MASK, DUE_SHIFT, MOVES_SHIFT, NEVER_LOST, new_table
from millrace.engine.tablebase.state_counts import states_in
from millrace.engine.tablebase.tables import NO_CODES, code_at, codes_of, table_of
from millrace.engine.tablebase.verification import ResultCounts, count_results, find_wrong_entry, position_of
from millrace.engine.transposition_table import PROVEN, WIN
from tests.engine.minimax import search
from tests.engine.move_choice import choose_move

MORRIS = find_game("morris")
LIMIT = 100
Solved = Mapping[tuple[int, int], TableBytes]

TRUTHS = {
    (3, 3): ResultCounts(2_232_160, 4_112, 455_648, 140_621, 269, 28_736, 25, 26),
    (4, 3): ResultCounts(1_201_560, 10_863_360, 48_720, 75_397, 681_906, 3_095, 1, 32),
    (3, 4): ResultCounts(1_629_336, 10_484_304, 0, 102_281, 658_117, 0, 33, 0),
}

MEN_AND_SETS = st.sets(st.integers(0, POINTS - 1), min_size=6, max_size=8).flatmap(
    lambda points: st.permutations(sorted(points))
)


@pytest.fixture(scope="module")
def numbering() -> Numbering:
    return make_numbering(4)


@pytest.fixture(scope="module")
def solved(numbering: Numbering) -> Solved:
    tables: dict[tuple[int, int], TableBytes] = {}
    for men in ((3, 3), (4, 3), (4, 4)):
        tables |= solve(numbering, men, tables)
    return tables


def solve(numbering: Numbering, men: tuple[int, int], tables: Solved, threads: int = 2) -> Solved:
    """Return the tables of a pair."""
    below = [tables.get((second - 1, first)) for first, second in (men, men[::-1])]
    first, second = (NO_CODES if table is None else codes_of(table, len(table)) for table in below)
    solver = PairSolver(numbering, men, (first, second), threads)
    for _step in solver.steps():
        pass
    return {men_of(name): table for name, table in zip(tables_of(men), solver.tables(), strict=True)}


@pytest.fixture(scope="module")
def tablebase(solved: Solved) -> Tablebase:
    return Tablebase(MORRIS, {table_name(*men): table for men, table in solved.items() if men != (4, 4)})


def state_of(numbering: Numbering, men: tuple[int, int], entry: int, quiet_plies: int = 0) -> State:
    start = MORRIS.texts.parse_setup("")
    return State.of(MORRIS, MORRIS.texts.format_position(start, position_of(numbering, men, entry), 0, quiet_plies))


def result_in_time(state: State, tablebase: Tablebase) -> int:
    """Return what the side to move comes to with best play, 1, 0 or -1, by playing all that the limit leaves time for.

    What follows a taking is looked up, since a new count is far from its limit.
    """
    if state.outcome is not None:
        return 0 if state.outcome.winner is None else -1
    if state.quiet_plies == 0:
        code = tablebase.unlimited_code_of(state)
        assert code is not None
        return 0 if code == DRAWN else 1 if is_won(code) else -1
    best = -1
    for move in state.legal_moves:
        best = max(best, -result_in_time(state.after(move), tablebase))
        if best == 1:
            break
    return best


def search_with(tablebase: Tablebase, state: State, depth: int) -> Analysis:
    return analyse(state, Limits(depth=depth), no_clock, tablebase=tablebase)


def bits_of(points: list[int]) -> np.uint64:
    return np.uint64(sum(1 << point for point in points))


@pytest.mark.parametrize("men", TRUTHS)
def test_wins_draws_losses_and_distances_are_those_that_others_found(
    numbering: Numbering, solved: Solved, men: tuple[int, int]
) -> None:
    census = count_results(numbering, men, codes_of(solved[men], len(solved[men])), threads=2)
    assert census == TRUTHS[men]
    assert census.positions == comb(24, men[0]) * comb(24 - men[0], men[1])


@pytest.mark.parametrize("men", TRUTHS)
def test_states_are_as_many_as_a_table_has_without_listing_them(men: tuple[int, int]) -> None:
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
def test_positions_that_a_symmetry_turns_into_one_another_have_the_same_code(
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
def test_sets_of_points_are_numbered_from_0_without_gaps() -> None:
    numbering = make_numbering(LEAST_MEN)
    sets = [np.uint64(points) for points in range(1 << 10) if points.bit_count() == 4]
    assert [int(rank_of(numbering, points)) for points in sets] == list(range(comb(10, 4)))


@pytest.mark.interpreted
def test_an_entry_stands_for_the_position_that_is_found_at_it() -> None:
    numbering = make_numbering(LEAST_MEN)
    men = (3, 3)
    for entry in range(0, entries_of(numbering, *men), 30_011):
        mover, opponent, _ = position_of(numbering, men, entry)
        assert entry_of(numbering, np.uint64(mover), np.uint64(opponent)) == entry


@pytest.mark.interpreted
def test_what_is_packed_is_spread_again() -> None:
    numbering = make_numbering(LEAST_MEN)
    kept = np.uint64(0b1011_0110_0101_1110_1111_0001)
    for points in (kept, np.uint64(int(kept) & 0xF0F0F), np.uint64(0)):
        assert spread_points(numbering, pack_points(numbering, points, kept), kept) == points


@pytest.mark.interpreted
def test_symmetries_are_16_and_keep_lines() -> None:
    numbering = make_numbering(LEAST_MEN)
    step = np.uint64(0b11)
    images = {int(image_of(numbering.images, step, symmetry)) for symmetry in range(SYMMETRIES)}
    assert len(images) == 16
    assert all(image & int(ALL_POINTS) == image and image.bit_count() == 2 for image in images)


@pytest.mark.interpreted
def test_what_captures_promise_is_seen_before_anything_is_settled() -> None:
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


def test_one_thread_solves_what_several_do(numbering: Numbering, solved: Solved) -> None:
    for men in ((4, 3), (4, 4)):
        for one, other in solve(numbering, men, solved, threads=1).items():
            assert np.array_equal(other, solved[one])


def test_a_subtraction_by_several_threads_loses_nothing() -> None:
    numbers = np.full(4, 1 << 31, dtype=np.uint32)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: subtract_often(numbers, 1 << 20), range(2)))
    assert set(numbers.tolist()) == {(1 << 31) - (1 << 19)}


@kernel
def subtract_often(numbers: NDArray[np.uint32], times: int) -> None:
    for at in range(times):
        subtract_atomically(numbers, at & 3, 1)


@pytest.mark.parametrize("men", TRUTHS)
def test_both_sides_play_longest_wins_to_their_end_in_as_many_plies(
    numbering: Numbering, solved: Solved, tablebase: Tablebase, men: tuple[int, int]
) -> None:
    codes = solved[men]
    wins = np.where(codes % 2 == 0, codes, 0)
    state = state_of(numbering, men, int(np.argmax(wins)))
    plies = TRUTHS[men].longest_win
    solution = tablebase.solve(state)
    assert solution is not None
    assert solution.code == plies + 1
    for left in range(plies, 0, -1):
        found = analyse(state, Limits(depth=1), no_clock, tablebase=tablebase)
        assert abs(found.value) == WIN - left
        assert len(found.principal_variation) == left
        state = state.play_text(found.best_move or "")
    assert state.outcome is not None
    assert state.outcome.winner == 0


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_a_search_without_tables_finds_the_same_distance(
    numbering: Numbering, solved: Solved, tablebase: Tablebase, plies: int
) -> None:
    entries = np.flatnonzero(solved[3, 3] == plies + 1)
    for entry in entries[:: len(entries) // 4 + 1]:
        state = state_of(numbering, (3, 3), int(entry))
        found = analyse(state, Limits(depth=plies + 1), no_clock)
        assert abs(found.value) == WIN - plies
        assert tablebase.code_of(state) == plies + 1


def test_a_search_values_what_leads_to_solved_endings_by_them(tablebase: Tablebase) -> None:
    state = State.of(MORRIS, "WW.......B.B.....B.B.W.W w 0 0")
    found = analyse(state, Limits(depth=3), no_clock, tablebase=tablebase)
    blind = analyse(state, Limits(depth=3), no_clock)
    assert found.value != blind.value


@pytest.mark.parametrize("plies", [1, 2, 3, 4, 5])
def test_a_win_or_a_loss_is_told_where_it_comes_before_a_draw_by_quiet_plies_and_else_the_draw(
    numbering: Numbering, solved: Solved, tablebase: Tablebase, plies: int
) -> None:
    entries = np.flatnonzero(solved[3, 3] == plies + 1)
    for entry in entries[:: len(entries) // 12 + 1]:
        for quiet_plies in range(LIMIT - plies - 1, min(LIMIT - plies + 4, LIMIT)):
            state = state_of(numbering, (3, 3), int(entry), quiet_plies)
            found = search(state, min(plies, LIMIT - quiet_plies))
            assert abs(found.value) == (WIN - plies if quiet_plies + plies <= LIMIT else 0), state.position_text
            solution = tablebase.solve(state)
            assert solution is not None
            assert value_of_code(solution.code, 0) == found.value, state.position_text
            if solution.code != DRAWN:
                assert tablebase.solve(state_of(numbering, (3, 3), int(entry))) == solution


def test_the_ply_at_which_the_limit_is_reached_may_still_win_by_blocking(solved: Solved) -> None:
    tablebase = Tablebase(MORRIS, {"4-4": solved[4, 4]})
    state = State.of(MORRIS, "BBBWW....B....W......W.. w 0 0 99")
    assert search(state, 1).value == WIN - 1
    solution = tablebase.solve(state)
    assert solution == Solution(WON_AT_ONCE, (state.parse_move("b6-b4"),))
    after = state.play_text("b6-b4")
    assert after.quiet_plies == LIMIT
    assert tablebase.solve(after) == Solution(LOST_NOW, ())


@pytest.mark.parametrize("men", [(4, 3), (3, 4)])
def test_what_is_told_near_a_draw_by_quiet_plies_is_true_where_captures_start_the_count_anew(
    numbering: Numbering, solved: Solved, tablebase: Tablebase, men: tuple[int, int]
) -> None:
    far_off = np.flatnonzero(solved[men] > WON_AT_ONCE)
    proven = 0
    for entry in far_off[:: len(far_off) // 60]:
        for quiet_plies in (LIMIT - 2, LIMIT - 1):
            state = state_of(numbering, men, int(entry), quiet_plies)
            truth = result_in_time(state, tablebase)
            solution = tablebase.solve(state)
            if solution is not None:
                assert np.sign(value_of_code(solution.code, 0)) == truth, state.position_text
            found = search_with(tablebase, state, depth=3)
            if abs(found.value) > PROVEN:
                proven += 1
                assert np.sign(found.value) == truth, state.position_text
    assert proven > 0


def test_a_search_that_is_given_up_near_a_draw_by_quiet_plies_keeps_the_win_that_it_has_found(
    tablebase: Tablebase,
) -> None:
    state = State.of(MORRIS, "..W...W...B...B..B....WB w 0 0 90")
    assert tablebase.solve(state) is None, "it takes 27 plies, but not all of them quiet"
    found = analyse(state, Limits(nodes=20_000), no_clock, tablebase=tablebase)
    assert found.value > PROVEN
    after = tablebase.unlimited_code_of(state.play_text(found.best_move or ""))
    assert after is not None
    assert is_lost(after)


def test_a_drawn_ending_is_kept_drawn(numbering: Numbering, solved: Solved, tablebase: Tablebase) -> None:
    drawn = np.flatnonzero(solved[3, 3] == DRAWN)
    for entry in drawn[:: len(drawn) // 5]:
        state = state_of(numbering, (3, 3), int(entry))
        found = analyse(state, Limits(depth=2), no_clock, tablebase=tablebase)
        assert tablebase.code_of(state.play_text(found.best_move or "")) == DRAWN


def test_a_move_that_would_repeat_for_the_third_time_is_no_step_to_a_win(tablebase: Tablebase) -> None:
    # White has lost in four plies; both have gone to and fro, and Black's a1-f4 would bring the same back again.
    rounds = ["a7-g4", "f4-a1", "g4-a7", "a1-f4"] * 2
    state = State.from_moves(MORRIS, "WWB..B.......B........W. w 0 0", rounds[:-1])
    repeating = state.parse_move(rounds[-1])
    repeated = state.after(repeating)
    assert repeated.outcome is not None
    assert repeated.outcome.reason == "repetition"
    assert tablebase.code_of(repeated) == 4 + 1
    solution = tablebase.solve(state)
    assert solution is not None
    assert solution.code == 7 + 1
    assert repeating not in solution.moves


def test_only_the_strongest_level_looks_endings_up(numbering: Numbering, solved: Solved, tablebase: Tablebase) -> None:
    codes = solved[3, 4]
    state = state_of(numbering, (3, 4), int(np.argmax(np.where(codes % 2 == 0, codes, 0))))
    solution = tablebase.solve(state)
    assert solution is not None
    best = {state.format_move(move) for move in solution.moves}
    strongest = {choose_move("morris", state.position_text, [], 8, seed, no_clock, 1, tablebase) for seed in range(3)}
    assert strongest <= best
    weak = {choose_move("morris", state.position_text, [], 1, seed, no_clock, None, tablebase) for seed in range(9)}
    assert not weak <= best


@pytest.mark.parametrize(
    "setup",
    [
        "WWB.......B....B..B...W. w 0 0 flying=off",
        "WWB.......B....B..B..... w 1 0",
        "WWBW......B....B..B...W. w 0 0",
        "",
    ],
    ids=["without flying", "a man in hand", "no such table", "the start"],
)
def test_what_is_in_no_table_is_not_known(tablebase: Tablebase, setup: str) -> None:
    assert tablebase.solve(State.of(MORRIS, setup)) is None


def test_another_game_is_not_known(tablebase: Tablebase) -> None:
    assert tablebase.solve(State.of(find_game("mingmang"))) is None


def test_codes_that_do_not_fit_a_byte_are_found(numbering: Numbering, solved: Solved, tablebase: Tablebase) -> None:
    codes = solved[3, 3].astype(np.int64)
    far_off = np.flatnonzero(codes)[::9_973]
    codes[far_off] += 500
    table = table_of(codes)
    assert len(table) == len(codes) + 8 * len(far_off)
    others = Tablebase(MORRIS, {"3-4": solved[3, 4], "3-3": table})
    for entry in (*far_off, *(far_off + 1)):
        state = state_of(numbering, (3, 3), int(entry))
        assert code_at(codes_of(table, len(codes)), int(entry)) == codes[entry]
        assert others.index.exceptions.size == len(far_off)
        assert others.unlimited_code_of(state) == codes[entry]


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


def test_each_kernel_of_the_endings_is_compiled_once(tablebase: Tablebase) -> None:
    endings = MORRIS.strength.tablebase
    assert endings is not None
    kernels = (endings.probe, endings.reach, endings.size)
    # Positions for other weights may have further words, and then kernels of their own.
    before = [len(getattr(compiled, "signatures", [])) for compiled in kernels]
    state = State.of(MORRIS, "WW.......B.B.....B.B.W.W w 0 0")
    analyse(state, Limits(depth=2), no_clock, tablebase=tablebase)
    analyse(state, Limits(depth=2), no_clock)
    bindings_of(MORRIS)
    for compiled, signatures in zip(kernels, before, strict=True):
        assert len(getattr(compiled, "signatures", [])) <= signatures + 1, compiled
