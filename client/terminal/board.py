"""Draws any board as characters, from the cells and lines that the server sends. Pure.

Each character has a role, from which the line mode and the full screen choose a colour.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import groupby, pairwise
from typing import NamedTuple

from millrace.protocol import Board, Cell

from ..match_view import Pile
from .glyphs import Glyphs, symbols_of, territory_of

SCALES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "points": ((2, 1), (4, 2), (6, 3), (8, 4), (10, 5), (12, 6)),
    "squares": ((2, 1), (4, 2), (6, 3), (8, 4), (10, 5)),
    "hexes": ((4, 1), (4, 2), (6, 2), (6, 3), (8, 3)),
}
"""By the shape of the cells, from the smallest: columns between neighbours of a row, and lines between rows."""

SMALLEST_WITH_NAMES: Mapping[str, int] = {"points": 1, "squares": 0, "hexes": 1}
"""The smallest scale at which the names of all cells can be read, with room for diagonal lines."""

LARGEST_PIECES: Mapping[str, tuple[int, int]] = {"points": (8, 4), "squares": (6, 3)}
"""The smallest scale with room for pieces of several lines, by the shape of the cells; hexagons have none."""
WIDE_HEXAGON = 8
"""Columns from which a hexagon has room for a large piece beside its number."""

_ON_AXES = re.compile(r"([a-z]+)(\d+)")


class Role(NamedTuple):
    """What a character is, for its colours."""

    kind: str
    """`piece`, `territory`, `cell` (an empty one), `line`, `label`, `name` (inside a cell) or `ground` (the area of a
    cell)."""
    seat: int = -1
    """Of a piece or territory; -1 otherwise."""
    mark: str = ""
    """`cursor`, `chosen`, `target`, `lit` or `last`; the first that applies, or empty."""
    is_odd: bool = False
    """Whether the cell is one of every second cell, to be shaded."""


NO_ROLE = Role("")


class Run(NamedTuple):
    """Characters of a line with the same role."""

    text: str
    role: Role


class Symbols(NamedTuple):
    """The symbols of each seat."""

    pieces: tuple[str, ...]
    territory: tuple[str, ...]

    @classmethod
    def of(cls, seat_names: Sequence[str], glyphs: Glyphs) -> "Symbols":
        """Return the symbols of a game's seats."""
        return cls(symbols_of(seat_names, glyphs), territory_of(seat_names, glyphs))


class Content(NamedTuple):
    """A board and what lies on it."""

    board: Board
    piles: Mapping[str, Pile]
    """The pieces by the cell's name."""
    ground: Collection[int] | None = None
    """The indices of the cells that exist; None if all do."""
    territory: Sequence[int] | None = None
    """The seat that owns each cell, or -1; None before territory is counted."""


class Marks(NamedTuple):
    """The names of marked cells, from the strongest mark to the weakest."""

    cursor: Collection[str] = ()
    chosen: Collection[str] = ()
    """The cells of a move entered so far."""
    target: Collection[str] = ()
    """The cells that can be entered next."""
    lit: Collection[str] = ()
    """The cells where the last move captured or completed something."""
    last: Collection[str] = ()
    """The cells that the last move changed."""

    def of(self, name: str) -> str:
        """Return the mark of a cell, or an empty text."""
        return next((mark for mark, names in zip(self._fields, self, strict=True) if name in names), "")


NO_MARKS = Marks()


class DrawnBoard:
    """A board as characters."""

    def __init__(self, characters: Mapping[tuple[int, int], tuple[str, Role]], places: Mapping[str, tuple[int, int]]):
        columns, rows = [column for column, _ in characters], [row for _, row in characters]
        self._left, self._top = min(columns, default=0), min(rows, default=0)
        self._characters = characters
        self._places = places
        self.width = max(columns) - self._left + 1 if columns else 0
        self.height = max(rows) - self._top + 1 if rows else 0

    @cached_property
    def rows(self) -> list[list[Run]]:
        """The lines, each as runs of characters of one role that together have the width of the board."""
        return [self._runs(row) for row in range(self._top, self._top + self.height)]

    @property
    def lines(self) -> list[str]:
        """The lines as text, without spaces at their ends."""
        return ["".join(run.text for run in row).rstrip() for row in self.rows]

    def place_of(self, cell: str) -> tuple[int, int] | None:
        """Return the column and the line of a cell, from 0; None if the cell is not drawn."""
        place = self._places.get(cell)
        return None if place is None else (place[0] - self._left, place[1] - self._top)

    def cell_at(self, column: int, row: int, reach: float = 2.0) -> str | None:
        """Return the cell nearest to a column and line, both from 0; None if none is near, measured in lines."""
        column, row = column + self._left, row + self._top
        near = ((_distance(place, column, row), cell) for cell, place in self._places.items())
        distance, cell = min(near, default=(reach + 1, ""))
        return cell if distance <= reach else None

    def neighbour(self, cell: str, across: int, down: int) -> str:
        """Return the next cell in a direction, or the same one if there is none: for moving a cursor with keys."""
        column, row = self._places[cell]

        def cost(place: tuple[int, int]) -> float:
            along = (place[0] - column) / 2 * across + (place[1] - row) * down
            aside = abs((place[0] - column) / 2 * down) + abs((place[1] - row) * across)
            return along + 2 * aside if along > 0 and along >= aside else float("inf")

        best = min(self._places, key=lambda other: cost(self._places[other]))
        return best if cost(self._places[best]) < float("inf") else cell

    def _runs(self, row: int) -> list[Run]:
        across = range(self._left, self._left + self.width)
        line = (self._characters.get((column, row), (" ", NO_ROLE)) for column in across)
        return [Run("".join(text for text, _ in same), role) for role, same in groupby(line, key=lambda each: each[1])]


