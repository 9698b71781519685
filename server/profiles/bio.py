"""What may be written of oneself.

Pure.
"""

import re

from ..identity.user_text import require_showable
from ..protocol import Code
from ..protocol.refusal import Refusal

MOST_LINES = 8
"""A bio has no more lines, empty ones among them."""


def tidy_bio(text: str) -> str:
    r"""Return a bio as it will be shown: single spaces between words, at most one empty line between paragraphs.

    >>> tidy_bio("  I play \t at night.\r\n\r\n\r\nhttps://example.org ")
    'I play at night.\n\nhttps://example.org'

    Raises: Refusal if it has too many lines, or holds characters that are not text.
    """
    lines = (" ".join(line.split()) for line in text.strip().splitlines())
    bio = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    if bio.count("\n") >= MOST_LINES:
        raise Refusal(Code.BAD_TEXT, f"That is too long: at most {MOST_LINES} lines.")
    require_showable(bio)
    return bio
