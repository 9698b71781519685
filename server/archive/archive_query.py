"""What to search the archive for. Pure."""

import re
from typing import NamedTuple

from millrace.protocol import IdentityId, ResultFilter

MIN_TIME_MS = -(2**53)
MAX_TIME_MS = 2**53
_CURSOR_TIME = re.compile(r"-?\d{1,16}", re.ASCII)
"""Imported matches may have ended before 1970."""


class Cursor(NamedTuple):
    """A position in the archive: after a match, or at a time."""

    ended_ms: int = MAX_TIME_MS
    match: str = ""

    @property
    def text(self) -> str:
        """The cursor as text for clients."""
        return f"{self.ended_ms}.{self.match}"

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Parse the text of a cursor. Raises: ValueError."""
        ended_ms, separator, match = text.partition(".")
        if not separator or _CURSOR_TIME.fullmatch(ended_ms) is None or abs(int(ended_ms)) > MAX_TIME_MS:
            raise ValueError(f"{text!r} is not a cursor of the archive.")
        return cls(int(ended_ms), match)


class ArchiveQuery(NamedTuple):
    """What to search for."""

    player: IdentityId | None = None
    opponent: IdentityId | None = None
    """Only together with a player."""
    game: str | None = None
    result: ResultFilter | None = None
    """`won` and `lost` only with a player."""
    rated: bool | None = None
    since_ms: int = MIN_TIME_MS
    cursor: Cursor = Cursor()
    """Only matches that ended before it; the latest come first."""
    imported_by: IdentityId | None = None
    """Search the imports of this player instead; then only `cursor` narrows the search."""
