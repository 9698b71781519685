"""A player's own mistakes in reviewed matches, to be solved like puzzles."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec

from .analysis import Judgement, Line
from .fields import CommandId, CommandIdField, CountField, MatchId, MatchIdField, Message, Part

MistakeGameField = Annotated[str, msgspec.Meta(max_length=32)]


class GetMistake(Message, frozen=True):
    """Get the oldest of your mistakes that is due; answered by `MistakePosed`. Only for accounts."""

    id: CommandIdField
    game: MistakeGameField


class TryMistake(Message, frozen=True):
    """Play another move than your mistake; answered by `MistakeTried`. Only for accounts."""

    id: CommandIdField
    game: MistakeGameField
    match: MatchIdField
    ply: CountField
    """The number of plies before the mistake."""
    move: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """A move text, or clicks separated by single spaces; empty to be shown the better move."""


class Mistake(Part, frozen=True):
    """A big mistake of a player, according to the review of the match."""

    match: MatchId
    ply: int
    """The number of plies before it."""
    line: Line
    """The position before it, for `Explore`."""
    seat: int
    move: str
    """What was played."""
    judgement: Judgement
    loss: float
    """How much lower the chance to win was than after the best move, 0 to 1."""


class MistakePosed(Message, frozen=True):
    """Answers `GetMistake`."""

    id: CommandId
    game: str
    left: int
    """How many of your mistakes are due."""
    mistake: Mistake | None
    """None if none is."""


class MistakeVerdict(StrEnum):
    """What a review says about a move."""

    BEST = "best"
    REPEATED = "repeated"
    """It is the mistake itself."""
    UNKNOWN = "unknown"
    """The review has not judged it; then nothing is counted."""
    SHOWN = "shown"
    """No move was played."""


class MistakeTried(Message, frozen=True):
    """Answers `TryMistake`."""

    id: CommandId
    game: str
    verdict: MistakeVerdict
    best: tuple[str, ...]
    """The better move and its continuation; empty unless it was found or shown."""
    left: int


MistakeCommand: TypeAlias = GetMistake | TryMistake
MistakeAnswer: TypeAlias = MistakePosed | MistakeTried
