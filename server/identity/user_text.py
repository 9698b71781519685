"""Which characters may appear in text that players write. Pure."""

import unicodedata

from ..protocol import Code
from ..protocol.refusal import Refusal

_JOINER = "\u200d"
"""Joins the parts of an emoji. The only invisible character that is allowed."""


def require_showable(text: str) -> None:
    """Refuse text with characters that cannot be shown. Line breaks are allowed. Raises: Refusal."""
    # Category C: control characters, marks that change the reading direction, surrogates, unassigned characters.
    if any(unicodedata.category(character).startswith("C") and character not in (_JOINER, "\n") for character in text):
        raise Refusal(Code.BAD_TEXT, "The text has characters that cannot be shown; please remove them.")
