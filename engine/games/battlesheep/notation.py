"""Battle Sheep as move texts (3.8), position texts (3.9) and drawing.

The starts of matches are in `setup`.
"""

import re
from collections.abc import Sequence
from functools import cache

from ...game import Cell, CellShape, Drawing, Geometry, MoveSyntaxError, Pile, Start, Tally, Words, WrittenPosition
from .kernels import PASS, PLACING
from .legacy_text import write_legacy_text
from .pasture import (
    ALL_CELLS,
    CELL_COLUMNS,
    CELL_ROWS,
    COLUMNS,
    FACTS,
    NEIGHBOURS,
    ROWS,
    SEATS,
    BattleSheepBoard,
    coordinates_of,
)
from .position import SHEEP

PASS_TEXT = "pass"
CHOICES = (PASS_TEXT, *map(str, range(1, SHEEP)))
"""The clickable things besides cells, in the order of `kernels.write_clicks`."""
SEAT_LETTERS = "rbgy"
NO_CELL = "."
EMPTY_CELL = "0"
ROW_HEIGHT = 3**0.5 / 2
"""The distance between rows, in units of the distance between neighbours."""

_CELL_PATTERN = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")
_SPLIT_PATTERN = re.compile(r"([a-z]{1,2}[1-9][0-9]?)-([a-z]{1,2}[1-9][0-9]?):([1-9]|1[0-5])")


def format_position(start: Start, words: Words, seat: int, _quiet_plies: int) -> str:
    """Return the position text (3.9), in the array in which the pasture was given."""
    return compose(start, draw(start.board, words, seat), seat)


def compose(start: Start, drawing: Drawing, seat: int) -> str:
    """Return the position text of stacks on the pasture of a start."""
    board: BattleSheepBoard = start.board
    rows, columns = board.tables[FACTS, [ROWS, COLUMNS]].tolist()
    cells = [[NO_CELL] * columns for _ in range(rows)]
    for (row, column), pile in zip(coordinates_of(board), drawing.piles, strict=True):
        cells[row][column] = EMPTY_CELL if pile is None else f"{SEAT_LETTERS[pile.seat]}{pile.size}"
    return f"{'/'.join(','.join(row) for row in cells)} {SEAT_LETTERS[seat]} {start.seats}"


def format_older(position: WrittenPosition) -> str:
    """Return the older four-character text (3.9) of a match for two, which does not say who is to move.

    Raises: SetupError.
    """
    board: BattleSheepBoard = position.start.board
    return write_legacy_text(geometry(board), draw(board, position.words, position.seat))


def parse_move(board: BattleSheepBoard, text: str) -> int:
    """Parse `c3`, `c3-f3:7` or `pass` (3.8). Raises: MoveSyntaxError."""
    if text == PASS_TEXT:
        return PASS
    if _CELL_PATTERN.fullmatch(text) is not None:
        return PLACING | _parse_cell(board, text) << 6
    match = _SPLIT_PATTERN.fullmatch(text)
    if match is None or match[1] == match[2]:
        raise MoveSyntaxError(f"{text!r} is not a move; moves look like c3, c3-f3:7, or pass.")
    return _parse_cell(board, match[1]) | _parse_cell(board, match[2]) << 6 | int(match[3]) << 12


def format_move(board: BattleSheepBoard, move: int) -> str:
    """Return the move's text (3.8)."""
    if move == PASS:
        return PASS_TEXT
    origin, target, sheep = move & 63, move >> 6 & 63, move >> 12
    return f"{cell_name(board, origin)}-{cell_name(board, target)}:{sheep}" if sheep else cell_name(board, target)


def geometry(board: BattleSheepBoard) -> Geometry:
    """Return the centres of the hexagons, each row half a cell to the left of the row above (3.7), the pass, and the
    numbers of sheep."""
    cells = tuple(
        Cell(name_of(row, column), column - row / 2, row * ROW_HEIGHT) for row, column in coordinates_of(board)
    )
    return Geometry(CellShape.HEXES, cells, (), CHOICES)


def draw(board: BattleSheepBoard, words: Words, seat: int) -> Drawing:
    """Return the stack on each cell, and the sheep of seats that have not placed theirs."""
    seats = board.tables.item(FACTS, SEATS)
    *by_turn, ones, twos, fours, eights = words.tolist()
    stacks = [by_turn[(index - seat) % seats] for index in range(seats)]
    piles: list[Pile | None] = [None] * board.tables.item(FACTS, ALL_CELLS).bit_count()
    for index, cells in enumerate(stacks):
        unseen = cells
        while unseen:
            bit = unseen & -unseen
            size = 1 + bool(ones & bit) + 2 * bool(twos & bit) + 4 * bool(fours & bit) + 8 * bool(eights & bit)
            piles[bit.bit_length() - 1] = Pile(index, size)
            unseen ^= bit
    return Drawing(tuple(piles), tuple(0 if stacks[index] else SHEEP for index in range(seats)))


def tallies(board: BattleSheepBoard, words: Words, seat: int) -> tuple[Tally, ...]:
    """Return the number of cells and the size of the largest connected group of each seat (3.6)."""
    seats = board.tables.item(FACTS, SEATS)
    by_turn = words[:seats].tolist()
    stacks = [by_turn[(index - seat) % seats] for index in range(seats)]
    neighbours = board.tables[NEIGHBOURS].tolist()
    cells = Tally("Cells", tuple(each.bit_count() for each in stacks))
    return cells, Tally("Largest group", tuple(_size_of_largest_group(each, neighbours) for each in stacks))


def cell_name(board: BattleSheepBoard, cell: int) -> str:
    """Return a cell's name: letters of its column in the axial array (a..z, aa, ab...), then its row from 1 (3.8)."""
    return name_of(board.tables.item(CELL_ROWS, cell), board.tables.item(CELL_COLUMNS, cell))


@cache
def name_of(row: int, column: int) -> str:
    """Return the name of coordinates in the axial array (3.8).

    >>> name_of(2, 0), name_of(0, 26)
    ('a3', 'aa1')
    """
    letters = chr(ord("a") + column % 26)
    return f"{chr(ord('a') + column // 26 - 1) if column >= 26 else ''}{letters}{row + 1}"


def _size_of_largest_group(cells: int, neighbours: Sequence[int]) -> int:
    largest = 0
    while cells.bit_count() > largest:
        group = frontier = cells & -cells
        while frontier:
            cell = frontier & -frontier
            reached = neighbours[cell.bit_length() - 1] & cells & ~group
            group |= reached
            frontier = frontier & ~cell | reached
        cells &= ~group
        largest = max(largest, group.bit_count())
    return largest


def _parse_cell(board: BattleSheepBoard, name: str) -> int:
    """Return the cell with this name. Raises: MoveSyntaxError."""
    match = _CELL_PATTERN.fullmatch(name)
    assert match is not None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("a") + 1
    coordinate = (int(match[2]) - 1, column - 1)
    coordinates = coordinates_of(board)
    if coordinate not in coordinates:
        raise MoveSyntaxError(f"There is no cell {name} on this pasture.")
    return coordinates.index(coordinate)
