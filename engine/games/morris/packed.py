"""Reads and writes the positions of the published programs muehle_agent and muehle: packed, and as letters.

Packed, a position is a number of 64 bits. From the highest bit: five bits with the steps along lines that White's men
have, five with Black's, three bits with White's men on the board less two (0 for fewer), three with Black's, and two
bits for each point: 11 White, 10 Black, 00 empty. Points are listed ring by ring from the outside, each clockwise from
its upper midpoint. Letters list the points in the same order, `W`, `B` or `E` for empty, after the phase (`P` placing,
`M` moving) and the side to move.

Those programs keep the side to move and the men in hand elsewhere. Here they follow the number (`w 7 6`; without them
White moves, and no men are in hand), and the men in hand follow the letters where they are not simply all men that are
not on the board.
"""

import re

from ...game import SetupError
from .fen import RINGS
from .points import READING_ORDER
from .position import MEN

LETTERS = {"W": 0b11, "B": 0b10, "E": 0b00}
POINT_BITS = 48
BLACK_COUNT, WHITE_COUNT, BLACK_STEPS, WHITE_STEPS = 48, 51, 54, 59
"""The lowest bit of each field above the points."""

ORDER = tuple(point for ring in reversed(RINGS) for point in ring)
"""The points, numbered as in `points`, as the number and the letters list them."""

_NUMBER = re.compile(r"0x[0-9a-fA-F]{1,16}|[0-9]{1,20}", re.ASCII)


def is_packed(text: str) -> bool:
    """Return whether a set-up text looks like a packed position.

    >>> is_packed("0x0 w 9 9"), is_packed("........................ w 9 9")
    (True, False)
    """
    first = text.split(maxsplit=1)[:1]
    return bool(first) and _NUMBER.fullmatch(first[0]) is not None


def is_letters(text: str) -> bool:
    """Return whether a set-up text looks like the phase, side and letters of a position.

    >>> is_letters("P W EEEEEEEEEEEEEEEEEEEEEEEE"), is_letters("WWWBBB.................. w 0 0")
    (True, False)
    """
    fields = text.split()
    return fields[:1] in (["P"], ["M"]) or (len(fields) == 1 and len(text) == len(ORDER) and set(text) <= set(LETTERS))


def read_packed(text: str) -> str:
    """Return the position text (1.10) of a packed position. Raises: SetupError.

    Counts and steps may be left out, all of them 0; otherwise they must be those of the points.

    >>> read_packed("0xc00000000000 b 8 9")
    '.W...................... b 8 9'
    """
    number, *rest = text.split()
    side, *hands = rest or ["w"]
    packed = int(number, 16 if "x" in number else 10)
    if packed >> 64 or len(hands) not in (0, 2, 3):
        raise SetupError(f"A packed position has 64 bits, then w or b and two counts of men in hand: {text!r}.")
    values = [packed >> POINT_BITS - 2 - 2 * index & 3 for index in range(len(ORDER))]
    if 0b01 in values:
        raise SetupError("In a packed position a point is 11 (White), 10 (Black) or 00 (empty), not 01.")
    letters = "".join("E?BW"[value] for value in values)
    if packed >> POINT_BITS and packed != pack_letters(letters):
        raise SetupError("The counts or steps in the packed position are not those of its points.")
    return " ".join([_points_of(letters), side, *(hands or ["0", "0"])])


def read_letters(text: str) -> str:
    """Return the position text (1.10) of letters, which may follow the phase and the side. Raises: SetupError.

    >>> read_letters("P W WBEEEEEEEEEEEEEEEEEEEEEE")
    '.WB..................... w 8 8'
    >>> read_letters("M B WWWBBBEEEEEEEEEEEEEEEEEE").split()[1:]
    ['b', '0', '0']
    """
    phase, side, letters, *hands = text.split() if " " in text.strip() else ["M", "W", text.strip()]
    if phase not in ("P", "M") or side not in ("W", "B") or len(hands) not in (0, 2, 3):
        raise SetupError(f"Letters follow P or M and W or B, and may be followed by men in hand: {text!r}.")
    if len(letters) != len(ORDER) or set(letters) - set(LETTERS):
        raise SetupError(f"The points must be {len(ORDER)} letters W, B or E, not {letters!r}.")
    if not hands:
        hands = [str(max(MEN - letters.count(colour), 0)) if phase == "P" else "0" for colour in "WB"]
    if (phase == "P") != (hands[:2] != ["0", "0"]):
        raise SetupError(f"The phase is {phase}, with {hands[0]} and {hands[1]} men in hand.")
    return " ".join([_points_of(letters), side.lower(), *hands])


def write_packed(position_text: str) -> str:
    """Return the packed form of a position text without options."""
    points, *rest = position_text.split()
    return " ".join([f"0x{pack_letters(_letters_of(points)):016X}", *rest])


def write_letters(position_text: str) -> str:
    """Return the letters of a position text without options."""
    points, side, *hands = position_text.split()
    letters, phase = _letters_of(points), "M" if hands[:2] == ["0", "0"] else "P"
    usual = [str(MEN - letters.count(colour)) if phase == "P" else "0" for colour in "WB"]
    return " ".join([phase, side.upper(), letters, *([] if hands == usual else hands)])


def pack_letters(letters: str) -> int:
    """Return the 64 bits of 24 letters, with counts and steps."""
    packed = 0
    for letter in letters:
        packed = packed << 2 | LETTERS[letter]
    fields = (("W", WHITE_COUNT, WHITE_STEPS), ("B", BLACK_COUNT, BLACK_STEPS))
    for letter, count, steps in fields:
        packed |= max(letters.count(letter) - 2, 0) << count | _count_steps(letters, letter) << steps
    return packed


def _count_steps(letters: str, letter: str) -> int:
    """Return the number of steps along a line from a man of one side to an empty neighbour."""
    return sum(
        letters[one] == letter and letters[other] == "E" for one in range(len(ORDER)) for other in NEIGHBOURS[one]
    )


def _points_of(letters: str) -> str:
    by_point = dict(zip(ORDER, letters, strict=True))
    return "".join(by_point[point] for point in READING_ORDER).replace("E", ".")


def _letters_of(points: str) -> str:
    by_point = dict(zip(READING_ORDER, points, strict=True))
    return "".join(by_point[point] for point in ORDER).replace(".", "E")


def _neighbours_of(place: int) -> tuple[int, ...]:
    """Return the places of the neighbours of a place in `ORDER`: along its ring, and, from a midpoint, across."""
    ring, step = divmod(place, 8)
    across = [8 * other + step for other in (ring - 1, ring + 1) if 0 <= other < 3 and step % 2 == 0]
    return (8 * ring + (step + 1) % 8, 8 * ring + (step - 1) % 8, *across)


NEIGHBOURS = tuple(_neighbours_of(place) for place in range(len(ORDER)))
"""By place in `ORDER`."""
