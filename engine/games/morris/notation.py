"""Nine Men's Morris as move texts (1.9), position texts (1.10) and drawing.

Options follow a position as `name=value`.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from ...game import (
    Cell,
    CellShape,
    Drawing,
    Geometry,
    Highlight,
    MoveSyntaxError,
    Outcome,
    Pile,
    SetupError,
    Start,
    Words,
    WrittenPosition,
)
from .fen import is_fen, read_fen, write_fen
from .kernels import HAND, NOTHING
from .packed import is_letters, is_packed, read_letters, read_packed, write_letters, write_packed
from .points import POINTS, READING_ORDER
from .position import MEN, MorrisBoard

POINT_NAMES = (
    *("a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"),
    *("b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4"),
    *("c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"),
)
"""By bit: ring by ring from the outside, clockwise from the upper left corner."""

MORE_MEN = "more_men"
"""The code of an end by counting men."""

START_TEXT = f"{'.' * POINTS} w {MEN} {MEN}"

_POINT_BY_NAME: dict[str | None, int] = {name: point for point, name in enumerate(POINT_NAMES)} | {None: HAND}
_POINT_BITS = tuple(1 << point for point in range(POINTS))
_READING_BITS = tuple(1 << point for point in READING_ORDER)
_MILL_POINTS = (
    *((8 * ring + side, 8 * ring + side + 1, 8 * ring + (side + 2) % 8) for ring in range(3) for side in (0, 2, 4, 6)),
    *((midpoint, midpoint + 8, midpoint + 16) for midpoint in (1, 3, 5, 7)),
)
_MILLS = tuple((sum(1 << point for point in mill), Highlight("closed a mill", mill)) for mill in _MILL_POINTS)
_WHITE_MAN, _BLACK_MAN = Pile(0, 1), Pile(1, 1)
_CELLS = tuple(Cell(name, "abcdefg".index(name[0]), 7.0 - int(name[1])) for name in POINT_NAMES)
_LINES = (
    *((8 * ring + step, 8 * ring + (step + 1) % 8) for ring in range(3) for step in range(8)),
    *((8 * ring + step, 8 * ring + step + 8) for ring in range(2) for step in range(1, 8, 2)),
)
_GEOMETRY = Geometry(CellShape.POINTS, _CELLS, _LINES)
_MOVE_PATTERN = re.compile(r"(?:([a-g][1-7])-)?([a-g][1-7])(?:x([a-g][1-7]))?")


def parse_setup(text: str) -> Start:
    """Parse a position text (1.10), a FEN, a packed position or letters, and the options `flying=on|off` and
    `judged=PLIES`; each is optional. Raises: SetupError."""
    fields = text.split()
    flying, judged = True, 0
    while fields and "=" in fields[-1]:
        option = fields.pop()
        if option.startswith("judged="):
            judged = _parse_judged(option)
        else:
            flying = _parse_flying(option)
    for is_notation, read in ((is_fen, read_fen), (is_packed, read_packed), (is_letters, read_letters)):
        if is_notation(" ".join(fields)):
            fields = read(" ".join(fields)).split()
            break
    if not fields:
        fields = START_TEXT.split()
    if len(fields) not in (4, 5):
        raise SetupError(
            f"A position has 24 points, w or b, two counts of men in hand, and may have a fifth field: {text!r}."
        )
    men, side, *counts = fields
    if len(men) != POINTS or set(men) - set("WB."):
        raise SetupError(f"The points must be 24 characters W, B or '.', not {men!r}.")
    if side not in ("w", "b"):
        raise SetupError(f"The side to move must be w or b, not {side!r}.")
    white_hand, black_hand, quiet_plies = _parse_counts(counts)
    white, black = _men_of(men, "W"), _men_of(men, "B")
    for name, on_board, hand in (("White", white, white_hand), ("Black", black, black_hand)):
        if on_board.bit_count() + hand > MEN:
            raise SetupError(f"{name} has more than nine men on the board and in hand.")
    seat = "wb".index(side)
    mover, opponent = (white, black) if seat == 0 else (black, white)
    mover_hand, opponent_hand = (white_hand, black_hand) if seat == 0 else (black_hand, white_hand)
    words = (mover, opponent, mover_hand | opponent_hand << 4)
    board = MorrisBoard(np.array([flying, judged], dtype=np.uint64))
    return Start(board, np.array(words, dtype=np.uint64), seat, 2, quiet_plies)


def format_position(start: Start, words: Words, seat: int, quiet_plies: int) -> str:
    """Return the position text, with the plies since the last placement or capture if there are any."""
    (white, black), (white_hand, black_hand) = _by_seat(words, seat)
    points = "".join(["W" if white & bit else "B" if black & bit else "." for bit in _READING_BITS])
    quiet = f" {quiet_plies}" if quiet_plies else ""
    return f"{points} {'wb'[seat]} {white_hand} {black_hand}{quiet}{_options_of(start.board)}"


def format_fen(position: WrittenPosition) -> str:
    """Return the FEN of a position; options, which a FEN does not know, follow it."""
    text, options = _text_and_options(position)
    return write_fen(text, position.ply, is_over=position.is_over) + options


def format_packed(position: WrittenPosition) -> str:
    """Return the packed form of a position; options follow it."""
    text, options = _text_and_options(position)
    return write_packed(text) + options


def format_letters(position: WrittenPosition) -> str:
    """Return the letters of a position; options follow them."""
    text, options = _text_and_options(position)
    return write_letters(text) + options


def _text_and_options(position: WrittenPosition) -> tuple[str, str]:
    """Return the position text without its options, and the options, each with a blank before it."""
    options = _options_of(position.start.board)
    text = format_position(position.start, position.words, position.seat, position.quiet_plies)
    return text.removesuffix(options), options


def _options_of(board: MorrisBoard) -> str:
    """Return the options that differ from the standard, each with a blank before it."""
    flying, judged = board.options.tolist()
    return ("" if flying else " flying=off") + (f" judged={judged}" if judged else "")


def judge(board: MorrisBoard, words: Words, seat: int, ply: int) -> Outcome | None:
    """Return the outcome by men, on the board and in hand, where the option `judged=PLIES` ends the match; or None."""
    if not 0 < int(board.options[1]) <= ply:
        return None
    (white, black), (white_hand, black_hand) = _by_seat(words, seat)
    lead = white.bit_count() + white_hand - black.bit_count() - black_hand
    return Outcome((1 if lead >= 0 else 2, 1 if lead <= 0 else 2), MORE_MEN)


def parse_move(_board: MorrisBoard, text: str) -> int:
    """Parse `d6`, `d6xb4`, `a4-a7` or `a4-a7xd6` (1.9). Raises: MoveSyntaxError."""
    return _move_of(text)


def format_move(_board: MorrisBoard, move: int) -> str:
    """Return the move's text (1.9)."""
    return _text_of(move)


