"""The older board text of Battle Sheep (3.9), for two seats, with four characters per cell.

It is not a position text: it does not say who is to move, and Red begins. Each row is a line, shifted two characters to
the left of the line above, as on the hexagons:

     0   0   0        ` 0  `   an empty cell     `-16 `   a stack of Red
   0   0  -16         `    `   no cell           `+3  `   a stack of Blue
 0  +3   0
"""

import re

from ...game import Drawing, Geometry, SetupError

CELL_WIDTH = 4
ROW_SHIFT = 2

_TOKEN_PATTERN = re.compile(r"0|[+-][0-9]{1,2}")
_SIGN_LETTERS = {"-": "r", "+": "b"}


def is_legacy_text(text: str) -> bool:
    """Return whether a set-up text is an older board text.

    >>> is_legacy_text(" 0  +16"), is_legacy_text("0,b16 r 2"), is_legacy_text("")
    (True, False, False)
    """
    return bool(text.strip()) and set(text) <= set("0123456789+- \n\r")


def read_legacy_text(text: str) -> str:
    r"""Return the position text (3.9) of an older board text, with Red to move. Raises: SetupError.

    >>> read_legacy_text("   0  +2\n-1   0")
    '0,b2/r1,0 r 2'
    """
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    cells = {(row, place): token for row, line in enumerate(lines) for place, token in _tokens(line, row)}
    left = min(place for _, place in cells)
    if any((place - left) % CELL_WIDTH for _, place in cells):
        raise SetupError("Cells must be four characters apart, and each row shifted by two against the one above.")
    by_column = {(row, (place - left) // CELL_WIDTH): token for (row, place), token in cells.items()}
    columns = max(column for _, column in by_column) + 1
    rows = (",".join(by_column.get((row, column), ".") for column in range(columns)) for row in range(len(lines)))
    return f"{'/'.join(rows)} r 2"


def write_legacy_text(geometry: Geometry, drawing: Drawing) -> str:
    """Return the older board text of a board of two seats, without trailing blanks. Raises: SetupError."""
    if len(drawing.reserves) != 2:
        raise SetupError("The older board text is for two seats only.")
    heights = sorted({cell.y for cell in geometry.cells})
    left = min(cell.x for cell in geometry.cells)
    lines = [""] * len(heights)
    for cell, pile in sorted(zip(geometry.cells, drawing.piles, strict=True), key=lambda pair: pair[0].x):
        row = heights.index(cell.y)
        token = " 0" if pile is None else f"{'-+'[pile.seat]}{pile.size}"
        lines[row] = lines[row].ljust(round((cell.x - left) * CELL_WIDTH)) + token
    return "\n".join(lines)


def _tokens(line: str, row: int) -> list[tuple[int, str]]:
    """Return the position (not shifted by the row) and text of each cell of a line. Raises: SetupError."""
    tokens = []
    for found in re.finditer(r"\S+?(?=[+-]|\s|$)", line):
        token = found.group()
        if _TOKEN_PATTERN.fullmatch(token) is None:
            raise SetupError(f"A cell is written ' 0  ', '-16 ' or '+3  ', not {token!r}.")
        start = found.start() - (token == "0")
        text = token if token == "0" else f"{_SIGN_LETTERS[token[0]]}{int(token[1:])}"
        tokens.append((start + ROW_SHIFT * row, text))
    return tokens
