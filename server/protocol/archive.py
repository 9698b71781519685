"""Looking for matches that are over, comparing two players, and bringing matches along as text."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .fields import (
    CommandId,
    CommandIdField,
    CountField,
    GameNameField,
    MatchId,
    Message,
    Part,
    PlayerNameField,
)
from .ratings import PastMatch
from .values import Player

ResultWanted: TypeAlias = Literal["won", "drawn", "lost", "decided", "none"]
"""How a match ended for the player who is looked for, and `decided` for anybody: with a winner."""


class SearchMatches(Message, frozen=True):
    """Ask for matches that are over, the latest first; answered by `FoundMatches`."""

    id: CommandIdField
    player: PlayerNameField | None = None
    """The name of an account or of a bot of the house, or a bot's id."""
    opponent: PlayerNameField | None = None
    """Who played along."""
    mine: bool = False
    """Whether to look for one's own matches, a guest's too; `player` then counts as `opponent`."""
    game: GameNameField | None = None
    result: ResultWanted | None = None
    rated: bool | None = None
    since_ms: CountField | None = None
    until_ms: CountField | None = None
    """They ended at or after the one and before the other."""
    imported: bool = False
    """Whether to look instead for the matches that one has imported; nothing else then narrows the search."""
    cursor: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """`next` of the answer that came before, to go on behind it."""


class FoundMatches(Message, frozen=True):
    """Answers `SearchMatches`."""

    id: CommandId
    matches: tuple[PastMatch, ...]
    next: str
    """For `cursor`; empty if nothing follows."""


class GetCrosstable(Message, frozen=True):
    """Ask how two have done against each other; answered by `Crosstable`."""

    id: CommandIdField
    player: PlayerNameField | None
    """As in `SearchMatches`; None for oneself."""
    opponent: PlayerNameField


class GameScore(Part, frozen=True):
    """What two have reached against each other in matches of a game, or one against everybody."""

    game: str
    won: int
    """By the first of the two, or the one; among three or four seats whoever came before the other."""
    drawn: int
    lost: int


class Crosstable(Message, frozen=True):
    """Answers `GetCrosstable`."""

    id: CommandId
    players: tuple[Player, Player]
    scores: tuple[GameScore, ...]
    """That of the most matches first; nothing if they have not met."""
    matches: tuple[PastMatch, ...]
    """The latest first."""


class ImportMatches(Message, frozen=True):
    """Bring matches along as text, as the server exports them, or as JSON.

    What does not fit a frame comes in several: each but the last is answered by `Done`, the last by `MatchesImported`.
    A match that one has imported before is not stored again, but found.
    """

    id: CommandIdField
    upload: CommandIdField
    """The same in all parts of a text."""
    part: Annotated[int, msgspec.Meta(ge=0, le=63)]
    """From 0, in order."""
    parts: Annotated[int, msgspec.Meta(ge=1, le=64)]
    text: Annotated[str, msgspec.Meta(max_length=8_000)]
    game: GameNameField | None = None
    """What is played where the text does not say."""


class ImportedMatch(Part, frozen=True):
    """A match that was imported."""

    match: MatchId
    game: str
    players: tuple[str, ...]
    plies: int


class MatchesImported(Message, frozen=True):
    """Answers the last part of `ImportMatches`."""

    id: CommandId
    matches: tuple[ImportedMatch, ...]
    """In the order of the text."""


ArchiveCommand: TypeAlias = SearchMatches | GetCrosstable
ArchiveAnswer: TypeAlias = FoundMatches | Crosstable | MatchesImported
