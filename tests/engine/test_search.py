"""The search against a plain minimax, and what it must see: wins to the ply, repetitions, quiet plies."""

import os
import subprocess
import sys
from itertools import count

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.analysis import PERFECT_TEMPER, Analysis, Limits, Temper, analyse
from engine.bits import kernel
from engine.game import Board, Position, Words
from engine.games import find_game
from engine.rules import packing_of, read_move, rules_of
from engine.search import count_repeats
from engine.search.lapses import CERTAIN, is_overlooked
from engine.search.ordering import HISTORY_LIMIT, LESSONS, note_history, take_next
from engine.state import State
from engine.table import (
    ABSENT,
    EXACT,
    LOWER_BOUND,
    PROVEN,
    WIN,
    Table,
    entry_bound,
    entry_depth,
    entry_move,
    entry_value,
    find_entry,
    make_entry,
    new_table,
    store_entry,
    value_from_position,
    value_from_root,
)
from engine.techniques import EXACT_TECHNIQUES, NO_TECHNIQUES, TECHNIQUES, Techniques

MORRIS = find_game("morris")
UNPACK, GENERATE, MAKE = packing_of(MORRIS).unpack, MORRIS.kernels.generate_moves, MORRIS.kernels.make_move

PLACING = [
    "........................ w 9 9",
    "W..B...WB.........W..B.. w 6 6",
    "WW.B........B.WB...B...W w 5 5",
    "WWW.B.B...B..WB..W...... b 4 4",
]
"""While men are placed, a position comes up at one ply only, so that a table cannot look deeper than the minimax."""

MOVING = [
    "W.BB.W...W.BB.WB...BW..W w 0 0",
    "WW.....BW..B.WB..B..W.BB b 0 0",
    "WWW.......B.....B......B w 0 0",
    "WBW.B.....W..B.....W.B.. b 0 0",
]


def no_clock() -> float:
    return 0.0


def search(
    state: State,
    depth: int,
    temper: Temper = PERFECT_TEMPER,
    techniques: Techniques = EXACT_TECHNIQUES,
    table: Table | None = None,
) -> Analysis:
    return analyse(state, Limits(depth=depth), no_clock, temper=temper, techniques=techniques, table=table)


def minimax(state: State, depth: int, quiescence: int, ply: int = 0, seen: tuple[bytes, ...] = ()) -> int:
    """Return the value that alpha-beta must find, by the plainest means."""
    board, rules = state.start.board, rules_of(MORRIS)
    if ply > 0 and state.words.tobytes() in seen[-2::-2]:
        return 0
    if not state.generated_moves:
        return ply - WIN
    if ply > 0 and state.quiet_plies >= 100:
        return 0
    seen = () if state.is_fresh else seen
    moves, best = state.generated_moves, -WIN
    if depth <= 0:
        best = int(rules.evaluate(board, state.words))
        if depth <= -quiescence:
            return best
        moves = tuple(
            move for move in moves if MORRIS.kernels.is_noisy(board, MORRIS.position_type(*state.words), move)
        )
    for move in moves:
        below = minimax(state.after(move), depth - 1, quiescence, ply + 1, (*seen, state.words.tobytes()))
        best = max(best, -below)
    return best


@pytest.mark.parametrize("position", PLACING)
@pytest.mark.parametrize("quiescence", [0, 2])
def test_search_finds_the_value_of_a_plain_minimax(position: str, quiescence: int) -> None:
    state = State.of(MORRIS, position)
    found = search(state, 2, Temper(quiescence=quiescence))
    assert found.value == minimax(state, 2, quiescence)


@pytest.mark.parametrize("position", PLACING)
def test_search_finds_the_value_of_a_plain_minimax_three_plies_deep(position: str) -> None:
    state = State.of(MORRIS, position)
    assert search(state, 3, Temper(quiescence=0)).value == minimax(state, 3, 0)


@pytest.mark.parametrize(("position", "depth"), [*zip(MOVING, (4, 4, 2, 2), strict=True)])
def test_without_its_table_search_agrees_where_positions_come_up_at_several_plies(position: str, depth: int) -> None:
    state = State.of(MORRIS, position)
    found = search(state, depth, Temper(quiescence=1), EXACT_TECHNIQUES._replace(table=False))
    assert found.value == minimax(state, depth, 1)


