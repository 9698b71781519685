"""Marks between threads besides the table: a move being searched by another is deferred, and nothing else changes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.bindings import bindings_of
from millrace.engine.game.techniques import EXACT_TECHNIQUES
from millrace.engine.games import GAMES, find_game
from millrace.engine.search import (
    NO_HANDICAP,
    Limits,
    OpponentModel,
    Tree,
    analyse,
    make_search,
    new_busy,
    new_histories,
    no_clock,
)
from millrace.engine.search.abdada import PLACE_SHIFT, defer_move, end_busy, is_busy, mark_busy, place_of
from millrace.engine.search.aspiration_window import DRAW_AT_SECOND
from millrace.engine.search.iterations import AspirationSearch, tree_at_root
from millrace.engine.search.shared_progress import SharedProgress
from millrace.engine.search.time_checks import LeaderTimeChecks
from millrace.engine.search.tree import ALPHA, BETA, BUSY, DEPTH, DRAW_AT, ENTER, NODES, PLY, STEP, TRIED
from millrace.engine.state import State
from millrace.engine.tablebase.probing import empty_index
from millrace.engine.transposition_table import UPPER_BOUND, make_entry, new_table, store_entry

PLIES = 4
FAR = 20_000
"""A value that no open position has, so that no reply refutes a move by being worth less."""

MIDDLES = {
    "morris": "W.BB.W...W.BB.WB...BW..W w 0 0",
    "mingmang": "wwww1www/w3w2b/w6b/w6b/1b1w3b/w4b1b/w6b/b1bbb1bb w 0",
    "battlesheep": "",
}
ranked_moves = st.integers(-(1 << 40), 1 << 40)
places = st.integers(1, 1023)


@settings(deadline=None)
@given(ranked_moves, places)
def test_a_deferred_move_is_marked_and_found_again(move: int, place: int) -> None:
    assert place_of(move) == 0
    later = defer_move(move, place)
    assert place_of(later) == place
    assert later + (place << PLACE_SHIFT) == move


@settings(deadline=None)
@given(ranked_moves, ranked_moves, places)
def test_deferred_moves_come_after_all_others_in_order(one: int, other: int, place: int) -> None:
    assert defer_move(one, place) < other
    assert defer_move(one, place) > defer_move(other, place + 1)


def test_a_mark_stays_until_it_is_removed_or_replaced() -> None:
    busy = new_busy(2)
    one, other = np.uint64(7), np.uint64(7 + (1 << 40))
    mark_busy(busy, one)
    assert is_busy(busy, one)
    assert not is_busy(busy, other)
    mark_busy(busy, other)
    end_busy(busy, one)
    assert is_busy(busy, other)
    end_busy(busy, other)
    assert not busy.any()


def test_a_single_thread_marks_nothing() -> None:
    assert new_busy(1).size == 0


def exact_tree_at_root(state: State) -> Tree:
    """Return a tree for a search with the exact techniques."""
    histories = new_histories(state.game, state.seat)
    return tree_at_root(state, NO_HANDICAP, OpponentModel.BEST_REPLY, histories)


@pytest.mark.parametrize("name", GAMES)
def test_the_value_is_the_same_while_others_search_half_of_the_moves(name: str) -> None:
    state = State.of(find_game(name), MIDDLES[name])
    progress = SharedProgress(None, threads=2)
    table = new_table(1)
    limits = Limits(depth=PLIES)
    tree = exact_tree_at_root(state)
    advance = make_search(state.game, EXACT_TECHNIQUES)
    pace = LeaderTimeChecks(limits, no_clock, None, None)
    run = AspirationSearch(state, pace, progress, advance, table, tree, empty_index(state.game), EXACT_TECHNIQUES)
    key_of = bindings_of(state.game).key
    for move in state.legal_moves[::2]:
        mark_busy(progress.busy, np.uint64(key_of(state.after(move).settled_words)))
    marked = progress.busy.copy()
    for depth in range(1, PLIES + 1):
        assert run.iterate(depth)
    assert run.value == analyse(state, limits, no_clock, techniques=EXACT_TECHNIQUES).value
    assert (progress.busy == marked).all()
    assert not tree.frames[:, BUSY].any()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_node_that_another_thread_has_finished_is_skipped(name: str, threads: int) -> None:
    state = State.of(find_game(name), MIDDLES[name])
    table = new_table(1)
    endings, board = empty_index(state.game), state.start.board
    tree = exact_tree_at_root(state)._replace(busy=new_busy(threads))
    advance = make_search(state.game, EXACT_TECHNIQUES)
    tree.counters[[PLY, STEP, DRAW_AT]] = 0, ENTER, DRAW_AT_SECOND
    tree.frames[0, [ALPHA, BETA, DEPTH]] = -FAR, 1 - FAR, PLIES

    def search_a_node() -> bool:
        return advance(board, endings, tree, table.entries, int(tree.counters[NODES]) + 1)

    while tree.counters[PLY] < 2:
        search_a_node()
    tried = tree.frames[1, TRIED]
    store_entry(table.entries, tree.entry_keys[1], make_entry(0, 0, PLIES, UPPER_BOUND, 0))
    while tree.frames[1, TRIED] == tried and not search_a_node():
        pass
    assert (tree.frames[1, TRIED] > tried) == (threads == 1)
