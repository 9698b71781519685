"""The texts of Ming Mang, clicks, and the board as it is drawn (rulings 2.8 and 2.9)."""

import pytest

from millrace.engine.game import MoveSyntaxError, SetupError
from millrace.engine.games.mingmang import GAME
from millrace.engine.state import State
from tests.engine.mingmang.board_text import START


@pytest.mark.parametrize("text", ["", "a1", "a1-a1", "a1-i1", "a0-a1", "a1-a4 ", "a1a4", "PASS", "a1-a4xb2"])
def test_a_text_that_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(MoveSyntaxError):
        GAME.texts.parse_move(None, text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("8/8 b 0", "eight ranks"),
        (START.replace("w6b", "w5b", 1), "instead of 8"),
        (START.replace("w6b", "w6x", 1), "written with b, w"),
        (START.replace(" b 0", " r 0"), "side to move"),
        (START.replace(" b 0", " b 3"), "passes"),
        (START.replace(" b 0", " b"), "eight ranks, b or w"),
        ("8/8/8/8/8/8/8/8 b 0", "men on the board"),
        (START.replace("w6b", "wb5b", 1), "no more than 28"),
    ],
)
def test_a_faulty_position_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(SetupError, match=fault):
        State.of(GAME, text)


def test_the_board_is_drawn_with_a1_at_the_bottom_left() -> None:
    geometry = State.of(GAME).geometry
    places = {cell.name: (cell.x, cell.y) for cell in geometry.cells}
    assert (places["a1"], places["h1"], places["a8"]) == ((0.0, 7.0), (7.0, 7.0), (0.0, 0.0))
    assert geometry.shape == "squares"