def interpreted_lines(function: str) -> list[str]:
    """Return what a function of this module prints with kernels as plain Python: no search is compiled for it."""
    program = f"from tests.engine import test_search; test_search.{function}()"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def print_exact_values() -> None:
    """Print name and value for each exact technique alone, for none, and for all exact ones together."""
    alone = {name: NO_TECHNIQUES._replace(**{name: True}) for name in TECHNIQUES if TECHNIQUES[name].is_exact}
    for name, techniques in {**alone, "none": NO_TECHNIQUES, "all": EXACT_TECHNIQUES}.items():
        for position, depth, quiescence in SMALL:
            temper = Temper(quiescence=quiescence if techniques.quiescence else 0)
            found = search(State.of(MORRIS, position), depth, temper, techniques, new_table(1))
            print(name, found.value)


SMALL = [("W.BB.W...W.BB.WB...BW..W w 0 0", 2, 1), ("WW..B.B...B..WB..W...... b 1 2", 2, 1)]
"""A taking among replies, and the last men in hand."""


def test_each_exact_technique_alone_finds_the_value_of_a_plain_minimax() -> None:
    expected = [
        {quiescence: minimax(State.of(MORRIS, position), depth, quiescence) for quiescence in (0, most)}
        for position, depth, most in SMALL
    ]
    lines = [line.split() for line in interpreted_lines("print_exact_values")]
    exact = [name for name in TECHNIQUES if TECHNIQUES[name].is_exact]
    assert [name for name, _ in lines[:: len(SMALL)]] == [*exact, "none", "all"]
    for index, (name, value) in enumerate(lines):
        position, depth, most = SMALL[index % len(SMALL)]
        follows_noise = name in {"quiescence", "all"}
        assert int(value) == expected[index % len(SMALL)][most if follows_noise else 0], (name, position, depth)


def print_moves_of_each_technique() -> None:
    """Print the move found with each technique alone and with all but it, for each game and many seats."""
    everything = Techniques(*(True for _ in TECHNIQUES))
    for name in TECHNIQUES:
        for techniques in (NO_TECHNIQUES._replace(**{name: True}), everything._replace(**{name: False})):
            for game, setup in EVERY_KIND:
                state = State.of(find_game(game), setup)
                limits = Limits(depth=6, nodes=60)
                found = analyse(state, limits, no_clock, table=new_table(1), techniques=techniques)
                is_legal = any(state.format_move(move) == found.best_move for move in state.legal_moves)
                print(is_legal, name, game, setup)


EVERY_KIND = [
    ("morris", "W.BB.W...W.BB.WB...BW..W w 0 0"),
    ("mingmang", "8/2w2b2/8/1b4w1/8/3bw3/8/b6w b 0"),
    ("battlesheep", "0,r9,0,0,0/0,0,b9,0,0/0,0,0,0,0 r 2"),
    ("battlesheep", "0,r9,0,0,0/0,0,b9,0,0/g9,0,0,0,0 b 3"),
    ("battlesheep", "0,r2,0,0,0/0,0,b3,0,y2/g2,0,0,0,0 y 4"),
]


def test_each_technique_can_be_switched_for_every_game_and_number_of_seats() -> None:
    lines = interpreted_lines("print_moves_of_each_technique")
    assert len(lines) == 2 * len(TECHNIQUES) * len(EVERY_KIND)
    assert [line for line in lines if not line.startswith("True")] == []


def test_every_technique_is_told_of() -> None:
    assert tuple(TECHNIQUES) == Techniques._fields


@pytest.mark.parametrize("position", [PLACING[1], MOVING[0]])
def test_where_a_search_pauses_changes_nothing_it_does(position: str) -> None:
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
    """Return whether the mover can force a win in so many plies (an odd number), by looking at every move."""
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


@kernel
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
@settings(max_examples=60, deadline=None)
def test_what_the_search_tells_of_a_win_or_a_loss_is_true(cells: list[int], men: tuple[int, int], depth: int) -> None:
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


def test_a_proven_win_ends_the_search() -> None:
    found = analyse(State.of(MORRIS, "W.....W.....WB..B....B.. w 0 0"), Limits(), no_clock)
    assert (found.value, found.depth) == (WIN - 3, 3)


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
    assert search(State.of(MORRIS, f"{losing} 50"), 3).value != 0
    assert search(State.of(MORRIS, f"{losing} 99"), 3).value == 0
    winning = "W.BB.W...W.BB.WB...BW..W w 0 0"
    found = search(State.of(MORRIS, f"{winning} 99"), 3)
    assert found.best_move == "g4-f4xd2", "a taking is no quiet ply"


