"""Three in a row as text and drawing; the rules are in `kernels`.

A square is named by column and row, `a1` at the bottom left. A position text is sixteen of `x`, `o`, `v` and `.` from
the top row on, the seat to move, and how many play: `................ x 2`.
"""

import re

import numpy as np

from millrace.engine.game import Cell, CellShape, Drawing, Geometry, MoveSyntaxError, Pile, SetupError, Start, Words

from .kernels import MAX_MOVES, SIZE, ThreeBoard

LETTERS = "xov"
NAMES = tuple(f"{'abcd'[index % SIZE]}{SIZE - index // SIZE}" for index in range(MAX_MOVES))


def _rows() -> list[int]:
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    rows = (
        [(row + step * down, column + step * right) for step in range(3)]
        for row in range(SIZE)
        for column in range(SIZE)
        for down, right in steps
    )
    whole = (row for row in rows if all(0 <= r < SIZE and 0 <= c < SIZE for r, c in row))
    return [sum(1 << SIZE * r + c for r, c in row) for row in whole]


ROWS = _rows()


def parse_setup(text: str) -> Start:
    """Read a position text, `seats=K` or nothing, which means two seats. Raises: SetupError."""
    if text in ("", "seats=2", "seats=3"):
        text = f"{'.' * MAX_MOVES} x {text[-1:] or 2}"
    match = re.fullmatch(r"([xov.]{16}) ([xov]) ([23])", text)
    if match is None:
        raise SetupError(f"{text!r} is no position of three in a row, such as '................ x 2'.")
    squares, letter, seats = match[1], match[2], int(match[3])
    stones = [sum(1 << index for index, stone in enumerate(squares) if stone == each) for each in LETTERS]
    counts = [each.bit_count() for each in stones]
    laid = sum(counts)
    seat = laid % seats
    if counts != [len(range(each, laid, seats)) if each < seats else 0 for each in range(len(LETTERS))]:
        raise SetupError("The seats have not put their stones in turn.")
    if letter != LETTERS[seat]:
        raise SetupError(f"After {laid} stones it is the turn of {LETTERS[seat]}.")
    if any(each & row == row for index, each in enumerate(stones) for row in ROWS if index != (seat - 1) % seats):
        raise SetupError("Only the seat that moved last can have a row.")
    board = ThreeBoard(np.array(ROWS, dtype=np.uint64), np.array([seats], dtype=np.uint64))
    by_turn = [stones[(seat + turn) % seats] for turn in range(seats)] + [0] * (3 - seats)
    return Start(board, np.array(by_turn, dtype=np.uint64), seat, seats, 0)


def format_position(start: Start, words: Words, seat: int, _quiet_plies: int) -> str:
    """Return the position text."""
    return compose(start, draw(start.board, words, seat), seat)


def compose(start: Start, drawing: Drawing, seat: int) -> str:
    """Return the position text of stones on the board."""
    squares = "".join("." if pile is None else LETTERS[pile.seat] for pile in drawing.piles)
    return f"{squares} {LETTERS[seat]} {start.seats}"


def geometry(_board: ThreeBoard) -> Geometry:
    """Return the sixteen squares."""
    cells = (Cell(name, index % SIZE, index // SIZE) for index, name in enumerate(NAMES))
    return Geometry(CellShape.SQUARES, tuple(cells), ())


def draw(board: ThreeBoard, words: Words, seat: int) -> Drawing:
    """Return whose stone lies where."""
    seats = int(board.seats[0])
    piles: list[Pile | None] = [None] * MAX_MOVES
    for turn, stones in enumerate(words.tolist()):
        for index in range(MAX_MOVES):
            if stones >> index & 1:
                piles[index] = Pile((seat + turn) % seats, 1)
    return Drawing(tuple(piles), (0,) * seats)


def parse_move(_board: ThreeBoard, text: str) -> int:
    """Read the name of a square. Raises: MoveSyntaxError."""
    if text not in NAMES:
        raise MoveSyntaxError(f"{text!r} is no square; squares are a1 to d4.")
    return NAMES.index(text) + 1


def format_move(_board: ThreeBoard, move: int) -> str:
    """Return the name of the square."""
    return NAMES[move - 1]
