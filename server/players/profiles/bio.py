"""Players' profile texts. Pure."""

import re

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ...callers.user_text import require_showable

MOST_LINES = 8
"""Maximum lines of a bio, including empty ones."""


def tidy_bio(text: str) -> str:
    r"""Return a bio with single spaces between words and at most one empty line between paragraphs.

    >>> tidy_bio("  I play \t at night.\r\n\r\n\r\nhttps://example.org ")
    'I play at night.\n\nhttps://example.org'

    Raises: Refusal if it has too many lines or contains control characters.
    """
    lines = (" ".join(line.split()) for line in text.strip().splitlines())
    bio = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    if bio.count("\n") >= MOST_LINES:
        raise Refusal(Code.BAD_TEXT, "Your text is too long; use at most {most} lines.", most=MOST_LINES)
    require_showable(bio)
    return bio
