"""Draws any board as lines of text, from the cells and lines that the server sends. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from millrace.server.protocol import Board, Cell

from ..match_view import Pile

COLUMNS = {"points": 4, "squares": 2, "hexes": 4}
"""Characters between neighbouring cells of a row."""
ROWS = {"points": 2, "squares": 1, "hexes": 2}
"""Lines between neighbouring rows."""

_ON_AXES = re.compile(r"([a-z]+)(\d+)")


def draw_board(
    board: Board,
    piles: Mapping[str, Pile],
    symbols: Sequence[str],
    ground: Collection[int] | None = None,
    territory: Sequence[int] | None = None,
) -> list[str]:
    """Return the lines of a board. Pieces are their seat's symbol; empty cells are dots, in territory small letters.

    If the cells' names consist of column and row, these are written at the edges, otherwise each name above its cell.
    """
    shown = [index for index in range(len(board.cells)) if ground is None or index in ground]
    places = _places(board)
    canvas = dict[tuple[int, int], str]()
    for one, other in board.lines:
        _draw_line(canvas, places[one], places[other])
    axes = _axes(board.cells, places)
    for index in shown:
        cell, (column, row) = board.cells[index], places[index]
        pile, owner = piles.get(cell.name), -1 if territory is None else territory[index]
        text = "." if owner < 0 else symbols[owner].lower()
        if pile is not None:
            text = symbols[pile.seat] + (str(pile.size) if pile.size > 1 else "")
        _write(canvas, column, row, text)
        if axes is None:
            _write(canvas, column, row - 1, cell.name)
    for column, row, text in axes or ():
        _write(canvas, column, row, text)
    return _lines(canvas)


def _places(board: Board) -> list[tuple[int, int]]:
    """Return the column and line of text for each cell."""
    levels = sorted({cell.y for cell in board.cells})
    step = min((high - low for low, high in pairwise(levels)), default=1.0)
    left = min((cell.x for cell in board.cells), default=0.0)
    across, down = COLUMNS[board.shape], ROWS[board.shape]
    return [(round((cell.x - left) * across), round((cell.y - levels[0]) / step) * down) for cell in board.cells]


def _axes(cells: Sequence[Cell], places: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]] | None:
    """Return the labels at the edges, or None if the cells' names do not consist of column and row."""
    columns, rows = dict[str, int](), dict[str, int]()
    for cell, (column, row) in zip(cells, places, strict=True):
        name = _ON_AXES.fullmatch(cell.name)
        if name is None or columns.setdefault(name[1], column) != column or rows.setdefault(name[2], row) != row:
            return None
    below = max(rows.values(), default=0) + 1
    return [(-3, row, f"{text:>2}") for text, row in rows.items()] + [
        (column, below, text) for text, column in columns.items()
    ]


def _draw_line(canvas: dict[tuple[int, int], str], one: tuple[int, int], other: tuple[int, int]) -> None:
    (column, row), (far_column, far_row) = sorted((one, other), key=lambda place: (place[1], place[0]))
    if row == far_row:
        for between in range(column + 1, far_column):
            canvas[between, row] = "-"
    for between in range(row + 1, far_row):
        share = (between - row) / (far_row - row)
        mark = "|" if column == far_column else "\\" if column < far_column else "/"
        canvas[round(column + share * (far_column - column)), between] = mark


def _write(canvas: dict[tuple[int, int], str], column: int, row: int, text: str) -> None:
    for offset, letter in enumerate(text):
        canvas[column + offset, row] = letter


def _lines(canvas: Mapping[tuple[int, int], str]) -> list[str]:
    if not canvas:
        return []
    columns, rows = [column for column, _ in canvas], [row for _, row in canvas]
    across = range(min(columns), max(columns) + 1)
    lines = ("".join(canvas.get((column, row), " ") for column in across) for row in range(min(rows), max(rows) + 1))
    return [line.rstrip() for line in lines]
