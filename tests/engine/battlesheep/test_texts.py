"""The texts of Battle Sheep, and clicks: moves, positions and their faults (rulings 3.8 and 3.9)."""

import pytest

from millrace.engine.game import MoveSyntaxError, SetupError
from millrace.engine.games.battlesheep import GAME
from millrace.engine.games.battlesheep.legacy_text import read_legacy_text, write_legacy_text
from millrace.engine.state import State
from tests.engine.battlesheep.board_text import ROW, pasture, rows
from tests.engine.move_texts import texts

# --- 3.8: move texts and clicks ---


def test_a_split_is_clicked_as_origin_target_and_number() -> None:
    state = pasture(ROW)
    assert state.clicks_of(state.parse_move("a1-d1:7")) == ("a1", "d1", "7")
    assert state.parse_move("a1 d1 7") == state.parse_move("a1-d1:7")


def test_a_placing_is_one_click_and_a_pass_a_choice() -> None:
    state = State.of(GAME, "0,0,0 r 2")
    assert state.clicks_of(state.parse_move("b1")) == ("b1",)
    assert state.clicks_of(state.parse_move("pass")) == ("pass",)


def test_columns_beyond_z_have_two_letters() -> None:
    wide = State.of(GAME, f"{','.join(['0'] * 60)} r 2")
    assert {"a1", "z1", "aa1", "az1", "ba1", "bh1"} <= texts(wide)
    assert rows(wide.play_text("bh1"))[0].endswith("r16")


@pytest.mark.parametrize(
    "text", ["", "d1", "a2", "a1-d1", "a1-d1:0", "a1-d1:16", "a1-a1:3", "a1-z9:1", "A1-d1:3", "a01", "a1-d1:3 "]
)
def test_a_text_that_is_not_a_move_here_is_refused(text: str) -> None:
    board = State.of(GAME, "0,0,0 r 2").start.board
    with pytest.raises(MoveSyntaxError):
        GAME.texts.parse_move(board, text)


# --- 3.9: position texts and their faults ---


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0,0,0", "seat to move and the number of seats"),
        ("0,0,0 r 5", "2, 3 or 4 seats"),
        ("0,0,0 g 2", "one of r, b"),
        ("0,0,0 rb 2", "one of r, b"),
        ("0,0,./.,.,.,0 r 2", "Row 2 has 4 cells, but row 1 has 3"),
        ("0,0,./.,.,0/0,.,. r 2", "not connected"),
        ("0,./.,0/0,. r 2", "not connected"),
        ("0,x,0 r 2", "not 'x'"),
        ("0,r,0 r 2", "not 'r'"),
        ("0,r17,0 r 2", "not 'r17'"),
        ("0,r0,0 r 2", "not 'r0'"),
        ("0,,0 r 2", "not ''"),
        ("r9,r8,0,0 r 2", "17 sheep of r"),
        ("r9,g8,0,0 r 2", "only 2 seats"),
        (".,.,. r 2", "no cells"),
        ("/".join([",".join("0" * 9)] * 8) + " r 2", "72 cells; at most 64"),
        (",".join("0" * 65) + " r 2", "wider or higher"),
        ("0 r 2", "1 empty cells, too few for the 2 seats"),
        ("0,r16,0 r 4", "2 empty cells, too few for the 3 seats"),
        ("pasture=nowhere", "no pasture called 'nowhere'"),
        ("pasture=meadow seats=3", "is for 2 seats, not 3"),
        ("pasture=meadow seed=3", "not both"),
        ("seed=x", "a number"),
        ("seed=12345678901", "at most ten digits"),
        ("seats=5", "2, 3 or 4 seats"),
        ("seats=2 seats=3", "given twice"),
        ("flying=off", "options are"),
        ("pasture", "seat to move and the number of seats"),
    ],
)
def test_a_faulty_set_up_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, text)


def test_a_position_text_keeps_its_array() -> None:
    text = ".,.,.,./.,0,0,./.,r16,0,./.,0,0,b16 b 3"
    assert State.of(GAME, text).position_text == text


OLDER = """\
       0   0   0   0
     0   0   0   0   0   0
   0   0   0   0   0  -16
 0  +16  0   0       0   0
       0   0   0   0   0   0
     0   0   0   0"""


def test_the_older_text_is_read_with_red_to_move() -> None:
    state = State.of(GAME, OLDER)
    assert rows(state) == [
        "0,0,0,0,.,.,.,.",
        "0,0,0,0,0,0,.,.",
        "0,0,0,0,0,r16,.,.",
        "0,b16,0,0,.,0,0,.",
        ".,.,0,0,0,0,0,0",
        ".,.,0,0,0,0,.,.",
    ]
    assert state.seat == 0


def test_the_older_text_round_trips() -> None:
    state = State.of(GAME, OLDER)
    assert write_legacy_text(state.geometry, state.drawing) == OLDER


@pytest.mark.parametrize(
    ("text", "fault"),
    [(" 0   0    0", "four characters apart"), (" 0  -", "not '-'"), (" 0  17", "not '17'"), (" 0  +17", "not 'b17'")],
)
def test_a_faulty_older_text_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, text)


def test_the_older_text_is_for_two_seats() -> None:
    state = State.of(GAME, "seats=3")
    with pytest.raises(SetupError, match="two seats"):
        write_legacy_text(state.geometry, state.drawing)


def test_an_older_text_may_have_blank_lines_around_it() -> None:
    assert read_legacy_text("\n -2   0\n\n") == "r2,0 r 2"
