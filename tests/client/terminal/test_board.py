"""Boards as characters: points, squares and hexes, as the server sends them, in each set of characters."""

from collections.abc import Collection, Mapping, Sequence

import pytest

from millrace.client.match_view import Pile
from millrace.client.terminal.board import SCALES, Content, DrawnBoard, Marks, Symbols, draw_board, largest_scale
from millrace.client.terminal.glyphs import ASCII, COLOUR, CONTRAST, GLYPH_SETS, Glyphs
from millrace.protocol import Board, Cell

SEATS = ("White", "Black")

FOUR_POINTS = Board(
    "points",
    (Cell("a2", 0, 0), Cell("b2", 1, 0), Cell("a1", 0, 1), Cell("b1", 1, 1)),
    ((0, 1), (0, 2), (1, 2), (1, 3)),
)
NINE_SQUARES = Board(
    "squares", tuple(Cell(f"{column}{3 - y}", x, y) for y in range(3) for x, column in enumerate("abc")), ()
)


def draw(
    board: Board,
    piles: Mapping[str, Pile],
    ground: Collection[int] | None = None,
    territory: Sequence[int] | None = None,
    glyphs: Glyphs = ASCII,
) -> list[str]:
    """Return the lines of a board at its smallest scale."""
    return draw_board(Content(board, piles, ground, territory), Symbols.of(SEATS, glyphs), glyphs).lines


def lines_of(text: str) -> list[str]:
    """Return the lines of a drawing that stands indented between two lines of quotation marks."""
    return [line[4:] for line in text.splitlines()[1:-1]]


def test_lines_join_the_points_and_labels_at_the_edges_name_them() -> None:
    assert draw(FOUR_POINTS, {"a2": Pile(0, 1), "b1": Pile(1, 1)}) == lines_of("""
     2 W---.
       | / |
     1 .   B
       a   b
    """)


def test_empty_points_show_how_their_lines_meet() -> None:
    ring = Board("points", FOUR_POINTS.cells, ((0, 1), (0, 2), (2, 3), (1, 3)))
    assert draw(ring, {"b1": Pile(1, 1)}, glyphs=CONTRAST) == lines_of("""
     2 ┌───┐
       │   │
     1 └───○
       a   b
    """)


def test_squares_touch_and_territory_is_in_lower_case() -> None:
    owners = (-1, -1, -1, 1, -1, -1, 0, 0, -1)
    assert draw(NINE_SQUARES, {"b3": Pile(1, 1)}, territory=owners) == lines_of("""
     3 . B .
     2 b . .
     1 w w .
       a b c
    """)


def test_hexes_show_their_names_and_how_high_a_stack_is() -> None:
    cells = (Cell("a1", 0, 0), Cell("b1", 1, 0), Cell("a2", -0.5, 0.866), Cell("b2", 0.5, 0.866))
    board = Board("hexes", cells, ())
    assert draw(board, {"b1": Pile(0, 16)}, ground=(0, 1, 2)) == lines_of("""
      a1  b1
      .   W16
    a2
    .
    """)


def test_pieces_are_larger_where_there_is_room() -> None:
    piles = {"b2": Pile(0, 1)}
    squares = draw_board(Content(NINE_SQUARES, piles), Symbols.of(SEATS, COLOUR), COLOUR, 2)
    assert [line[9:14] for line in squares.lines[3:6]] == ["▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"]
    letters = draw_board(Content(NINE_SQUARES, piles), Symbols.of(SEATS, ASCII), ASCII, 2)
    assert [line[9:14].rstrip() for line in letters.lines[3:6]] == [" .-.", "( W )", " '-'"]
    cells = (Cell("a1", 0, 0), Cell("b1", 1, 0), Cell("a2", -0.5, 0.866))
    hexagons = draw_board(
        Content(Board("hexes", cells, ()), {"a1": Pile(0, 1), "b1": Pile(1, 16)}), Symbols.of(SEATS, COLOUR), COLOUR, 4
    )
    assert hexagons.lines[:2] == ["    a1      b1", "    ▐█▌     ▐█▌16"]


def test_a_board_without_tiles_is_not_a_line() -> None:
    cells = (Cell("a1", 0, 0), Cell("a2", -0.5, 0.866))
    assert draw(Board("hexes", cells, ()), {}, ground=()) == []


def test_seats_have_distinct_letters_and_the_shapes_of_their_colours() -> None:
    assert Symbols.of(["Red", "Blue"], ASCII) == Symbols(("R", "B"), ("r", "b"))
    assert Symbols.of(["Brown", "Blue", "Black"], ASCII).pieces == ("A", "B", "C")
    assert Symbols.of(["Black", "White"], CONTRAST).pieces == ("○", "●")


@pytest.mark.parametrize("glyphs", GLYPH_SETS.values(), ids=list(GLYPH_SETS))
@pytest.mark.parametrize("scale", range(5))
@pytest.mark.parametrize("board", [FOUR_POINTS, NINE_SQUARES], ids=["points", "squares"])
def test_every_cell_is_found_where_it_is_drawn(board: Board, scale: int, glyphs: Glyphs) -> None:
    drawn = draw_board(Content(board, {}), Symbols.of(SEATS, glyphs), glyphs, scale)
    for cell in board.cells:
        place = drawn.place_of(cell.name)
        assert place is not None
        assert drawn.cell_at(*place) == cell.name
    assert all(sum(len(run.text) for run in row) == drawn.width for row in drawn.rows)
    assert len(drawn.rows) == drawn.height


def test_a_point_far_from_every_cell_finds_no_cell() -> None:
    assert drawn_squares().cell_at(60, 20) is None


def test_a_cursor_moves_to_the_next_cell_and_stays_at_the_edge() -> None:
    drawn = drawn_squares()
    assert drawn.neighbour("b2", 1, 0) == "c2"
    assert drawn.neighbour("b2", 0, -1) == "b3"
    assert drawn.neighbour("c2", 1, 0) == "c2"


def test_the_strongest_mark_of_a_cell_is_drawn() -> None:
    marks = Marks(cursor=("a1",), target=("a1", "b1"))
    content = Content(NINE_SQUARES, {})
    rows = draw_board(content, Symbols.of(SEATS, COLOUR), COLOUR, 1, marks).rows
    found = {run.role.mark for row in rows for run in row}
    assert found == {"", "cursor", "target"}


def test_a_board_is_drawn_as_large_as_possible() -> None:
    content, symbols = Content(NINE_SQUARES, {}), Symbols.of(SEATS, COLOUR)
    largest = largest_scale(content, symbols, COLOUR, 200, 100)
    smallest = largest_scale(content, symbols, COLOUR, 1, 1)
    assert (largest.width, smallest.width) == (
        draw_board(content, symbols, COLOUR, len(SCALES["squares"]) - 1).width,
        draw_board(content, symbols, COLOUR, 0).width,
    )


def drawn_squares() -> DrawnBoard:
    return draw_board(Content(NINE_SQUARES, {}), Symbols.of(SEATS, ASCII), ASCII, 1)
