"""The search sees the ends of decided endings of few men."""

import pytest

from millrace.engine.analysis import Limits, analyse, no_clock
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.engine.transposition_table import PROVEN, new_table

MORRIS = find_game("morris")


@pytest.mark.parametrize(
    ("position", "winner", "nodes"),
    [
        ("B...BWBWBWW.W.W.......W. w 0 0", 0, 40_000),
        ("...WWB.W..B.BWWWB......W w 0 0", 0, 15_000),
        (".BWW.B.B.....B...BBBW... w 0 0", 1, 50_000),
    ],
)
def test_futility_pruning_hides_no_decided_ending_for_long(position: str, winner: int, nodes: int) -> None:
    # With it, they took 169,000, 42,000 and 150,000 nodes.
    found = analyse(State.of(MORRIS, position), Limits(nodes=nodes), no_clock, table=new_table(32))
    assert (found.value if winner == 0 else -found.value) > PROVEN
