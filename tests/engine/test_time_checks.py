"""When a search stops: at hard and soft limits, in the opponent's time, with a clear move; on simulated clocks."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.games import find_game
from millrace.engine.search import Analysis, Limits, analyse
from millrace.engine.search.stability import Stability
from millrace.engine.search.time_checks import FIRST_SLICE_NODES, LEAST_SLICE_NODES, SLICE_SECONDS, LeaderTimeChecks
from millrace.engine.state import State
from millrace.engine.time_management import MAX_TIME_FACTOR, MIN_TIME_FACTOR
from tests.engine.uci.conversation import TickingClock

MORRIS = find_game("morris")
MIDDLE = "W.BB.W...W.BB.WB...BW..W w 0 0"
LEADING = "W.BB.W...W.B..WB....W.WW w 0 0"


def think(limits: Limits, position: str = MIDDLE, is_pondering: Callable[[], bool] | None = None) -> Analysis:
    return analyse(State.of(MORRIS, position), limits, TickingClock(), is_pondering=is_pondering)


@pytest.mark.parametrize("movetime_ms", [20, 100, 1_000])
def test_a_hard_limit_is_kept_to_within_a_few_clock_checks(movetime_ms: int) -> None:
    assert movetime_ms <= think(Limits(movetime_ms=movetime_ms)).elapsed_ms <= movetime_ms + 25


@pytest.mark.parametrize("soft_ms", [100, 1_000])
def test_a_soft_limit_is_stretched_but_not_beyond_its_bounds(soft_ms: int) -> None:
    spent_ms = think(Limits(movetime_ms=10_000, soft_ms=soft_ms)).elapsed_ms
    assert MIN_TIME_FACTOR * soft_ms * 0.5 <= spent_ms <= MAX_TIME_FACTOR * soft_ms + 15


def test_the_hard_limit_holds_against_a_later_soft_one() -> None:
    assert think(Limits(movetime_ms=60, soft_ms=5_000)).elapsed_ms <= 75


def test_a_move_is_found_even_without_time() -> None:
    found = think(Limits(movetime_ms=0, soft_ms=0))
    assert found.best_move is not None
    assert found.elapsed_ms <= 30


def test_a_single_legal_move_is_played_without_a_search() -> None:
    found = think(Limits(movetime_ms=10_000, soft_ms=5_000), "WWWWWBWBW.BBBBB.BW...... w 0 0")
    assert found.depth == 1
    assert found.elapsed_ms <= 30


def test_time_counts_from_the_opponents_move_and_results_are_kept() -> None:
    polls = iter([True] * 100)
    pondered = think(Limits(movetime_ms=50), is_pondering=lambda: next(polls, False))
    straight = think(Limits(movetime_ms=50))
    assert pondered.elapsed_ms >= straight.elapsed_ms + 500
    assert pondered.nodes > 2 * straight.nodes
    assert pondered.depth > straight.depth


def test_while_the_opponent_thinks_other_limits_count() -> None:
    assert think(Limits(depth=4, movetime_ms=1), is_pondering=lambda: True).depth == 4
    assert think(Limits(nodes=30_000, movetime_ms=1), is_pondering=lambda: True).nodes == 30_000


def test_a_pondering_search_can_be_stopped() -> None:
    polls = iter([False] * 20)
    found = analyse(
        State.of(MORRIS, MIDDLE),
        Limits(movetime_ms=1),
        TickingClock(),
        should_stop=lambda: next(polls, True),
        is_pondering=lambda: True,
    )
    assert 100 <= found.elapsed_ms <= 400


@settings(deadline=None)
@given(st.floats(0.01, 50), st.integers(1, 1_000))
def test_the_last_slices_before_a_limit_are_short(speed: float, movetime_ms: int) -> None:
    """`speed` is in thousands of nodes a millisecond."""
    now_ms = 0.0
    pace = LeaderTimeChecks(Limits(movetime_ms=movetime_ms), lambda: now_ms / 1000)
    longest_ms = max(LEAST_SLICE_NODES / speed / 1000, SLICE_SECONDS * 1000) + 1e-6
    slices = 0
    while not pace.is_spent():
        nodes = pace.next_slice()
        now_ms += nodes / speed / 1000
        pace.end_slice(nodes)
        slices += 1
    assert slices > 0
    assert now_ms <= movetime_ms + max(longest_ms, FIRST_SLICE_NODES / speed / 1000)


def test_a_search_ends_when_its_move_is_settled_sooner_in_a_decided_position() -> None:
    limits = Limits(nodes=200_000, ends_when_settled=True)
    decided, open_, again = (
        analyse(State.of(MORRIS, position), limits).nodes for position in (LEADING, MIDDLE, MIDDLE)
    )
    assert decided < open_ == again < 200_000


def test_the_used_share_is_that_of_the_nodes_or_of_the_time_after_pondering() -> None:
    now_s, is_pondering = 10.0, True
    limits = Limits(nodes=1_000, movetime_ms=4_000, soft_ms=2_000, ends_when_settled=True)
    pace = LeaderTimeChecks(limits, lambda: now_s, is_pondering=lambda: is_pondering)
    now_s = 11.0
    assert pace.used_share(100) == 0.1
    is_pondering = False
    assert pace.used_share(100) == 0.1
    now_s = 12.0
    assert pace.used_share(100) == 0.5
    assert pace.used_share(900) == 0.9


def test_a_searchs_stability_distinguishes_clear_moves_from_doubtful_ones() -> None:
    stability = Stability()
    stability.add_effort(1, 900)
    stability.add_effort(2, 100)
    for _ in range(6):
        stability.complete_iteration(best_move=1, value=20)
    clear = stability.time_factor(1)
    assert clear < 1
    assert stability.time_factor(2) > clear, "a move that has just come up is in doubt"
    stability.fail_low(-40)
    assert stability.time_factor(1) > clear, "so is one that turns out worse than it seemed"
    stability.complete_iteration(best_move=2, value=-40)
    assert stability.time_factor(2) > 1.5


def test_old_nodes_count_less_than_recent_ones() -> None:
    stability = Stability()
    stability.add_effort(1, 1000)
    stability.complete_iteration(best_move=1, value=0)
    stability.complete_iteration(best_move=1, value=0)
    stability.add_effort(2, 1000)
    by_then = stability.efforts
    assert by_then[2] == 4 * by_then[1]


def test_a_doubling_search_begins_no_iteration_that_would_need_more_than_the_time() -> None:
    depths: list[tuple[int, float]] = []
    found = analyse(
        State.of(MORRIS, MIDDLE),
        Limits(movetime_ms=1_000, wants_doubling=True, depth_step=2),
        TickingClock(),
        on_iteration=lambda each: depths.append((each.depth, each.elapsed_ms)),
    )
    assert [depth for depth, _ in depths] == list(range(2, found.depth + 1, 2))
    assert all(elapsed_ms <= 520 for _, elapsed_ms in depths[:-1])
    assert found.elapsed_ms <= 1_025
    assert found.elapsed_ms > 500
