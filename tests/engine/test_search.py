"""The search, compared with a plain minimax, and what it must find: exact wins, repetitions, quiet plies."""

from itertools import count

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from millrace.engine.bindings import packing_of, read_move
from millrace.engine.bits import allocating_kernel, kernel
from millrace.engine.game import Board, Position, Words
from millrace.engine.game.techniques import EXACT_TECHNIQUES
from millrace.engine.games import find_game
from millrace.engine.search import Handicap, Limits, analyse, count_repeats, no_clock
from millrace.engine.search.aspiration_window import VERIFYING_PLIES
from millrace.engine.search.move_ordering import HISTORY_LIMIT, select_next, update_history
from millrace.engine.state import State
from millrace.engine.transposition_table import (
    PROVEN,
    WIN,
    new_table,
)
from tests.engine.minimax import MORRIS, MOVING, PLACING, minimax, search

BATTLE_SHEEP = find_game("battlesheep")

UNPACK, GENERATE, MAKE = packing_of(MORRIS).unpack, MORRIS.rules.kernels.generate_moves, MORRIS.rules.kernels.make_move


@pytest.mark.parametrize("position", PLACING)
@pytest.mark.parametrize(("depth", "quiescence"), [(2, 0), (2, 2), (3, 0)])
def test_search_finds_the_value_of_a_plain_minimax(position: str, depth: int, quiescence: int) -> None:
    state = State.of(MORRIS, position)
    assert search(state, depth, Handicap(quiescence=quiescence)).value == minimax(state, depth, quiescence)


@pytest.mark.parametrize(("position", "depth"), [*zip(MOVING, (4, 4, 2, 2), strict=True)])
def test_without_its_table_search_agrees_where_positions_come_up_at_several_plies(position: str, depth: int) -> None:
    state = State.of(MORRIS, position)
    found = search(state, depth, Handicap(quiescence=1), EXACT_TECHNIQUES._replace(table=False))
    assert found.value == minimax(state, depth, 1)


@pytest.mark.parametrize("position", [PLACING[1], MOVING[0]])
def test_pauses_do_not_change_a_search(position: str) -> None:
    state = State.of(MORRIS, position)
    ticks = count()
    whole = analyse(state, Limits(depth=12), no_clock)
    sliced = analyse(state, Limits(depth=12), lambda: float(next(ticks)))
    assert next(ticks) > 100, "it paused often"
    assert (sliced.nodes, sliced.value, sliced.principal_variation) == (
        whole.nodes,
        whole.value,
        whole.principal_variation,
    )


def test_the_principal_variation_can_be_played() -> None:
    state = State.of(MORRIS, MOVING[0])
    found = search(state, 7)
    assert len(State.from_moves(MORRIS, MOVING[0], found.principal_variation).moves) >= 7


@kernel
def wins_within(board: Board, position: Position, plies: int, buffers: NDArray[np.int32]) -> bool:
    """Return whether the mover can force a win in this many plies (an odd number), by trying every move."""
    for index in range(GENERATE(board, position, buffers[plies])):
        after = MAKE(board, position, read_move(buffers[plies], index))
        replies = GENERATE(board, after, buffers[plies - 1])
        is_won = replies == 0 or plies > 1
        for reply in range(replies):
            answered = MAKE(board, after, read_move(buffers[plies - 1], reply))
            is_won = is_won and wins_within(board, answered, plies - 2, buffers)
        if is_won:
            return True
    return False


@allocating_kernel
def wins_from(board: Board, words: Words, plies: int) -> bool:
    return wins_within(board, UNPACK(words), plies, np.empty((plies + 1, 512), dtype=np.int32))


@pytest.mark.parametrize(
    ("position", "plies"),
    [
        (".B.....B....B..WW.W...W. w 0 0", 1),
        ("W.....W.....WB..B....B.. w 0 0", 3),
        ("...B.W...B...W...B..W... w 0 0", 3),
        ("...W....W..BB....W...B.. b 0 0", 5),
        (".....B..B...W..W.B.....W b 0 0", 5),
    ],
)
def test_a_win_is_found_with_its_exact_distance(position: str, plies: int) -> None:
    state = State.of(MORRIS, position)
    board, words = state.start.board, state.words
    assert wins_from(board, words, plies)
    assert plies == 1 or not wins_from(board, words, plies - 2)
    found = search(state, plies + 2)
    assert found.value == WIN - plies
    assert len(found.principal_variation) == plies
    deeper = analyse(state, Limits(depth=plies + 12), no_clock)
    assert PROVEN < deeper.value <= WIN - plies, "what leaves moves out sees it later, and not shorter than it is"


@pytest.mark.parametrize(
    ("position", "plies"), [("W.B....W....W.........BB w 0 0", 2), ("........W.BB....B..W...W w 0 0", 4)]
)
def test_a_loss_is_put_off_to_its_exact_distance(position: str, plies: int) -> None:
    state = State.of(MORRIS, position)
    found = search(state, plies + 2)
    assert found.value == plies - WIN
    for move in state.legal_moves:
        after = state.after(move)
        assert wins_from(after.start.board, after.words, plies - 1)