@lru_cache(maxsize=1 << 12)
def _move_of(text: str) -> int:
    match = _MOVE_PATTERN.fullmatch(text)
    if match is not None:
        origin, target, taken = map(_POINT_BY_NAME.get, match.groups())
        if origin is not None and target is not None and taken is not None:
            return origin | target << 5 | taken << 10
    raise MoveSyntaxError(f"{text!r} is not a move; moves look like d6, d6xb4, a4-a7 or a4-a7xd6.")


@cache
def _text_of(move: int) -> str:
    origin, target, taken = move & 31, move >> 5 & 31, move >> 10
    stem = "" if origin == HAND else f"{POINT_NAMES[origin]}-"
    tail = "" if taken == NOTHING else f"x{POINT_NAMES[taken]}"
    return f"{stem}{POINT_NAMES[target]}{tail}"


def geometry(_board: MorrisBoard) -> Geometry:
    """Return the 24 points on a grid of seven by seven and the 32 lines between neighbours."""
    return _GEOMETRY


def draw(_board: MorrisBoard, words: Words, seat: int) -> Drawing:
    """Return the man on each point, and the men in hand."""
    (white, black), hands = _by_seat(words, seat)
    piles = [_WHITE_MAN if white & bit else _BLACK_MAN if black & bit else None for bit in _POINT_BITS]
    return Drawing(tuple(piles), hands)


def compose(start: Start, drawing: Drawing, seat: int) -> str:
    """Return the position text of men on the board and in hand."""
    letters = ["." if pile is None else "WB"[pile.seat] for pile in drawing.piles]
    points = "".join(letters[point] for point in READING_ORDER)
    white_hand, black_hand = drawing.reserves
    return f"{points} {'wb'[seat]} {white_hand} {black_hand}{_options_of(start.board)}"


def highlights(_board: MorrisBoard, words: Words, moves: Sequence[int]) -> dict[int, tuple[Highlight, ...]]:
    """Return the mills that each move closes (1.5)."""
    achieved: dict[int, tuple[Highlight, ...]] = {}
    last_step, mills = -1, tuple[Highlight, ...]()
    for move in moves:
        if move >> 10 == NOTHING:
            continue
        if move & 1023 != last_step:  # moves that differ only in the captured man are consecutive
            last_step, mills = move & 1023, ()
            target = 1 << (move >> 5 & 31)
            men = (int(words[0]) | target) & ~(1 << (move & 31))
            for points, mill in _MILLS:
                if points & target and points & men == points:
                    mills += (mill,)
        achieved[move] = mills
    return achieved


def _by_seat(words: Words, seat: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return white's and black's men, and white's and black's hands."""
    mover, opponent, hands = words[:3].tolist()
    if seat == 0:
        return (mover, opponent), (hands & 15, hands >> 4)
    return (opponent, mover), (hands >> 4, hands & 15)


def _men_of(points: str, letter: str) -> int:
    return sum(1 << READING_ORDER[index] for index, character in enumerate(points) if character == letter)


def _parse_counts(counts: list[str]) -> tuple[int, int, int]:
    if not all(count.isascii() and count.isdigit() and len(count) <= 3 for count in counts):
        raise SetupError(f"Men in hand and plies must be numbers, not {' '.join(counts)!r}.")
    white_hand, black_hand, *rest = (int(count) for count in counts)
    return white_hand, black_hand, rest[0] if rest else 0


def _parse_flying(option: str) -> bool:
    if option not in ("flying=on", "flying=off"):
        raise SetupError(f"The options are flying=on or flying=off, and judged=PLIES, not {option!r}.")
    return option == "flying=on"


def _parse_judged(option: str) -> int:
    plies = option.removeprefix("judged=")
    if re.fullmatch(r"[1-9][0-9]{0,2}", plies, re.ASCII) is None:
        raise SetupError(f"The plies after which men are counted must be 1 to 999, not {plies!r}.")
    return int(plies)
