"""A match as it is written down to be kept or taken elsewhere, and what can be wrong with what somebody has written.

Values only, which are the format of JSON too; `server.archive.record_text` writes them as text. Pure.

```
RecordError(ValueError)    what was written cannot be read as matches, or is no match by the rules
```
"""

from typing import Literal

import msgspec

from ..protocol import ClockSettings

MOST_PLIES = 4_000
"""A longer match is not taken in."""

Kind = Literal["person", "guest", "bot"]


class RecordError(ValueError):
    """What was written cannot be read; the text says where and why, for people."""

    def __init__(self, words: str, line: int | None = None, move: int | None = None) -> None:
        where = [f"line {line}"] if line is not None else []
        where += [f"move {move}"] if move is not None else []
        place = ", ".join(where)
        super().__init__(f"{place[0].upper()}{place[1:]}: {words}" if place else words)
        self.line = line
        """From 1."""
        self.move = move
        """The number before it in the text: all seats make a ply of the same number."""


class SeatRecord(msgspec.Struct, frozen=True):
    """Who had a seat."""

    name: str
    kind: Kind = "person"
    rating: int | None = None
    """When the match began."""


class PlyRecord(msgspec.Struct, frozen=True):
    """A ply."""

    move: str
    """Its text by the rules; a pass that the server made for a seat that had no other ply is one too."""
    clock_ms: int | None = None
    """What the seat had left after it."""
    at_ms: int | None = None


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A match, over or not, with the plies that were not taken back."""

    format: Literal["millrace-match"] = "millrace-match"
    version: Literal[1] = 1
    id: str = ""
    """Where it was played."""
    game: str
    setup: str = ""
    seats: tuple[SeatRecord, ...]
    """By seat."""
    clock: ClockSettings | None = None
    rated: bool = False
    imported: bool = False
    started_ms: int | None = None
    ended_ms: int | None = None
    ranks: tuple[int, ...] | None = None
    """As in `Ended`; None without a result, and while it is played."""
    termination: str = ""
    """As `Ended.reason`; empty while it is played, or if nobody knows."""
    words: str = ""
    """The same for people."""
    void: bool = False
    """Whether a moderator has declared that the result does not count."""
    plies: tuple[PlyRecord, ...] = ()
