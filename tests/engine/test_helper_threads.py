"""Several threads that search one state: their results, shared nodes, and ends."""

import threading
from itertools import count

import numpy as np
import pytest

from millrace.engine.game.techniques import EXACT_TECHNIQUES
from millrace.engine.games import GAMES, find_game
from millrace.engine.search import Handicap, Limits, OpponentModel, Parallel, Tree, analyse, no_clock
from millrace.engine.search.iterations import AspirationSearch, tree_at_root
from millrace.engine.search.shared_progress import SharedProgress
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN, Histories, new_table

MORRIS = find_game("morris")
MIDDLE = "W.BB.W...W.BB.WB...BW..W w 0 0"
WON_IN_FIVE = "...W....W..BB....W...B.. b 0 0"


def searchers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("search")]


@pytest.mark.parametrize("parallel", Parallel)
@pytest.mark.parametrize("name", GAMES)
def test_several_threads_reach_the_depth_with_a_legal_move(name: str, parallel: Parallel) -> None:
    state = State.of(GAMES[name])
    found = analyse(state, Limits(depth=4), no_clock, threads=3, parallel=parallel)
    assert found.depth == 4
    assert found.best_move is not None
    assert state.parse_move(found.best_move) in state.legal_moves
    assert not searchers()


def test_they_report_each_iteration_once_in_order() -> None:
    told: list[int] = []
    analyse(
        State.of(MORRIS, MIDDLE),
        Limits(depth=9),
        no_clock,
        threads=2,
        on_iteration=lambda found: told.append(found.depth),
    )
    assert told == sorted(set(told))
    assert told[0] == 1
    assert told[-1] == 9


@pytest.mark.parametrize("parallel", Parallel)
def test_they_deepen_in_the_same_steps_up_to_the_limit(monkeypatch: pytest.MonkeyPatch, parallel: Parallel) -> None:
    begun: list[int] = []
    iterate = AspirationSearch.iterate

    def note(run: AspirationSearch, depth: int) -> bool:
        begun.append(depth)
        return iterate(run, depth)

    monkeypatch.setattr(AspirationSearch, "iterate", note)
    analyse(State.of(MORRIS, MIDDLE), Limits(depth=9, depth_step=2), no_clock, threads=3, parallel=parallel)
    assert set(begun) <= {2, 4, 6, 8, 9}


@pytest.mark.parametrize("parallel", Parallel)
def test_they_find_a_win_with_its_exact_distance(parallel: Parallel) -> None:
    found = analyse(
        State.of(MORRIS, WON_IN_FIVE),
        Limits(depth=7),
        no_clock,
        threads=4,
        techniques=EXACT_TECHNIQUES,
        parallel=parallel,
    )
    assert found.value == WIN - 5
    assert len(found.principal_variation) == 5


def test_young_brothers_wait_for_the_eldest() -> None:
    progress = SharedProgress(None, 2)
    assert not progress.wait_for_eldest(1)
    progress.report_eldest(3)
    assert progress.wait_for_eldest(3)
    assert not progress.wait_for_eldest(4)
    progress.report_eldest(2)
    assert progress.eldest_depth == 3, "an iteration that is over takes nothing back"


@pytest.mark.parametrize(("nodes", "least"), [(1, 1), (3_000, 1), (100_000, 15_000)])
def test_a_node_limit_counts_the_nodes_of_all_threads(nodes: int, least: int) -> None:
    alone = analyse(State.of(MORRIS, MIDDLE), Limits(nodes=1), no_clock).nodes
    found = analyse(State.of(MORRIS, MIDDLE), Limits(nodes=nodes), no_clock, threads=3)
    assert found.nodes <= max(nodes, alone)
    assert found.nodes >= least, "the first to have none left leaves what the others were granted"


def test_they_share_histories_and_nothing_else_of_their_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    trees: list[Tree] = []

    def remembered(state: State, handicap: Handicap, opponent_model: OpponentModel, histories: Histories) -> Tree:
        trees.append(tree_at_root(state, handicap, opponent_model, histories))
        return trees[-1]

    monkeypatch.setattr("millrace.engine.search.iterative_deepening.tree_at_root", remembered)
    table = new_table(1)
    analyse(State.of(MORRIS, MIDDLE), Limits(depth=6), no_clock, threads=2, table=table)
    one, other = trees
    assert table.histories is not None
    assert one.history is other.history is table.histories.history
    assert one.corrections is other.corrections is table.histories.corrections
    for name in set(Tree._fields) - {"history", "corrections", "busy"}:
        assert not np.shares_memory(getattr(one, name), getattr(other, name)), name


def test_they_stop_on_request() -> None:
    asked = count()
    found = analyse(State.of(MORRIS, MIDDLE), Limits(), no_clock, threads=3, should_stop=lambda: next(asked) > 5)
    assert found.best_move is not None
    assert not searchers()


def test_they_stop_when_the_receiver_of_reports_fails() -> None:
    def fail(_found: object) -> None:
        if searchers():
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        analyse(State.of(MORRIS, MIDDLE), Limits(), no_clock, threads=2, on_iteration=fail)
    assert not searchers()


def test_a_single_thread_starts_no_other_and_is_repeatable() -> None:
    state = State.of(MORRIS, MIDDLE)
    one, again = (
        analyse(state, Limits(depth=6), no_clock, threads=1, should_stop=lambda: bool(searchers())) for _ in range(2)
    )
    assert one.depth == 6
    assert (one.nodes, one.value, one.principal_variation) == (again.nodes, again.value, again.principal_variation)


def test_nodes_are_granted_until_used_up_and_returned_ones_again() -> None:
    progress = SharedProgress(100)
    assert (progress.take_nodes(70), progress.take_nodes(70), progress.take_nodes(70)) == (70, 30, 0)
    assert progress.is_exhausted
    progress.return_nodes(20)
    assert not progress.is_exhausted
    assert (progress.take_nodes(70), progress.nodes) == (20, 100)


def test_only_the_furthest_iteration_counts() -> None:
    progress = SharedProgress(None)
    progress.advance(3, 40, (1, 2))
    progress.advance(3, 99, (7,))
    progress.advance(2, 99, (7,))
    assert progress.latest() == (3, 40, (1, 2))
