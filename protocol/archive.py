"""The archive: searching finished matches, comparing two players, importing matches."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .fields import (
    CommandId,
    CommandIdField,
    CountField,
    GameNameField,
    IdentityId,
    MatchId,
    Message,
    Part,
    PlayerNameField,
)
from .ratings import PastMatch
from .values import Player

ResultFilter: TypeAlias = Literal["won", "drawn", "lost", "decided", "none"]
"""How a match ended for the given player; `decided` is a match with a winner."""


class SearchMatches(Message, frozen=True):
    """Search finished matches; answered by `FoundMatches`, newest first."""

    id: CommandIdField
    player: PlayerNameField | None = None
    """The name of an account or of a built-in bot, or the id of a bot."""
    opponent: PlayerNameField | None = None
    """Another player of the match."""
    mine: bool = False
    """Whether to search your own matches, also as a guest; `player` then counts as `opponent`."""
    game: GameNameField | None = None
    result: ResultFilter | None = None
    rated: bool | None = None
    since_ms: CountField | None = None
    until_ms: CountField | None = None
    """The match ended at or after `since_ms` and before `until_ms`."""
    imported: bool = False
    """Whether to search the matches that you imported instead; other fields are then ignored."""
    cursor: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """`next` of the previous answer, to continue after it."""


class FoundMatches(Message, frozen=True):
    """Answers `SearchMatches`."""

    id: CommandId
    matches: tuple[PastMatch, ...]
    next: str
    """The value of `cursor` for the next page; empty on the last page."""


class GetCrosstable(Message, frozen=True):
    """Get the results of two players against each other; answered by `Crosstable`."""

    id: CommandIdField
    player: PlayerNameField | None
    """As in `SearchMatches`; None for yourself."""
    opponent: PlayerNameField


class GameScore(Part, frozen=True):
    """The results of two players against each other in one game, or of one player against all."""

    game: str
    won: int
    """Matches won by the first player; with three or four seats, matches in which that player came out ahead."""
    drawn: int
    lost: int


class Crosstable(Message, frozen=True):
    """Answers `GetCrosstable`."""

    id: CommandId
    players: tuple[Player, Player]
    scores: tuple[GameScore, ...]
    """The most played game first; empty if they have not met."""
    matches: tuple[PastMatch, ...]
    """Newest first."""


class GetBotRecords(Message, frozen=True):
    """Ask how you have fared against each of the server's bots in a game; answered by `BotRecords`."""

    id: CommandIdField
    game: GameNameField


class BotRecord(Part, frozen=True):
    """Your results against one of the server's bots; with three or four seats, how often you came out ahead of it."""

    bot: IdentityId
    won: int
    drawn: int
    lost: int


class BotRecords(Message, frozen=True):
    """Answers `GetBotRecords`."""

    id: CommandId
    game: str
    records: tuple[BotRecord, ...]
    """Of the bots that you have met."""


class ImportMatches(Message, frozen=True):
    """Import matches in the text or JSON format of the export.

    A long text is sent in parts: each but the last is answered by `Done`, the last by `MatchesImported`. A match that
    you imported before is not stored again.
    """

    id: CommandIdField
    upload: CommandIdField
    """The same for all parts of a text."""
    part: Annotated[int, msgspec.Meta(ge=0, le=63)]
    """Counted from 0, in order."""
    parts: Annotated[int, msgspec.Meta(ge=1, le=64)]
    text: Annotated[str, msgspec.Meta(max_length=8_000)]
    game: GameNameField | None = None
    """The game of matches that do not name one."""


class ImportedMatch(Part, frozen=True):
    """A match that was imported."""

    match: MatchId
    game: str
    players: tuple[str, ...]
    plies: int
    changes: tuple[str, ...] = ()
    """What the match says otherwise than the text, or not at all, as sentences."""


class MatchesImported(Message, frozen=True):
    """Answers the last part of `ImportMatches`."""

    id: CommandId
    matches: tuple[ImportedMatch, ...]
    """In the order of the text."""


ArchiveCommand: TypeAlias = SearchMatches | GetCrosstable | GetBotRecords
ArchiveAnswer: TypeAlias = FoundMatches | Crosstable | BotRecords | MatchesImported
