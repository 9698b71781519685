"""What is special about Tic-tac-toe."""

import pytest

from millrace.engine.game import SetupError
from millrace.engine.games import find_game
from millrace.engine.state import State

GAME = find_game("tic_tac_toe")


def test_three_in_a_row_win() -> None:
    outcome = State.from_moves(GAME, "", ("a3", "a1", "b3", "b1", "c3")).outcome
    assert outcome is not None
    assert (outcome.ranks, outcome.reason) == ((1, 2), "row")


def test_a_full_board_is_a_draw() -> None:
    outcome = State.from_moves(GAME, "", ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")).outcome
    assert outcome is not None
    assert (outcome.ranks, outcome.reason) == ((1, 1), "full")


def test_a_position_in_which_both_have_a_row_is_refused() -> None:
    with pytest.raises(SetupError, match="Only the player who moved last"):
        State.of(GAME, "xxxooo... x")
