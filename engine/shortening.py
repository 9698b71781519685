"""Shortens messages that quote input. It is apart from the errors, so that it can be imported without the engine."""

import re

LONGEST_QUOTATION = 80
LONGEST_WORD = 300
"""In characters; paths are words."""

_QUOTATION_OR_WORD = re.compile(r"""(?<!\w)(?P<quote>['"])(?:\\.|(?!(?P=quote)).)*(?P=quote)|\S+""", re.DOTALL)


def shorten(message: str) -> str:
    """Return a message in which nothing that it quotes or names is longer than a reader needs.

    >>> shorten(f"{'abc' * 1000!r} is not a move.")[70:]
    "abcabcabcab…' is not a move."
    """
    return _QUOTATION_OR_WORD.sub(_shortened, message)


def _shortened(found: re.Match[str]) -> str:
    text, quote = found[0], found["quote"] or ""
    longest = LONGEST_QUOTATION if quote else LONGEST_WORD
    return text if len(text) - 2 * len(quote) <= longest else f"{text[: longest + len(quote)]}…{quote}"
