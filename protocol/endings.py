"""Endings to practise: solved positions, played against the most stubborn defence and judged by the tables."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec

from .analysis import Line
from .fields import CommandId, CommandIdField, Message, MoveTextField, Part

MAX_ENDING_PLIES = 400

EndingGameField = Annotated[str, msgspec.Meta(max_length=32)]


class EndingGoal(StrEnum):
    """What is to be done with an ending."""

    ANY = "any"
    """Either of the others."""
    WIN = "win"
    """Win it."""
    DRAW = "draw"
    """Hold the draw for a number of moves."""


class GetEnding(Message, frozen=True):
    """Get an ending to play; answered by `EndingPosed`."""

    id: CommandIdField
    game: EndingGameField
    goal: EndingGoal = EndingGoal.ANY
    fresh: bool = False
    """Whether to draw a new one although the last one is not over."""


class PlayEnding(Message, frozen=True):
    """Play a move of your ending; answered by `EndingPlayed`."""

    id: CommandIdField
    game: EndingGameField
    ply: Annotated[int, msgspec.Meta(ge=0, le=MAX_ENDING_PLIES)]
    """The number of moves before it, of both sides."""
    move: MoveTextField
    """A move text, or clicks separated by single spaces."""


class EndingStanding(Part, frozen=True):
    """Your results with the endings of a game."""

    rating: int
    deviation: int
    provisional: bool
    attempts: int
    """Endings that are over for you: with the task done, or with a mistake."""
    solved: int
    """Endings without a mistake."""


class EndingPosed(Message, frozen=True):
    """Answers `GetEnding`."""

    id: CommandId
    game: str
    goal: EndingGoal
    line: Line
    """The position and the moves played so far, for `Explore`."""
    seat: int
    """The seat that you play."""
    moves: int | None
    """From the position on: your moves to the win with best play, or those for which you hold the draw."""
    mistakes: float
    """The share of the legal moves in the position that throw the result away, from 0 to 1."""
    rating: int
    counted: bool
    """Whether it has been counted, after a mistake."""
    you: EndingStanding


class EndingPlayed(Message, frozen=True):
    """Answers `PlayEnding`."""

    id: CommandId
    game: str
    move: str
    """The text of your move."""
    kept: bool
    """Whether it keeps the result. If not, it is not part of the line, and you may try again."""
    reached: int
    """Your best result after it: 1 for a win, 0 for a draw, -1 for a loss."""
    reply: str
    """The answer of the defence; empty if there is none."""
    keeping: tuple[str, ...]
    """After a mistake the moves that would have kept the result, the quickest wins first."""
    solved: bool
    """Whether the task is done."""
    moves: int | None
    """Your moves that are left: to the win with best play of both sides, or for which you hold the draw."""
    counted: bool
    """Whether this answer changed your results."""
    change: int
    """The change of your rating; 0 for none."""
    you: EndingStanding


EndingCommand: TypeAlias = GetEnding | PlayEnding
EndingAnswer: TypeAlias = EndingPosed | EndingPlayed
