"""How a match of Ming Mang ends, and territory (rulings 2.6 and 2.7)."""

import pytest

from millrace.engine.game import IllegalMoveError, Outcome, Tally
from millrace.engine.games.mingmang import GAME
from millrace.engine.state import State
from tests.engine.mingmang.board_text import board
from tests.engine.move_texts import texts


def test_a_side_without_men_has_lost() -> None:
    state = board("""
        ........
        bw.b....
    """)
    over = state.play_text("d1-c1")
    assert over.outcome == Outcome((1, 2), "elimination")
    assert over.legal_moves == ()
    with pytest.raises(IllegalMoveError, match="over"):
        over.play_text("pass")


def test_a_side_without_a_man_that_can_move_has_lost_on_its_turn_alone() -> None:
    blocked = "b.......\nwb......"
    state = board(blocked, "w")
    assert state.outcome == state.adjudication == Outcome((1, 2), "stalemate")
    state = board(blocked, "b")
    assert state.outcome is None
    assert "pass" in texts(state)


def test_two_passes_in_a_row_end_the_match_by_territory() -> None:
    passed = State.of(GAME).play_text("pass")
    assert passed.outcome is None
    assert passed.play_text("pass").outcome == Outcome((1, 1), "territory")


def test_a_move_between_two_passes_keeps_the_match_going() -> None:
    state = State.of(GAME).play_text("pass").play_text("b8-b7").play_text("pass")
    assert state.outcome is None


WALL = """
    ...bw...
    ...bw...
    ...bw...
    ...bw...
    ...bw...
    ...bw...
    ..bw....
    ..bw....
"""


def test_squares_that_only_one_side_can_reach_are_its_territory() -> None:
    state = board(WALL).play_text("pass").play_text("pass")
    assert state.outcome == Outcome((2, 1), "territory")
    assert state.territory is not None
    assert (state.territory.count(0), state.territory.count(1)) == (30, 34)


def test_squares_that_both_sides_can_reach_belong_to_neither() -> None:
    territory = board("""
        ........
        bbbbbbbb
        ........
        wwwwwwww
        ........
    """).territory
    assert territory is not None
    ranks = [set(territory[8 * rank : 8 * rank + 8]) for rank in range(8)]
    assert ranks == [{1}, {1}, {None}, {0}, {0}, {0}, {0}, {0}]


@pytest.mark.parametrize("side", ["b", "w"])
def test_a_match_that_reaches_its_time_limit_is_judged_by_territory(side: str) -> None:
    state = board(WALL, side)
    assert state.outcome is None
    assert state.adjudication == Outcome((2, 1), "territory")


def test_the_men_of_each_seat_are_counted() -> None:
    assert State.of(GAME).tallies == (Tally("Men", (14, 14)),)
