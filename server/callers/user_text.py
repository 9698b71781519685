"""The characters allowed in players' texts: names, chat, profiles, reports and imported matches. Pure.

Visible characters are allowed. Two invisible ones are allowed after a visible one: the joiner, which joins the parts of
an emoji, and the non-joiner, which Persian and other scripts need within words. A letter may have four combining marks,
enough for any language and too few to cover the lines above it.
"""

import unicodedata
from collections.abc import Iterator

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

MAX_MARKS = 4
"""Maximum number of combining marks of a letter."""

_JOINERS = "\u200c\u200d"
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols without a shape."""


def is_showable(text: str) -> bool:
    r"""Return whether all characters may appear. Line breaks may.

    >>> is_showable("m\u0301"), is_showable("m" + 5 * "\u0301"), is_showable("\u200bm")
    (True, False, False)
    """
    return all(may_appear for _, may_appear in _judged(text))


def require_showable(text: str) -> None:
    """Refuse text with characters that cannot be shown. Raises: Refusal."""
    if not is_showable(text):
        raise Refusal(Code.BAD_TEXT, "The text has characters that cannot be shown; please remove them.")


def require_line(text: str) -> None:
    """Refuse text with line breaks, or with characters that cannot be shown. Raises: Refusal."""
    require_showable(text)
    if text.splitlines() not in ([], [text]):
        raise Refusal(Code.BAD_TEXT, "The text must be on one line.")


def showable_part(text: str) -> str:
    """Return text without the characters that cannot be shown; control characters become spaces."""
    return "".join(
        character if may_appear else " " if unicodedata.category(character) == "Cc" else ""
        for character, may_appear in _judged(text)
    )


def _judged(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each character with whether it may appear at its place."""
    marks, may_join = 0, False
    for character in text:
        category = unicodedata.category(character)
        if character in _JOINERS:
            yield character, may_join
            may_join = False
        elif category.startswith("M"):
            marks += 1
            yield character, marks <= MAX_MARKS
        else:
            # Category C: control characters, marks that change the reading direction, surrogates, unassigned
            # characters.
            may_appear = character == "\n" or not (category.startswith("C") or character in _BLANKS)
            may_join = may_appear and not character.isspace()
            if may_appear:
                # A removed character leaves the marks around it to one letter.
                marks = 0
            yield character, may_appear
