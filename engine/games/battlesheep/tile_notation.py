"""Laying tiles as text and drawing, and the transitions into and out of it.

A tile is named by its two far corners, first in reading order: `c3-d5`. A position text is that of 3.9 for the cells
laid so far on a canvas, followed by `opening=tiles`.
"""

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...game import Cell, CellShape, Drawing, Geometry, MoveSyntaxError, SetupError, Start, Words
from .notation import EMPTY_CELL, NO_CELL, ROW_HEIGHT, SEAT_LETTERS, name_of
from .pasture import Coordinate, joined, touching
from .random_pasture import TILE_SHAPES, TILES_PER_SEAT, Tile, moved_to_origin
from .setup import SEATS, start_on
from .tile_kernels import CANVAS_WORDS, CanvasBoard

OPTION = "opening=tiles"
RADIUS_BY_SEATS = {2: 5, 3: 6, 4: 7}
"""The radius of the hexagonal canvas in cells, by seats: 91, 127 or 169 cells, at most 192."""

_MOVE_PATTERN = re.compile(r"[a-z][1-9][0-9]?-[a-z][1-9][0-9]?")


class Canvas(NamedTuple):
    """The canvas for a number of seats."""

    cells: tuple[Coordinate, ...]
    """By bit, in reading order."""
    tiles: tuple[Tile, ...]
    """By index."""
    names: tuple[str, ...]
    """Move texts, by index of tile."""
    board: CanvasBoard


@lru_cache
def canvas_of(seats: int) -> Canvas:
    """Return the canvas for a number of seats."""
    radius = RADIUS_BY_SEATS[seats]
    span = range(2 * radius + 1)
    cells = tuple((row, column) for row in span for column in span if abs(row - column) <= radius)
    number = {cell: index for index, cell in enumerate(cells)}
    places = [frozenset((row + r, column + c) for r, c in shape) for row, column in cells for shape in TILE_SHAPES]
    tiles = tuple(tile for tile in places if tile <= number.keys())
    masks = [_words_of(tile, number) + _words_of(_border_of(tile), number) for tile in tiles]
    facts = [TILES_PER_SEAT * seats, *_words_of(frozenset([(radius, radius)]), number)]
    corners = [_corners_of(tile) for tile in tiles]
    names = tuple("-".join(name_of(*corner) for corner in pair) for pair in corners)
    ends = [[number[corner] for corner in pair] for pair in corners]
    board = CanvasBoard(*(np.array(table, dtype=np.uint64) for table in (masks, facts, ends)))
    return Canvas(cells, tiles, names, board)


def is_tile_opening(text: str) -> bool:
    """Return whether a set-up text is for laying tiles."""
    return OPTION in text.split()


def parse_opening(text: str) -> Start:
    """Parse `opening=tiles`, optionally with `seats=K`, or a position text of the laying. Raises: SetupError."""
    fields = [field for field in text.split() if field != OPTION]
    if len(fields) == 3:
        return _parse_laid(*fields)
    seats = fields[0].removeprefix("seats=") if fields else "2"
    if len(fields) > 1 or seats not in map(str, SEATS):
        raise SetupError(f"With {OPTION} goes seats=2, 3 or 4, and nothing else.")
    return _start_with(frozenset(), 0, int(seats))


def sequel(start: Start, words: Words, seat: int) -> Start | None:
    """Return the start of the match on the laid pasture, or None while tiles remain."""
    laid = _laid_cells(start.board, words)
    if len(laid) < 4 * int(start.board.facts[0]):
        return None
    return start_on(moved_to_origin(laid), start.seats)._replace(seat=seat)


def format_position(start: Start, words: Words, seat: int, _quiet_plies: int) -> str:
    """Return the position text while tiles are laid."""
    laid = _laid_cells(start.board, words)
    span = range(2 * RADIUS_BY_SEATS[start.seats] + 1)
    rows = (",".join(EMPTY_CELL if (row, column) in laid else NO_CELL for column in span) for row in span)
    return f"{'/'.join(rows)} {SEAT_LETTERS[seat]} {start.seats} {OPTION}"


