"""The plies of Nine Men's Morris: placing, moving and flying (rulings 1.1 to 1.4)."""

import pytest

from millrace.engine.game import IllegalMoveError
from millrace.engine.games.morris import GAME
from millrace.engine.games.morris.notation import POINT_NAMES
from millrace.engine.state import State
from tests.engine.morris.board_text import THREE_AGAINST_FOUR, board
from tests.engine.move_texts import texts

DRAWN_START = """
    .--------.--------.
    |  .-----.-----.  |
    |  |  .--.--.  |  |
    .--.--.     .--.--.
    |  |  .--.--.  |  |
    |  .-----.-----.  |
    .--------.--------.
"""

EIGHTEEN_PLACINGS = "a4 e4 e5 g1 d2 e3 g7 a7 c4 b6 b2 a1 d6 d5 c3 c5 d3 g4"


# --- 1.1, 1.2: placing ---


def test_white_begins_and_each_side_has_nine_men_in_hand() -> None:
    state = State.of(GAME)
    assert (state.seat, GAME.seat_names[0]) == (0, "White")
    assert state.drawing.reserves == (9, 9)
    assert board(DRAWN_START, hands=(9, 9)).position_text == state.position_text


def test_a_man_in_hand_goes_to_any_empty_point() -> None:
    state = State.of(GAME).play_text("d6")
    assert texts(state) == set(POINT_NAMES) - {"d6"}
    assert state.drawing.reserves == (8, 9)


def test_no_man_moves_while_men_are_in_hand() -> None:
    state = State.of(GAME).play_text("d6").play_text("f4")
    assert all("-" not in text for text in texts(state))
    with pytest.raises(IllegalMoveError):
        state.play_text("d6-d5")


def test_eighteen_plies_place_all_men() -> None:
    state = State.from_moves(GAME, "", EIGHTEEN_PLACINGS.split())
    assert state.drawing.reserves == (0, 0)
    assert all("-" in text for text in texts(state))


# --- 1.3, 1.4: moving and flying ---


def test_a_man_moves_along_a_line_to_an_empty_neighbour() -> None:
    state = board("""
        W--------.--------.
        |  .-----B-----.  |
        |  |  .--W--.  |  |
        .--.--.     .--.--W
        |  |  .--.--.  |  |
        |  B-----.-----B  |
        .--------W--------.
    """)
    assert texts(state) == {
        *("a7-d7", "a7-a4"),
        *("d5-c5", "d5-e5"),
        *("g4-g7", "g4-f4", "g4-g1"),
        *("d1-a1", "d1-g1", "d1-d2"),
    }


def test_no_lines_join_diagonally_or_across_the_centre() -> None:
    state = board("""
        W--------.--------.
        |  .-----.-----.  |
        |  |  .--.--.  |  |
        B--W--.     .--.--W
        |  |  .--.--.  |  |
        |  .-----.-----.  |
        B--------.--------W
    """)
    assert {text for text in texts(state) if text.startswith("a7-")} == {"a7-d7"}
    assert {text for text in texts(state) if text.startswith("b4-")} == {"b4-b6", "b4-b2", "b4-c4"}


def test_a_side_with_exactly_three_men_flies_to_any_empty_point() -> None:
    state = board(THREE_AGAINST_FOUR)
    targets = {text.split("-")[1].split("x")[0] for text in texts(state)}
    assert len(targets) == 24 - 7
    assert "a7-d3" in texts(state)


def test_four_men_do_not_fly() -> None:
    assert "d6-d5" in texts(board(THREE_AGAINST_FOUR, "b"))
    assert "d6-d3" not in texts(board(THREE_AGAINST_FOUR, "b"))


def test_with_the_option_off_three_men_do_not_fly() -> None:
    state = board(THREE_AGAINST_FOUR, extra="flying=off")
    assert {text for text in texts(state) if text.startswith("g7-")} == {"g7-d7", "g7-g4"}
    assert state.position_text.endswith("flying=off")


def test_three_men_on_the_board_with_others_in_hand_place_and_do_not_fly() -> None:
    state = board(THREE_AGAINST_FOUR, hands=(1, 0))
    assert all("-" not in text for text in texts(state))