def test_an_entry_of_the_table_keeps_what_it_was_given() -> None:
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


def test_an_entry_without_a_move_inherits_the_move_of_its_key() -> None:
    table = new_table(1).entries
    store_entry(table, np.uint64(1), np.uint64(make_entry(12, 5, 3, EXACT, 0)))
    store_entry(table, np.uint64(1), np.uint64(make_entry(0, 9, 4, EXACT, 0)))
    known = np.uint64(find_entry(table, np.uint64(1)))
    assert (entry_move(known), entry_value(known)) == (12, 9)


def test_a_full_bucket_gives_up_its_shallowest_entry() -> None:
    table = new_table(1).entries
    keys = [np.uint64(index << 32) for index in range(1, 6)]
    for key, depth in zip(keys, (4, 2, 6, 8, 3), strict=True):
        store_entry(table, key, np.uint64(make_entry(1, 0, depth, EXACT, 0)))
    assert [find_entry(table, key) != ABSENT for key in keys] == [True, False, True, True, True]


def test_an_entry_of_which_two_writers_left_a_word_each_is_absent() -> None:
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


def test_moves_come_by_rank_and_history_stays_within_its_limit() -> None:
    ranked = np.array([[0, 0, 0], [3 << 16 | 1, 9 << 16 | 2, -(4 << 16) | 3]], dtype=np.int64)
    assert [take_next(ranked, 1, index, 3) >> 16 for index in range(3)] == [9, 3, -4]
    history = np.zeros((LESSONS, 65536), dtype=np.int32)
    for _ in range(1000):
        note_history(history, 1, 5, 900)
    assert 0 < history[1, 5] <= HISTORY_LIMIT
    for _ in range(1000):
        note_history(history, 1, 5, -900)
    assert -HISTORY_LIMIT <= history[1, 5] < 0


def move_texts(state: State) -> list[str]:
    return [state.format_move(move) for move in state.legal_moves]


@pytest.mark.parametrize("position", [*PLACING, *MOVING])
def test_who_overlooks_nothing_plays_as_always(position: str) -> None:
    state = State.of(MORRIS, position)
    assert search(state, 3, Temper(seed=5)) == search(state, 3)


@pytest.mark.parametrize("position", [*PLACING, *MOVING])
def test_whatever_is_overlooked_a_legal_move_is_played_and_the_same_again(position: str) -> None:
    state = State.of(MORRIS, position)
    for lapses in (1, 300, CERTAIN):
        found = search(state, 3, Temper(seed=5, lapses=lapses))
        assert found.best_move in move_texts(state)
        assert search(state, 3, Temper(seed=5, lapses=lapses)) == found


def test_what_takes_at_once_is_never_overlooked_but_its_answer_may_be() -> None:
    own_mill = State.of(MORRIS, "WW.B....BB.......B....W. w 6 5")
    assert all((search(own_mill, 1, Temper(seed=seed, lapses=900)).best_move or "")[:3] == "g7x" for seed in range(20))
    threatened = State.of(MORRIS, "BB....W..........WW....B w 6 6")
    answers = [search(threatened, 2, Temper(seed=seed, lapses=300)).best_move for seed in range(40)]
    assert 0 < answers.count("g7") < 40


def test_moves_are_overlooked_as_often_as_told_and_evenly_over_seeds() -> None:
    keys = [np.uint64(number * 0x9E3779B97F4A7C15 % (1 << 64)) for number in range(40)]
    for lapses in (0, 100, 500, CERTAIN):
        missed = [is_overlooked(key, move, 7, lapses) for key in keys for move in range(1, 101)]
        assert abs(sum(missed) / len(missed) - lapses / CERTAIN) < 0.03


def test_only_the_candidates_are_searched() -> None:
    state = State.of(MORRIS, "WW.B....BB.......B....W. w 6 5")
    quiet = tuple(move for move in state.legal_moves if "x" not in state.format_move(move))
    found = analyse(state, Limits(depth=3), no_clock, candidates=quiet)
    assert found.best_move in {state.format_move(move) for move in quiet}
