"""Wraps lines of text for a width. Pure."""

import re
from textwrap import wrap

_NUMBER = re.compile(r"(?<!\S)(\d+\.) (?=\S)")
"""The number before a move, such as `12. `."""
_NO_BREAK = "\u00a0"


def wrap_lines(text: str, width: int | None, hanging: int = 2) -> list[str]:
    """Return the lines of a text, of which those longer than `width` are continued on lines indented by `hanging`.

    Words, and so moves, stay whole, even if they are longer than a line. A number such as `12.` stays with its move.
    None leaves all lines as they are.

    >>> wrap_lines("White: a1, a4-a7, d1\\n  b2, b4", 14)
    ['White: a1,', '  a4-a7, d1', '  b2, b4']
    >>> wrap_lines("1. a1  2. d1  3. g1", 14)
    ['1. a1  2. d1', '  3. g1']
    """
    lines = text.splitlines()
    if width is None:
        return lines
    return [part for line in lines for part in (_wrapped(line, width, hanging) if len(line) > width else [line])]


def cut_lines(text: str, width: int) -> list[str]:
    """Return the lines of a text, cut wherever they are longer than `width`: without their breaks they are the text.

    >>> cut_lines("abcdefg\\nhi", 3)
    ['abc', 'def', 'g', 'hi']
    """
    return [line[start : start + width] for line in text.splitlines() for start in range(0, max(1, len(line)), width)]


def _wrapped(line: str, width: int, hanging: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + hanging)
    parts = wrap(
        _NUMBER.sub(rf"\1{_NO_BREAK}", line),
        max(width, len(indent) + 1),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [part.replace(_NO_BREAK, " ") for part in parts]
