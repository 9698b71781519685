"""Reads and writes the FEN of Nine Men's Morris that Sanmill and other programs use (ruling 4).

    ********/**@****@/O******O w p p 2 7 2 7 0 0 0 0 0 0 0 0 3

Three rings from the inside, each clockwise from its upper midpoint: `O` White, `@` Black, `*` empty. Then the side to
move (`w`, `b`), the phase (`p` placing, `m` moving, `o` over), the action (`p` place, `s` select, `r` remove) and
thirteen numbers: White's men on the board and in hand, Black's likewise, pending removals of White and of Black, four
numbers on the latest mills and their count (not kept here; written as 0), the plies since the last removal and the
number of the move.
"""

import re

from ...game import SetupError
from .points import READING_ORDER

NUMBERS = 13
RINGS = ((17, 18, 19, 20, 21, 22, 23, 16), (9, 10, 11, 12, 13, 14, 15, 8), (1, 2, 3, 4, 5, 6, 7, 0))
"""The points of each ring in the order of a FEN: inner, middle, outer."""

WHITE, BLACK, EMPTY = "O", "@", "*"
PHASES = {"p": "placing", "m": "moving", "o": "over"}
HANDS = 18
"""Men in hand at the start of a match."""

_NUMBER = re.compile(r"-?[0-9]{1,4}", re.ASCII)


def is_fen(text: str) -> bool:
    """Return whether a set-up text looks like a FEN.

    >>> is_fen("********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1")
    True
    >>> is_fen("........................ w 9 9")
    False
    """
    first = text.split(maxsplit=1)[:1]
    return bool(first) and (first[0].count("/") == 2 or set(first[0]) <= {WHITE, BLACK, EMPTY})


def read_fen(text: str) -> str:
    """Return the position text (1.10) of a FEN. Raises: SetupError.

    >>> read_fen("********/**@****@/O******O w p p 2 7 2 7 0 0 0 0 0 0 0 0 3")
    'WW.B.........B.......... w 7 7'
    """
    fields = text.split()
    if len(fields) != 4 + NUMBERS:
        raise SetupError(
            f"The FEN must have three rings, side, phase, action and {NUMBERS} numbers, not {len(fields)} fields."
        )
    board, side, phase, action, *numbers = fields
    men = _read_rings(board)
    if side not in ("w", "b"):
        raise SetupError(f"The side to move in the FEN must be w or b, not {side!r}.")
    for number in numbers:
        if _NUMBER.fullmatch(number) is None:
            raise SetupError(f"The FEN must end with {NUMBERS} numbers, and {number!r} is none.")
    white, white_hand, black, black_hand, white_removals, black_removals, *_, quiet_plies, _move = map(int, numbers)
    if action == "r" or white_removals or black_removals:
        raise SetupError(
            "In this FEN a removal is pending (r). Here a capture is part of its move: give the position before the "
            "mill is closed, or after the man is taken."
        )
    if phase not in PHASES or action not in ("p", "s", "?"):
        raise SetupError(f"The phase in the FEN must be p, m or o and the action p or s, not {phase} {action}.")
    for name, letter, count in (("White", "W", white), ("Black", "B", black)):
        if men.count(letter) != count:
            raise SetupError(f"The FEN counts {count} men of {name} on the board, but shows {men.count(letter)}.")
    if min(white_hand, black_hand, quiet_plies) < 0:
        raise SetupError("In the FEN, men in hand and plies since the last removal cannot be negative.")
    is_placing = white_hand + black_hand > 0
    if phase != "o" and is_placing != (phase == "p"):
        raise SetupError(
            f"The FEN says that the phase is {PHASES[phase]}, with {white_hand} and {black_hand} men in hand."
        )
    quiet = f" {quiet_plies}" if quiet_plies else ""
    return f"{men} {side} {white_hand} {black_hand}{quiet}"


def write_fen(position_text: str, ply: int, *, is_over: bool) -> str:
    """Return the FEN of a position text without options, `ply` plies after the start of its match.

    The number of the move is exact for a match from the standard start.
    """
    men, side, white_hand, black_hand, *rest = position_text.split()
    in_hand, quiet_plies = int(white_hand) + int(black_hand), int(rest[0]) if rest else 0
    by_point = dict(zip(READING_ORDER, men.translate(str.maketrans("WB.", WHITE + BLACK + EMPTY)), strict=True))
    rings = "/".join("".join(by_point[point] for point in ring) for ring in RINGS)
    phase = "o" if is_over else "p" if in_hand else "m"
    counts = f"{men.count('W')} {white_hand} {men.count('B')} {black_hand}"
    number = max(ply, HANDS - in_hand + quiet_plies) // 2 + 1
    return f"{rings} {side} {phase} {'p' if in_hand else 's'} {counts} 0 0 0 0 0 0 0 {quiet_plies} {number}"


def _read_rings(board: str) -> str:
    """Return the 24 points of a position text. Raises: SetupError."""
    rings = board.split("/")
    if len(rings) != 3 or any(len(ring) != 8 for ring in rings):
        raise SetupError(f"The FEN must begin with three rings of eight points, not {board!r}.")
    unknown = set(board) - {WHITE, BLACK, EMPTY, "/"}
    if unknown:
        raise SetupError(f"The points in the FEN must be {WHITE}, {BLACK} or {EMPTY}, not {min(unknown)!r}.")
    points = (point for ring in RINGS for point in ring)
    by_point = dict(zip(points, "".join(rings), strict=True))
    return "".join(by_point[point] for point in READING_ORDER).translate(str.maketrans(WHITE + BLACK + EMPTY, "WB."))
