"""The texts of Nine Men's Morris: moves and positions (rulings 1.9 and 1.10)."""

import pytest

from millrace.engine.game import MoveSyntaxError, SetupError
from millrace.engine.games.morris import GAME
from millrace.engine.state import State


@pytest.mark.parametrize("text", ["d6", "d6xb4", "a4-a7", "a4-a7xd6"])
def test_move_texts_are_read_and_written(text: str) -> None:
    start = State.of(GAME).start.board
    assert GAME.texts.format_move(start, GAME.texts.parse_move(start, text)) == text


@pytest.mark.parametrize("text", ["", "D6", "d4", "h1", "d6x", "a4a7", "a4-", "a4-a7-d7", "d6xb4xb4", "d6 ", "pass"])
def test_a_text_that_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(MoveSyntaxError):
        GAME.texts.parse_move(State.of(GAME).start.board, text)


def test_a_position_text_lists_points_from_the_top_left() -> None:
    names = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()  # noqa: SIM905
    state = State.of(GAME)
    for index, name in enumerate(names):
        assert state.play_text(name).position_text.split()[0] == "." * index + "W" + "." * (23 - index)
    assert State.of(GAME, "........................ w 9 9").position_text == state.position_text


def test_plies_since_the_last_placing_or_capture_are_a_fourth_number() -> None:
    state = State.of(GAME, "WWW..................BBB w 0 0 7")
    assert state.quiet_plies == 7
    assert state.position_text == "WWW..................BBB w 0 0 7"
    assert State.of(GAME, "WWW..................BBB w 0 0").quiet_plies == 0


@pytest.mark.parametrize(
    "text",
    [
        "w 9 9",
        "....................... w 9 9",
        "......................... w 9 9",
        "X....................... w 9 9",
        "........................ W 9 9",
        "........................ w 9",
        "........................ w 9 9 0 0",
        "........................ w 10 9",
        "W....................... w 9 9",
        "........................ w -1 9",
        "........................ w ٣ 9",
        "........................ w 9 9 flying=maybe",
        "........................ w 9 9 size=2",
    ],
)
def test_a_faulty_position_text_is_refused(text: str) -> None:
    with pytest.raises(SetupError):
        State.of(GAME, text)
