"""Which characters may stand in what people write to one another.

Pure.
"""

import unicodedata

from ..protocol import Code
from ..protocol.refusal import Refusal

_JOINER = "\u200d"
"""Holds the parts of a drawn sign together; the only invisible character that is let through."""


def require_showable(text: str) -> None:
    """Accept a text that is nothing but text, ends of lines among it. Raises: Refusal."""
    # Control characters, marks that turn the direction of reading, surrogates, and what has no meaning at all.
    if any(unicodedata.category(character).startswith("C") and character not in (_JOINER, "\n") for character in text):
        raise Refusal(Code.BAD_TEXT, "That holds characters that cannot be shown.")
