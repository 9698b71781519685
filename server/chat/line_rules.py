"""What may be said, and how much of it: judged line by line.

Pure: it is told the time.
"""

from typing import NamedTuple

from ..identity.user_text import require_showable
from ..protocol import Code
from ..protocol.refusal import Refusal

WINDOW_MS = 10_000
"""Lines are counted over so long."""

REPEAT_MS = 60_000
"""The same may be said again after so long."""


class Measure(NamedTuple):
    """How much somebody may say."""

    lines: int
    """In `WINDOW_MS`."""
    characters: int
    """Of a line."""


GUEST = Measure(2, 140)
ACCOUNT = Measure(4, 280)


class Recent(NamedTuple):
    """What somebody has lately said."""

    lines: tuple[tuple[int, str], ...] = ()
    """When, and what."""

    def after(self, text: str, now_ms: int) -> "Recent":
        """Return this with one more line, and without what counts no more."""
        kept = (line for line in self.lines if now_ms - line[0] < REPEAT_MS)
        return Recent((*kept, (now_ms, text)))


def tidy(text: str, measure: Measure) -> str:
    """Return a line with single spaces between its words, as it will be shown.

    >>> tidy("  well \\n  played ", GUEST)
    'well played'

    Raises: Refusal if nothing is left, or if it is too long, or holds characters that are not text.
    """
    line = " ".join(text.split())
    if not line:
        raise Refusal(Code.BAD_TEXT, "There is nothing in that line.")
    if len(line) > measure.characters:
        raise Refusal(Code.BAD_TEXT, f"That line is too long: at most {measure.characters} characters.")
    require_showable(line)
    return line


def judge(recent: Recent, line: str, measure: Measure, now_ms: int) -> None:
    """Raise a Refusal if somebody has said too much lately to say this line now."""
    if sum(now_ms - at_ms < WINDOW_MS for at_ms, _ in recent.lines) >= measure.lines:
        words = f"At most {measure.lines} lines in {WINDOW_MS // 1000} seconds; please wait a moment."
        raise Refusal(Code.RATE_LIMITED, words)
    if any(text.casefold() == line.casefold() and now_ms - at_ms < REPEAT_MS for at_ms, text in recent.lines):
        raise Refusal(Code.RATE_LIMITED, "You have just said that.")
