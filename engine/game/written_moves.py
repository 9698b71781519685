"""Converts move texts of other programs to this project's."""

import re
from collections.abc import Iterable

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
"""Hyphens, dashes and minus signs."""
_ARROWS = "\u2192\u21d2\u21e8\u2794\u2799\u279c\u279d\u279e\u27a1\u27f6\u27f9"
_PLAIN_CHARACTERS = str.maketrans(
    {**dict.fromkeys(_DASHES + _ARROWS, "-"), "\ufe0f": "", **dict.fromkeys("\u00d7\u2715\u2716\u2a2f", "x")}
)
"""The variation selector may follow an arrow."""
_TYPED_ARROW = re.compile("[-=]+>")


def plain_move(text: str) -> str:
    r"""Return a move text in small letters, with a plain dash for dashes and arrows, and plain crosses.

    >>> plain_move("A4\u2013A7\u00d7D6"), plain_move("a4\u2192a7"), plain_move("a4->a7")
    ('a4-a7xd6', 'a4-a7', 'a4-a7')
    """
    return _TYPED_ARROW.sub("-", text.translate(_PLAIN_CHARACTERS)).lower()


def is_capture_word(word: str, mark: str) -> bool:
    """Return whether a word is only the capture that ends the previous move. `mark` is `Texts.capture_mark`."""
    return bool(mark) and word.startswith(mark)


def join_captures(words: Iterable[str], mark: str) -> list[str]:
    """Return moves, each with its capture, from words in which a capture may be a separate word.

    >>> join_captures(["d7", "f4", "g7", "xf4"], "x")
    ['d7', 'f4', 'g7xf4']
    """
    moves: list[str] = []
    for word in words:
        if moves and is_capture_word(word, mark) and mark not in moves[-1]:
            moves[-1] += word
        else:
            moves.append(word)
    return moves