def draw_board(
    content: Content, symbols: Symbols, glyphs: Glyphs, scale: int | None = None, marks: Marks = NO_MARKS
) -> DrawnBoard:
    """Return the characters of a board, at one of the `SCALES` of its shape; by default the smallest with names.

    Pieces are their seat's symbol, and their number if there are several. If the cells' names consist of column and
    row, these are written at the edges, otherwise each name above its cell.
    """
    board = content.board
    across, down = SCALES[board.shape][SMALLEST_WITH_NAMES[board.shape] if scale is None else scale]
    places = _places(board, across, down)
    shown = [index for index in range(len(board.cells)) if content.ground is None or index in content.ground]
    canvas = dict[tuple[int, int], tuple[str, Role]]()
    piece = _piece_lines(glyphs, board.shape, across, down)
    beside, above = (len(piece[0]) - 1) // 2, (len(piece) - 1) // 2
    if board.shape == "points":
        _fill_around(canvas, places, beside, above)
    is_named = _axes(board.cells, places) is None
    for index in shown:
        _fill(canvas, board, index, places[index], (across, down), marks)
    for one, other in board.lines:
        _draw_line(canvas, places[one], places[other], glyphs)
    junctions = _junctions(board, places)
    for index in shown:
        cell, (column, row) = board.cells[index], places[index]
        mark = marks.of(cell.name)
        text, role = _contents(content, index, symbols, glyphs, junctions.get(index, ""))
        role = role._replace(mark=mark, is_odd=_is_odd(board, index))
        if role.kind == "piece" and board.shape == "hexes" and across >= WIDE_HEXAGON and glyphs.large_piece:
            _write(canvas, column, row, glyphs.large_piece + text[1:], role)
        elif role.kind == "piece" and len(text) == 1:
            for line, characters in enumerate(piece, row - above):
                _write(canvas, column - beside, line, characters.replace("*", text), role)
        else:
            _write(canvas, column, row, text, role)
            if beside and mark:
                _mark_beside(canvas, column, row, mark)
        if is_named and down > 1:
            _write(canvas, column, row - 1, cell.name, Role("name", mark=mark))
    margins = ((across - 1) // 2, down // 2) if board.shape == "squares" else (beside, above)
    for column, row, text in _axes(board.cells, places, *margins) or ():
        _write(canvas, column, row, text, Role("label"))
    return DrawnBoard(canvas, {board.cells[index].name: places[index] for index in shown})


def largest_scale(
    content: Content, symbols: Symbols, glyphs: Glyphs, width: int, height: int, marks: Marks = NO_MARKS
) -> DrawnBoard:
    """Return the board at the largest scale that fits, or at the smallest one if none does."""
    for scale, steps in reversed([*enumerate(SCALES[content.board.shape])]):
        if scale and any(column >= width or row >= height for column, row in _places(content.board, *steps)):
            continue  # not even the cells fit
        drawn = draw_board(content, symbols, glyphs, scale, marks)
        if drawn.width <= width and drawn.height <= height:
            return drawn
    return drawn


def _piece_lines(glyphs: Glyphs, shape: str, across: int, down: int) -> tuple[str, ...]:
    """Return how a single piece is drawn at a scale; `*` stands for its symbol."""
    least = LARGEST_PIECES.get(shape)
    if least is not None and across >= least[0] and down >= least[1]:
        return glyphs.largest_piece
    is_large = bool(glyphs.large_piece) and shape != "hexes" and across > len(glyphs.large_piece)
    return (glyphs.large_piece,) if is_large else ("*",)


def _contents(content: Content, index: int, symbols: Symbols, glyphs: Glyphs, junction: str) -> tuple[str, Role]:
    pile = content.piles.get(content.board.cells[index].name)
    if pile is not None:
        return symbols.pieces[pile.seat] + (str(pile.size) if pile.size > 1 else ""), Role("piece", pile.seat)
    owner = -1 if content.territory is None else content.territory[index]
    if owner >= 0:
        return symbols.territory[owner], Role("territory", owner)
    return glyphs.junctions.get(junction, glyphs.empty), Role("cell")


def _places(board: Board, across: int, down: int) -> list[tuple[int, int]]:
    """Return the column and line of text for each cell."""
    levels = sorted({cell.y for cell in board.cells})
    step = min((high - low for low, high in pairwise(levels)), default=1.0)
    left = min((cell.x for cell in board.cells), default=0.0)
    return [(round((cell.x - left) * across), round((cell.y - levels[0]) / step) * down) for cell in board.cells]


def _axes(
    cells: Sequence[Cell], places: Sequence[tuple[int, int]], left: int = 0, below: int = 0
) -> list[tuple[int, int, str]] | None:
    """Return the labels at the edges, beyond margins; None if the cells' names do not consist of column and row."""
    columns, rows = dict[str, int](), dict[str, int]()
    for cell, (column, row) in zip(cells, places, strict=True):
        name = _ON_AXES.fullmatch(cell.name)
        if name is None or columns.setdefault(name[1], column) != column or rows.setdefault(name[2], row) != row:
            return None
    bottom = max(rows.values(), default=0) + 1 + below
    return [(-3 - left, row, f"{text:>2}") for text, row in rows.items()] + [
        (column, bottom, text) for text, column in columns.items()
    ]


def _is_odd(board: Board, index: int) -> bool:
    cell = board.cells[index]
    return board.shape == "squares" and bool((round(cell.x) + round(cell.y)) % 2)


def _fill(
    canvas: dict[tuple[int, int], tuple[str, Role]],
    board: Board,
    index: int,
    place: tuple[int, int],
    scale: tuple[int, int],
    marks: Marks,
) -> None:
    """Fill the area of a square or hexagon, so that it has a colour."""
    if board.shape == "points":
        return
    role = Role("ground", mark=marks.of(board.cells[index].name), is_odd=_is_odd(board, index))
    (column, row), (across, down) = place, scale
    # Squares touch. Hexagons are bricks with a gap between them, and with their name in the upper line.
    is_hex = board.shape == "hexes"
    width, height = (across - 1, min(down, 2)) if is_hex else (across, down)
    left, top = (column, row + 1 - height) if is_hex else (column - (across - 1) // 2, row - (down - 1) // 2)
    for over in range(width):
        for under in range(height):
            canvas[left + over, top + under] = " ", role


def _fill_around(
    canvas: dict[tuple[int, int], tuple[str, Role]], places: Sequence[tuple[int, int]], beside: int, above: int
) -> None:
    """Fill the area of a board of points and margins around it, so that it has a colour."""
    if not places:
        return
    columns, rows = zip(*places, strict=True)
    ground = " ", Role("ground")
    for column in range(min(columns) - beside, max(columns) + beside + 1):
        for row in range(min(rows) - above, max(rows) + above + 1):
            canvas[column, row] = ground


def _mark_beside(canvas: dict[tuple[int, int], tuple[str, Role]], column: int, row: int, mark: str) -> None:
    """Mark the characters at both sides of an empty cell too, so that the mark is easy to see."""
    for beside in (column - 1, column + 1):
        text, role = canvas.get((beside, row), (" ", Role("ground")))
        canvas[beside, row] = text, role._replace(mark=mark)


def _junctions(board: Board, places: Sequence[tuple[int, int]]) -> dict[int, str]:
    """Return for each point the directions of its lines, out of `NESW` in this order; `?` for other directions."""
    found: dict[int, set[str]] = {}
    for line in board.lines:
        for one, other in (line, line[::-1]):
            (column, row), (far_column, far_row) = places[one], places[other]
            if column == far_column:
                direction = "S" if far_row > row else "N"
            else:
                direction = ("E" if far_column > column else "W") if row == far_row else "?"
            found.setdefault(one, set()).add(direction)
    return {index: "".join(each for each in "NESW?" if each in names) for index, names in found.items()}


def _draw_line(
    canvas: dict[tuple[int, int], tuple[str, Role]], one: tuple[int, int], other: tuple[int, int], glyphs: Glyphs
) -> None:
    (column, row), (far_column, far_row) = sorted((one, other), key=lambda place: (place[1], place[0]))
    role = Role("line")
    if row == far_row:
        for between in range(column + 1, far_column):
            canvas[between, row] = glyphs.lines["-"], role
    for between in range(row + 1, far_row):
        share = (between - row) / (far_row - row)
        mark = "|" if column == far_column else "\\" if column < far_column else "/"
        canvas[round(column + share * (far_column - column)), between] = glyphs.lines[mark], role


def _write(canvas: dict[tuple[int, int], tuple[str, Role]], column: int, row: int, text: str, role: Role) -> None:
    for offset, letter in enumerate(text):
        canvas[column + offset, row] = letter, role


def _distance(place: tuple[int, int], column: int, row: int) -> float:
    # A character is about twice as high as wide.
    return float(abs(place[0] - column) / 2 + abs(place[1] - row))
