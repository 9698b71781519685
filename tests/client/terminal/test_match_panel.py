"""What stands beside a board."""

from collections.abc import Sequence

import pytest

from millrace.client.terminal.board import Content
from millrace.client.terminal.boards import Picture
from millrace.client.terminal.boards.open_board import Seat, pieces_in_words
from millrace.client.terminal.full_screen.lines_view import Line
from millrace.client.terminal.full_screen.match_panel import heading_line, seat_lines
from millrace.client.terminal.full_screen.tabs import tab_line
from millrace.client.terminal.glyphs import ASCII
from millrace.protocol import Board, GameInfo

GAME = GameInfo("morris", "Nine Men's Morris", (2,), ("White", "Black"), 8)


def text_of(line: Line) -> str:
    return "".join(span.text for span in line)


def texts_beside(seats: Sequence[Seat], width: int) -> list[str]:
    picture = Picture(GAME, Content(Board("points", (), ()), {}), tuple(seats), "White is to move.")
    return [text_of(line) for line in seat_lines(picture, ASCII, width)]


def test_a_seat_takes_the_same_number_of_lines_with_nothing_in_hand() -> None:
    seats = (Seat("Ann", is_to_move=True, reserve=2), Seat("Ben", is_to_move=False))
    assert [text.rstrip() for text in texts_beside(seats, 30)] == ["> W  Ann", "     2 in hand", "  B  Ben", ""]


@pytest.mark.parametrize(
    ("label", "words"),
    [("Keen Otter (you)", "White (Keen Otter, you)"), ("(open)", "White (open)"), ("White: Ann", "White (Ann)")],
)
def test_the_places_of_pieces_name_a_seat_with_one_pair_of_brackets(label: str, words: str) -> None:
    seats = (Seat(label, is_to_move=True), Seat("Black", is_to_move=False))
    picture = Picture(GAME, Content(Board("points", (), ()), {}), seats, "")
    assert pieces_in_words(picture) == [f"{words}: none on the board", "Black: none on the board"]


def test_a_lost_connection_is_announced_in_full_on_a_narrow_screen() -> None:
    text = text_of(tab_line((), None, False, ASCII, 40))
    assert "connecting again ..." in text
    assert len(text) <= 40


@pytest.mark.parametrize(
    ("count", "line"), [("", "Messages"), ("1 on", "Messages  1 on"), ("1200 on", "Messag 1200 on")]
)
def test_the_heading_is_one_line_of_the_width(count: str, line: str) -> None:
    assert text_of(heading_line("Messages", count, 14)).rstrip() == line
