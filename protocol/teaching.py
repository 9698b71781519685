"""Teaching: the rules of a game in short, its lesson, and explanations of the latest move of a match."""

from collections.abc import Mapping
from typing import TypeAlias

from .analysis import Line
from .fields import CommandId, CommandIdField, GameNameField, MatchId, MatchIdField, Message, Part


class GetLesson(Message, frozen=True):
    """Get a game's lesson and rules; answered by `Lesson`."""

    id: CommandIdField
    game: GameNameField


class GetRemarks(Message, frozen=True):
    """Ask for an explanation of the latest move in a match that you play; answered by `Remarks`."""

    id: CommandIdField
    match: MatchIdField


class Rule(Part, frozen=True):
    """A paragraph of a game's rules in short."""

    title: str
    text: str


class LessonStep(Part, frozen=True):
    """A position in which the reader must find a move; `Explore` has its board and legal moves."""

    title: str
    text: str
    """The explanation and the task."""
    line: Line
    accepted: tuple[str, ...]
    """The texts of the correct moves."""
    right: str
    """The answer to an accepted move."""
    wrong: str
    """The answer to any other move; empty if every move is right."""
    reply: str = ""
    """The text of the opponent's move after an accepted one; empty for none."""


class Lesson(Message, frozen=True):
    """Answers `GetLesson`."""

    id: CommandId
    game: str
    rules: tuple[Rule, ...]
    """The rules on one screen; empty if the game has none."""
    steps: tuple[LessonStep, ...]
    """The lesson; empty if the game has none."""


class Remark(Part, frozen=True):
    """An explanation for a newcomer."""

    code: str
    """Its subject, a code of the game."""
    text: str
    message: str = ""
    """The text before `Remarks.names` were inserted, for clients that translate it."""
    values: Mapping[str, str | int] = {}
    """Its values besides the names."""


class Remarks(Message, frozen=True):
    """Answers `GetRemarks`."""

    id: CommandId
    match: MatchId
    ply: int
    """The number of plies made."""
    remarks: tuple[Remark, ...]
    """About the latest move, and about your turn if you are to move."""
    taking: str
    """The text to show while only the captured piece is missing from a move; empty if there is no such step."""
    taking_message: str
    """That text before the names were inserted; its `{next}` is the seat after the one to move."""
    names: Mapping[str, str]
    """The names of the seats in the texts: `mover` moved, `next` moves next, `after` moves after that."""
    is_newcomer: bool
    """Whether you have never finished a match of this game."""


TeachingCommand: TypeAlias = GetLesson | GetRemarks
TeachingAnswer: TypeAlias = Lesson | Remarks
