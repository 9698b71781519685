"""Remarks on a match: what a newcomer reads after each move, on either side."""

import pytest

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.server.learning.teaching.remarks import remarks_on, taking_text


def texts(game: str, setup: str, moves: tuple[str, ...], seats: tuple[int, ...]) -> str:
    state = State.from_moves(find_game(game), setup, moves)
    return " ".join(remark.text for remark in remarks_on(state, seats))


def test_a_mill_is_explained_to_both_sides() -> None:
    setup = "WW.......WBB...BB....... w 6 5"
    assert texts("morris", setup, ("g7xc4",), (0,)) == "You closed a mill and took one of Black's men."
    heard = texts("morris", setup, ("g7xc4",), (1,))
    assert heard == "White closed a mill, three men in a row, and took one of your men."


def test_the_piece_to_take_is_asked_for_by_its_colour() -> None:
    state = State.of(find_game("morris"))
    assert taking_text(state) == "You closed a mill: take one of Black's men."
    assert taking_text(state.play_text("d6")) == "You closed a mill: take one of White's men."
    assert taking_text(State.of(find_game("mingmang"))) == ""


def test_the_first_turn_says_what_to_do() -> None:
    assert texts("morris", "", (), (0,)).startswith("Place a man on any empty point.")
    assert texts("morris", "", (), (1,)) == ""
    assert texts("battlesheep", "", ("a3",), (1,)).startswith("Place your stack of 16 sheep")
    assert texts("battlesheep", "", ("a3", "f6"), (0,)).startswith("Split your stack")
    assert texts("mingmang", "", (), (0,)).startswith("Move one of your men along its row or column")
    assert texts("mingmang", "", ("b1-b2",), (1,)).startswith("Move one of your men along its row or column")
    assert texts("mingmang", "", ("b1-b2", "b8-b7"), (0,)) == ""


def test_the_last_placing_and_the_beginning_of_flight_are_explained() -> None:
    one_in_hand = "W..B..B..WB..B..B......W b 0 1"
    assert texts("morris", one_in_hand, ("g7",), (1,)).startswith("All men are placed. From now on, each turn moves")
    down_to_three = texts("morris", "WW..B..B....W.W..B...B.. w 0 0", ("g4-g7xd6",), (1,))
    assert down_to_three.endswith("You have three men left. They may now fly to any empty point.")


@pytest.mark.parametrize(
    ("setup", "move", "heard"),
    [
        ("7w/8/8/8/bw6/8/8/2b4w b 0", "c1-c4", "Black captured a man of yours"),
        ("w6w/8/8/1bwww3/8/8/8/5b1w b 0", "f1-f5", "Black captured 3 of your men"),
        ("7w/8/8/8/1w1w4/8/8/2b4w b 0", "c1-c4", "Black moved in between two of your men."),
        ("7w/8/8/8/1w1w4/8/8/2b4w b 0", "pass", "Black passed. If you pass too"),
    ],
)
def test_captures_safe_moves_and_passes_are_explained(setup: str, move: str, heard: str) -> None:
    assert texts("mingmang", setup, (move,), (1,)).startswith(heard)


def test_a_plain_move_needs_no_remark() -> None:
    assert texts("mingmang", "", ("b1-b2",), (0,)) == ""
    assert texts("morris", "", ("d6", "f4", "d2"), (0,)) == ""


def test_a_single_sheep_and_a_forced_pass_are_explained() -> None:
    single = texts("battlesheep", "r6,0,0,0,b6/.,0,0,0,0/.,.,0,0,0 r 2", ("a1-d1:5",), (0,))
    assert single.startswith("You left a single sheep behind.")
    passed = texts("battlesheep", "b1,r4,0,0 r 2", ("b1-d1:2", "pass"), (0,))
    assert passed.startswith("Blue cannot move and is passed over")


def test_spectators_get_no_remarks() -> None:
    assert texts("morris", "WW.......WBB...BB....... w 6 5", ("g7xc4",), ()) == ""
