"""Converts move texts of other programs to this project's."""

from collections.abc import Iterable

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
"""Hyphens, dashes and the minus sign."""
_PLAIN_CHARACTERS = str.maketrans({**dict.fromkeys(_DASHES, "-"), "\u00d7": "x"})


def plain_move(text: str) -> str:
    r"""Return a move text in small letters, with plain dashes and crosses.

    >>> plain_move("A4\u2013A7\u00d7D6")
    'a4-a7xd6'
    """
    return text.translate(_PLAIN_CHARACTERS).lower()


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
