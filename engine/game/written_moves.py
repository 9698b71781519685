"""Move texts as other programs write them, made into this project's."""

from collections.abc import Iterable


def is_capture_word(word: str, mark: str) -> bool:
    """Return whether a word is only the capture that ends the move before it. `mark` is `Texts.capture_mark`."""
    return bool(mark) and word.startswith(mark)


def join_captures(words: Iterable[str], mark: str) -> list[str]:
    """Return moves, each with its capture, from words in which a capture may be a word of its own.

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
