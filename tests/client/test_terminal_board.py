"""Boards as lines of text: points, squares and hexes, as the server tells them."""

from millrace.client.match_view import Pile
from millrace.client.terminal.board import draw_board
from millrace.client.terminal.match_lines import symbols_of
from millrace.server.protocol import Board, Cell

SYMBOLS = ("W", "B")


def drawn(text: str) -> list[str]:
    """Return the lines of a drawing that stands indented between two lines of quotation marks."""
    return [line[4:] for line in text.splitlines()[1:-1]]


def test_lines_join_points_and_the_edges_name_them() -> None:
    cells = (Cell("a2", 0, 0), Cell("b2", 1, 0), Cell("a1", 0, 1), Cell("b1", 1, 1))
    board = Board("points", cells, ((0, 1), (0, 2), (1, 2), (1, 3)))
    assert draw_board(board, {"a2": Pile(0, 1), "b1": Pile(1, 1)}, SYMBOLS) == drawn("""
     2 W---.
       | / |
     1 .   B
       a   b
    """)


def test_squares_stand_close_and_territory_is_in_small_letters() -> None:
    cells = tuple(Cell(f"{column}{2 - y}", x, y) for y in range(2) for x, column in enumerate("abc"))
    board = Board("squares", cells, ())
    assert draw_board(board, {"b2": Pile(1, 1)}, SYMBOLS, territory=(1, -1, -1, 0, 0, -1)) == drawn("""
     2 b B .
     1 w w .
       a b c
    """)


def test_hexes_show_their_names_and_how_high_a_stack_is() -> None:
    cells = (Cell("a1", 0, 0), Cell("b1", 1, 0), Cell("a2", -0.5, 0.866), Cell("b2", 0.5, 0.866))
    board = Board("hexes", cells, ())
    assert draw_board(board, {"b1": Pile(0, 16)}, SYMBOLS, ground=(0, 1, 2)) == drawn("""
      a1  b1
      .   W16
    a2
    .
    """)


def test_a_board_without_any_ground_is_no_line() -> None:
    cells = (Cell("a1", 0, 0), Cell("a2", -0.5, 0.866))
    assert draw_board(Board("hexes", cells, ()), {}, SYMBOLS, ground=()) == []


def test_seats_go_by_letters_that_differ() -> None:
    assert symbols_of(["Red", "Blue"]) == ("R", "B")
    assert symbols_of(["Brown", "Blue", "Black"]) == ("A", "B", "C")
