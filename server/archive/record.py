"""A match as a record for export and import: the JSON format. `server.archive.record_text` is the text format.

```
RecordError(ValueError)    a text that cannot be read as matches, or a match that breaks the rules
```
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from millrace.protocol import ClockSettings

MAX_PLIES = 4_000
"""Maximum plies of an import."""
MAX_COMMENT_LENGTH = 4_000
MAX_VARIATIONS_LENGTH = 8_000
"""Maximum characters of a comment, and of the variations of a ply."""
MAX_GLYPHS = 8

Kind = Literal["person", "guest", "bot"]
Rating = Annotated[int, msgspec.Meta(ge=0, le=9999)]
ClockTime = Annotated[int, msgspec.Meta(ge=0, lt=3_600_000_000_000)]
"""In milliseconds; text has six digits for hours."""
Time = Annotated[int, msgspec.Meta(ge=-62_135_596_800_000, lt=253_402_300_800_000)]
"""In milliseconds since 1970: the years 1 to 9999."""


class RecordError(ValueError):
    """A text cannot be read; the message says where and why."""

    def __init__(self, problem: str, line: int | None = None, move: int | None = None, word: str = "") -> None:
        where = [f"line {line}"] if line is not None else []
        where += [f"move {move}"] if move is not None else []
        # A word that the problem does not quote had another spelling.
        where += [repr(word)] if word and word not in problem else []
        place = ", ".join(where)
        super().__init__(f"{place[0].upper()}{place[1:]}: {problem}" if place else problem)
        self.line = line
        """Counted from 1."""
        self.move = move
        """The move number in the text, shared by the plies of all seats in a round."""


class SeatRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player of a seat."""

    name: str
    kind: Kind = "person"
    rating: Rating | None = None
    """The rating when the match started."""


class Note(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A record's remarks on a ply."""

    comment: str = ""
    glyphs: tuple[int, ...] = ()
    """Judgements of the ply, as numbers in PGN: 1 is a good move, 2 a mistake."""
    variations: tuple[str, ...] = ()
    """Alternatives to the ply, as text: moves, comments and glyphs."""


NO_NOTE = Note()


class PlyRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ply."""

    move: str
    """The move text; forced passes are included."""
    clock_ms: ClockTime | None = None
    """The seat's clock after the move."""
    at_ms: Time | None = None
    note: Note | msgspec.UnsetType = msgspec.UNSET
    """Absent for a ply without comments, glyphs and variations."""


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match, finished or not, without moves that were taken back."""

    format: Literal["millrace-match"] = "millrace-match"
    version: Literal[1] = 1
    id: str = ""
    """The id of the match where it was played."""
    game: str
    setup: str = ""
    seats: tuple[SeatRecord, ...]
    """By seat."""
    clock: ClockSettings | None = None
    rated: bool = False
    imported: bool = False
    started_ms: Time | None = None
    """Only precise to the day if `tags` has a `Date`."""
    ended_ms: Time | None = None
    ranks: tuple[int, ...] | None = None
    """As in `Ended`; None without a result, and while the match is in progress."""
    termination: str = ""
    """As `Ended.reason`; empty while the match is in progress, or if unknown."""
    explanation: str = ""
    """Why the match ended, as a sentence."""
    void: bool = False
    """Whether a moderator voided the result."""
    plies: tuple[PlyRecord, ...] = ()
    comment: str | msgspec.UnsetType = msgspec.UNSET
    """The comment before the first ply; absent if there is none."""
    tags: Mapping[str, str] | msgspec.UnsetType = msgspec.UNSET
    """Other tags of an imported match, as in PGN, those that say something else than the fields above, and the clocks
    of seats that began with another time than `clock`, such as `WhiteTimeControl`; absent if there are none."""
