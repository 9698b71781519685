"""The suite of solved endings, and what the search sees of it."""

import pytest

from benchmarks.endings_suite import GAME, Ending, Sight, read_suite, share_within, sight_of
from millrace.engine.search import Limits
from millrace.engine.state import State


def test_the_suite_has_decided_positions_of_few_men() -> None:
    suite = read_suite()
    assert len({ending.text for ending in suite}) == 1_000
    for ending in suite:
        state = State.of(GAME, ending.text)
        assert state.outcome is None
        assert 9 <= sum(ending.text.partition(" ")[0].count(letter) for letter in "WB") <= 13
        # The side to move makes the last ply of a win, its opponent that of a loss.
        assert ending.plies % 2 == (ending.result == 1)


@pytest.mark.parametrize(
    ("ending", "nodes"),
    [
        (Ending("B...BWBWBWW.W.W.......W. w 0 0", 1, 9), 40_000),
        (Ending("...WWB.W..B.BWWWB......W w 0 0", 1, 7), 15_000),
        (Ending(".BWW.B.B.....B...BBBW... w 0 0", -1, 10), 50_000),
    ],
)
def test_futility_pruning_hides_no_decided_ending_for_long(ending: Ending, nodes: int) -> None:
    # With it, they took 169,000, 42,000 and 150,000 nodes.
    assert sight_of(ending, Limits(nodes=nodes), GAME.strength.techniques).nodes <= nodes


def test_a_result_of_the_wrong_side_is_not_seen() -> None:
    wrong = Ending("WW............W..B.B.B.. w 0 0", -1, 6)
    assert sight_of(wrong, Limits(depth=6), GAME.strength.techniques) == Sight(float("inf"), float("inf"))


def test_shares_count_what_was_seen_in_time() -> None:
    assert share_within([100, 200, float("inf"), 150], 150) == 0.5
