"""Moves of Nine Men's Morris as other programs write them: `g7:b6`, and PlayOK's numbers.

PlayOK numbers the points in reading order: `3x4` places on g7 and captures b6.

     1 --------- 2 --------- 3
     |   4 ----- 5 ----- 6   |
     |   |   7 - 8 - 9   |   |
    10--11--12      13--14--15
     |   |  16 -17 -18   |   |
     |  19 ---- 20 ---- 21   |
    22 -------- 23 -------- 24
"""

import re

from ...game.written_moves import plain_move
from .notation import POINT_NAMES
from .points import READING_ORDER

_NAMES_BY_NUMBER = {str(number): POINT_NAMES[point] for number, point in enumerate(READING_ORDER, 1)}
_NUMBERS_BY_NAME = {name: number for number, name in _NAMES_BY_NUMBER.items()}
_NAME = re.compile(r"[a-g][1-7]")
_NUMBERS = re.compile(r"(?:(?:\d\d?-)?\d\d?)?(?:x\d\d?)?", re.ASCII)
_NUMBER = re.compile(r"\d+", re.ASCII)


def number_move(text: str) -> str:
    """Return a move text with PlayOK's numbers.

    >>> number_move("c4-e4xd6")
    '12-13x5'
    """
    return _NAME.sub(lambda name: _NUMBERS_BY_NAME[name[0]], text)


def read_written_move(text: str) -> str:
    """Return a move in the game's own text (1.9). Unknown text is unchanged.

    >>> read_written_move("G7:B6"), read_written_move("12-13x5"), read_written_move("x4"), read_written_move("25")
    ('g7xb6', 'c4-e4xd6', 'xb6', '25')
    """
    move = plain_move(text).replace(":", "x")
    if not move or _NUMBERS.fullmatch(move) is None:
        return move
    return _NUMBER.sub(lambda number: _NAMES_BY_NUMBER.get(number[0], number[0]), move)
