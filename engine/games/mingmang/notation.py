"""Ming Mang as move texts (2.8), position texts (2.9) and drawing. There are no options."""

import re
from collections.abc import Sequence

import numpy as np

from ...game import Cell, CellShape, Drawing, Geometry, MoveSyntaxError, Pile, SetupError, Start, Tally, Words
from .kernels import PASS, SQUARES, find_territories
from .position import MingMangBoard

START_TEXT = "wwwwwwww/w6b/w6b/w6b/w6b/w6b/w6b/bbbbbbbb b 0"
PASS_TEXT = "pass"
MEN = 28
"""The men of every match from the standard start (2.1); a position for study may have fewer."""

SQUARE_NAMES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
"""By bit."""

_SQUARE_BY_NAME = {name: square for square, name in enumerate(SQUARE_NAMES)}
_CELLS = tuple(Cell(name, float(square % 8), float(7 - square // 8)) for square, name in enumerate(SQUARE_NAMES))
_GEOMETRY = Geometry(CellShape.SQUARES, _CELLS, (), (PASS_TEXT,))
_MOVE_PATTERN = re.compile(r"([a-h][1-8])-([a-h][1-8])")
_BOARD = MingMangBoard(np.array([2**SQUARES - 1], dtype=np.uint64))


def parse_setup(text: str) -> Start:
    """Parse a position text (2.9), or the standard start if it is empty. Raises: SetupError."""
    fields = text.split() or START_TEXT.split()
    if len(fields) != 3:
        raise SetupError(f"A position has eight ranks, b or w to move, and the passes just made: {text!r}.")
    ranks, side, passes = fields
    black, white = _parse_ranks(ranks)
    if side not in ("b", "w"):
        raise SetupError(f"The side to move must be b or w, not {side!r}.")
    if passes not in ("0", "1", "2"):
        raise SetupError(f"The passes just made must be 0 or 1, or 2 where they have ended the match, not {passes!r}.")
    if not 1 <= (black | white).bit_count() <= MEN:
        raise SetupError(f"There must be men on the board, and no more than {MEN}.")
    seat = "bw".index(side)
    words = (black, white, int(passes)) if seat == 0 else (white, black, int(passes))
    return Start(_BOARD, np.array(words, dtype=np.uint64), seat, 2, 0)


def format_position(_start: Start, words: Words, seat: int, _quiet_plies: int) -> str:
    """Return the position text (2.9)."""
    black, white = _by_seat(words, seat)
    letters = ["b" if black >> square & 1 else "w" if white >> square & 1 else "." for square in range(SQUARES)]
    return f"{_ranks_of(letters)} {'bw'[seat]} {int(words[2])}"


def parse_move(_board: MingMangBoard, text: str) -> int:
    """Parse `a1-a4` or `pass` (2.8). Raises: MoveSyntaxError."""
    if text == PASS_TEXT:
        return PASS
    match = _MOVE_PATTERN.fullmatch(text)
    if match is None or match[1] == match[2]:
        raise MoveSyntaxError(f"{text!r} is not a move; moves look like a1-a4, or pass.")
    return _SQUARE_BY_NAME[match[1]] | _SQUARE_BY_NAME[match[2]] << 6


def format_move(_board: MingMangBoard, move: int) -> str:
    """Return the move's text (2.8)."""
    return PASS_TEXT if move == PASS else f"{SQUARE_NAMES[move & 63]}-{SQUARE_NAMES[move >> 6]}"


def geometry(_board: MingMangBoard) -> Geometry:
    """Return the 64 squares, a1 at the bottom left, and the pass."""
    return _GEOMETRY


def draw(_board: MingMangBoard, words: Words, seat: int) -> Drawing:
    """Return the man on each square; none are in hand."""
    black, white = _by_seat(words, seat)
    black_man, white_man = Pile(0, 1), Pile(1, 1)
    piles = [
        black_man if black >> square & 1 else white_man if white >> square & 1 else None for square in range(SQUARES)
    ]
    return Drawing(tuple(piles), (0, 0))


def compose(_start: Start, drawing: Drawing, seat: int) -> str:
    """Return the position text of men on the board; no passes have just been made."""
    letters = ["." if pile is None else "bw"[pile.seat] for pile in drawing.piles]
    return f"{_ranks_of(letters)} {'bw'[seat]} 0"


def tallies(_board: MingMangBoard, words: Words, seat: int) -> tuple[Tally, ...]:
    """Return the number of men of each seat."""
    return (Tally("Men", tuple(men.bit_count() for men in _by_seat(words, seat))),)


def territory(_board: MingMangBoard, words: Words, seat: int) -> tuple[int | None, ...]:
    """Return for each square the only seat that can reach it (2.7), or None."""
    territories = np.empty(2, dtype=np.uint64)
    find_territories(words, territories)
    black, white = _by_seat(territories, seat)
    return tuple(0 if black >> square & 1 else 1 if white >> square & 1 else None for square in range(SQUARES))


def _ranks_of(letters: Sequence[str]) -> str:
    """Return the letters of the squares, by bit, as the ranks of a position text."""
    ranks = ("".join(letters[8 * rank : 8 * rank + 8]) for rank in reversed(range(8)))
    return re.sub(r"\.+", lambda run: str(len(run.group())), "/".join(ranks))


def _by_seat(words: Words, seat: int) -> tuple[int, int]:
    """Return black's and white's squares of the first two words."""
    mover, opponent = words[:2].tolist()
    return (mover, opponent) if seat == 0 else (opponent, mover)


def _parse_ranks(text: str) -> tuple[int, int]:
    """Return black's and white's men. Raises: SetupError."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise SetupError(f"A position has eight ranks divided by '/', not {len(ranks)}.")
    black = white = 0
    for rank, letters in zip(reversed(range(8)), ranks, strict=True):
        if set(letters) - set("bw12345678"):
            raise SetupError(f"A rank is written with b, w and the numbers 1 to 8, not {letters!r}.")
        spread = "".join("." * int(letter) if letter.isdigit() else letter for letter in letters)
        if len(spread) != 8:
            raise SetupError(f"Rank {rank + 1} has {len(spread)} squares instead of 8: {letters!r}.")
        for file, letter in enumerate(spread):
            black |= (letter == "b") << 8 * rank + file
            white |= (letter == "w") << 8 * rank + file
    return black, white
