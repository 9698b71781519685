"""Tic-tac-toe as text and drawing.

A square is named by column and row, `a1` at the bottom left. A position text is the squares from the top row on, `x`,
`o` or `.`, and the player to move: `......... x`.
"""

import re

import numpy as np

from millrace.engine.game import (
    Board,
    Cell,
    CellShape,
    Drawing,
    Geometry,
    MoveSyntaxError,
    Pile,
    SetupError,
    Start,
    Words,
)

from .rules import ROWS, SIZE, SQUARES

LETTERS = "xo"
NAMES = tuple(f"{'abcdefgh'[square % SIZE]}{SIZE - square // SIZE}" for square in range(SQUARES))


def parse_setup(text: str) -> Start:
    """Read a position text, or nothing, which is the empty board. Raises: SetupError."""
    text = text or f"{'.' * SQUARES} x"
    match = re.fullmatch(rf"([xo.]{{{SQUARES}}}) ([xo])", text)
    if match is None:
        raise SetupError(f"{text!r} is not a position of Tic-tac-toe, such as '{'.' * SQUARES} x'.")
    pieces = [sum(1 << square for square, piece in enumerate(match[1]) if piece == letter) for letter in LETTERS]
    white, black = (each.bit_count() for each in pieces)
    seat = LETTERS.index(match[2])
    if white - black != seat:
        raise SetupError("White begins, and the players take turns.")
    if any(pieces[seat] & row == row for row in map(int, ROWS)):
        raise SetupError("Only the player who moved last can have a row.")
    return Start(None, np.array([pieces[seat], pieces[1 - seat]], dtype=np.uint64), seat, 2, 0)


def format_position(start: Start, words: Words, seat: int, _quiet_plies: int) -> str:
    """Return the position text."""
    return compose(start, draw(start.board, words, seat), seat)


def compose(_start: Start, drawing: Drawing, seat: int) -> str:
    """Return the position text of pieces on the board."""
    squares = "".join("." if pile is None else LETTERS[pile.seat] for pile in drawing.piles)
    return f"{squares} {LETTERS[seat]}"


def geometry(_board: Board) -> Geometry:
    """Return the squares, from the top left."""
    cells = (Cell(name, square % SIZE, square // SIZE) for square, name in enumerate(NAMES))
    return Geometry(CellShape.SQUARES, tuple(cells), ())


def draw(_board: Board, words: Words, seat: int) -> Drawing:
    """Return whose piece stands where."""
    piles: list[Pile | None] = [None] * SQUARES
    for turn, pieces in enumerate(words.tolist()):
        for square in range(SQUARES):
            if pieces >> square & 1:
                piles[square] = Pile((seat + turn) % 2, 1)
    return Drawing(tuple(piles), (0, 0))


def parse_move(_board: Board, text: str) -> int:
    """Read the name of a square. Raises: MoveSyntaxError."""
    if text not in NAMES:
        raise MoveSyntaxError(f"{text!r} is not a square; squares are {NAMES[-SIZE]} to {NAMES[SIZE - 1]}.")
    return NAMES.index(text) + 1


def format_move(_board: Board, move: int) -> str:
    """Return the name of the square."""
    return NAMES[move - 1]