def parse_move(board: CanvasBoard, text: str) -> int:
    """Parse a tile's two corners. Raises: MoveSyntaxError."""
    names = _canvas_behind(board).names
    if _MOVE_PATTERN.fullmatch(text) is None or text not in names:
        raise MoveSyntaxError(f"{text!r} is no tile; a tile is named by its two far corners, like f6-g8.")
    return names.index(text) + 1


def format_move(board: CanvasBoard, move: int) -> str:
    """Return a tile's two corners."""
    return _canvas_behind(board).names[move - 1]


def geometry(board: CanvasBoard) -> Geometry:
    """Return every cell of the canvas, laid or not."""
    cells = (
        Cell(name_of(row, column), column - row / 2, row * ROW_HEIGHT) for row, column in _canvas_behind(board).cells
    )
    return Geometry(CellShape.HEXES, tuple(cells), ())


def draw(board: CanvasBoard, words: Words, _seat: int) -> Drawing:
    """Return the cells laid so far; there are no sheep to place yet."""
    canvas, laid = _canvas_behind(board), _laid_cells(board, words)
    seats = int(board.facts[0]) // TILES_PER_SEAT
    return Drawing((None,) * len(canvas.cells), (0,) * seats, tuple(cell in laid for cell in canvas.cells))


def _canvas_behind(board: CanvasBoard) -> Canvas:
    return canvas_of(int(board.facts[0]) // TILES_PER_SEAT)


def _laid_cells(board: CanvasBoard, words: Words) -> frozenset[Coordinate]:
    bits = sum(word << 64 * index for index, word in enumerate(words.tolist()))
    return frozenset(cell for index, cell in enumerate(_canvas_behind(board).cells) if bits >> index & 1)


def _start_with(laid: frozenset[Coordinate], seat: int, seats: int) -> Start:
    canvas = canvas_of(seats)
    number = {cell: index for index, cell in enumerate(canvas.cells)}
    return Start(canvas.board, np.array(_words_of(laid, number), dtype=np.uint64), seat, seats, 0)


def _parse_laid(rows: str, letter: str, seats: str) -> Start:
    """Return the start with these cells laid. Raises: SetupError."""
    if seats not in map(str, SEATS):
        raise SetupError(f"There must be 2, 3 or 4 seats, not {seats!r}.")
    texts = [row.split(",") for row in rows.split("/")]
    laid = {(row, column): text for row, line in enumerate(texts) for column, text in enumerate(line) if text != "."}
    cells = frozenset(laid)
    canvas = canvas_of(int(seats))
    if set(laid.values()) - {EMPTY_CELL} or not cells <= set(canvas.cells):
        raise SetupError("While tiles are being laid, a cell of the canvas is '.' or '0', and others are '.'.")
    if cells and len(joined(cells, min(cells))) < len(cells):
        raise SetupError("The tiles laid are not connected: they must be one piece.")
    if len(cells) >= 16 * int(seats) or not _is_tiled(cells):
        raise SetupError("The cells laid are not made of tiles, or no tile is left to lay.")
    seat = len(cells) // 4 % int(seats)
    if letter != SEAT_LETTERS[seat]:
        raise SetupError(f"After {len(cells) // 4} tiles it is the turn of {SEAT_LETTERS[seat]}, not of {letter!r}.")
    return _start_with(cells, seat, int(seats))


@lru_cache(maxsize=4096)
def _is_tiled(cells: frozenset[Coordinate]) -> bool:
    """Return whether the cells can be divided into tiles, by trying each tile that covers the first cell."""
    if not cells:
        return True
    row, column = min(cells)
    tiles = (frozenset((row + r, column + c) for r, c in shape) for shape in TILE_SHAPES)
    return any(tile <= cells and _is_tiled(cells - tile) for tile in tiles)


def _border_of(tile: Tile) -> frozenset[Coordinate]:
    return frozenset(near for cell in tile for near in touching(cell)) - tile


def _corners_of(tile: Tile) -> list[Coordinate]:
    """Return the two cells of a tile that do not touch each other."""
    return [cell for cell in sorted(tile) if not tile <= {cell, *touching(cell)}]


def _words_of(cells: frozenset[Coordinate], number: dict[Coordinate, int]) -> list[int]:
    bits = sum(1 << number[cell] for cell in cells if cell in number)
    return [bits >> 64 * word & (1 << 64) - 1 for word in range(CANVAS_WORDS)]