@given(
    cells=st.permutations(range(24)),
    men=st.tuples(st.integers(3, 4), st.integers(3, 4)),
    depth=st.integers(2, 7),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])  # most positions are not decided
def test_reported_wins_and_losses_are_true(cells: list[int], men: tuple[int, int], depth: int) -> None:
    board = ["."] * 24
    for index, cell in enumerate(cells[: sum(men)]):
        board[cell] = "W" if index < men[0] else "B"
    state = State.of(MORRIS, f"{''.join(board)} w 0 0")
    assume(state.outcome is None)
    found = analyse(state, Limits(depth=depth), no_clock, table=new_table(1))
    plies = WIN - abs(found.value)
    assume(abs(found.value) > PROVEN and plies <= 4)
    if found.value > 0:
        assert wins_from(state.start.board, state.words, plies)
    else:
        afters = [state.after(move) for move in state.legal_moves]
        assert all(not after.legal_moves or wins_from(after.start.board, after.words, plies - 1) for after in afters)


def test_a_proven_win_ends_the_search_once_shorter_ones_are_excluded() -> None:
    at_once = analyse(State.of(MORRIS, ".B.....B....B..WW.W...W. w 0 0"), Limits(), no_clock)
    assert (at_once.value, at_once.depth) == (WIN - 1, 1)
    found = analyse(State.of(MORRIS, "W.....W.....WB..B....B.. w 0 0"), Limits(), no_clock)
    assert (found.value, found.depth) == (WIN - 3, 3 + VERIFYING_PLIES)


@pytest.mark.parametrize(
    ("position", "value"),
    [
        ("0,r5/0,0/0,b4 b 2", WIN - 3),
        (".,b5,.,./0,0,0,./0,r2,0,0 b 2", WIN - 3),
        ("b5,.,./0,.,./0,.,./0,0,./.,0,r5/.,0,0 r 2", WIN - 5),
        (".,0,.,./0,b5,0,./.,0,0,./.,0,0,r2 r 2", 4 - WIN),
    ],
)
def test_pruning_near_the_leaves_makes_no_win_longer(position: str, value: int) -> None:
    assert analyse(State.of(BATTLE_SHEEP, position), Limits(depth=20), no_clock).value == value


def test_a_win_that_stands_when_it_is_the_winners_turn_is_not_counted_a_ply_longer() -> None:
    found = analyse(State.of(BATTLE_SHEEP, "b2,0,0,0,r4/.,.,.,0,0 r 2"), Limits(depth=20), no_clock)
    assert (found.value, found.best_move) == (WIN - 2, "e1-e2:1")


def test_a_losing_side_takes_the_third_occurrence_of_a_position() -> None:
    start = "WBB....BW..W..WBWB.WW... w 0 0"
    shuttle = ["a7-a4", "d7-d6", "a4-a7", "d6-d7"]
    before_last = State.from_moves(MORRIS, start, [*shuttle, *shuttle[:3]])
    found = search(before_last, 4)
    assert (found.best_move, found.value) == ("d6-d7", 0)
    forgetful = search(State.of(MORRIS, before_last.position_text), 4)
    assert forgetful.value < 0


def test_a_second_occurrence_since_the_root_counts_as_a_draw() -> None:
    keys = np.array([7, 1, 7, 3, 7], dtype=np.uint64)
    assert count_repeats(keys, 4, 4, past=5, seats=2) == 2, "two before the root: the third occurrence"
    assert count_repeats(keys, 4, 4, past=3, seats=2) == 2
    assert count_repeats(keys, 4, 2, past=5, seats=2) == 1, "one before the root is not yet a draw"
    assert count_repeats(keys, 4, 2, past=2, seats=2) == 2, "one since the root, the root included, is"
    assert count_repeats(np.array([5, 7, 1, 7], dtype=np.uint64), 2, 2, past=0, seats=2) == 0, (
        "the other side is to move"
    )


def test_the_quiet_limit_is_seen_at_its_ply() -> None:
    losing = "W.BB.W...W.BB.WB...BW..W b 0 0"
    for quiet_plies in (50, 97, 98):
        state = State.of(MORRIS, f"{losing} {quiet_plies}")
        assert search(state, 3, Handicap(quiescence=0)).value == minimax(state, 3, 0)
    assert search(State.of(MORRIS, f"{losing} 99"), 3).value == 0
    winning = "W.BB.W...W.BB.WB...BW..W w 0 0"
    found = search(State.of(MORRIS, f"{winning} 99"), 3)
    assert found.best_move == "g4-f4xd2", "a taking is no quiet ply"


def test_moves_are_ordered_by_rank_and_history_stays_within_its_limit() -> None:
    ranked = np.array([[0, 0, 0], [3 << 16 | 1, 9 << 16 | 2, -(4 << 16) | 3]], dtype=np.int64)
    assert [select_next(ranked, 1, index, 3) >> 16 for index in range(3)] == [9, 3, -4]
    history = np.zeros((2, 65536), dtype=np.int32)
    for _ in range(1000):
        update_history(history, 1, 5, 900)
    assert 0 < history[1, 5] <= HISTORY_LIMIT
    for _ in range(1000):
        update_history(history, 1, 5, -900)
    assert -HISTORY_LIMIT <= history[1, 5] < 0
