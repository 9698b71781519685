"""Storms: as many puzzles as possible in three minutes, with more time for moves that are right in a row."""

from typing import Annotated, TypeAlias

import msgspec

from .analysis import Line
from .fields import CommandId, CommandIdField, Message, MoveTextField, Part, Wording
from .puzzles import MAX_SOLUTION_PLIES

StormGameField = Annotated[str, msgspec.Meta(max_length=32)]


class StartStorm(Message, frozen=True):
    """Start a storm, which ends one that is still running; answered by `StormBegun`."""

    id: CommandIdField
    game: StormGameField


class PlayStorm(Message, frozen=True):
    """Play a move in the present puzzle of your storm; answered by `StormPlayed`."""

    id: CommandIdField
    game: StormGameField
    number: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    """The puzzle's number."""
    moves: Annotated[tuple[MoveTextField, ...], msgspec.Meta(min_length=1, max_length=MAX_SOLUTION_PLIES)]
    """The moves of both sides so far, ending with yours. Move texts, or clicks separated by single spaces."""


class StormPuzzle(Part, frozen=True):
    """A puzzle of a storm."""

    number: int
    """Its number in the storm, from 1."""
    puzzle: str
    """Its id."""
    line: Line
    """The position, for `Explore`."""
    seat: int
    """The seat to move, which you play."""
    task: str
    """The task, as a sentence."""
    wording: Wording
    """The same for clients that translate it, as in `PuzzlePosed`."""
    about_territory: bool


class StormStanding(Part, frozen=True):
    """A player's storm in a game, and the best ones."""

    score: int
    """Puzzles solved."""
    combo: int
    """Moves that were right in a row."""
    best_today: int
    """The best score of the present day (UTC)."""
    best: int


class StormBegun(Message, frozen=True):
    """Answers `StartStorm`."""

    id: CommandId
    game: str
    left_ms: int
    """The time."""
    puzzles: tuple[StormPuzzle, ...]
    """The first puzzle, and the one after it."""
    you: StormStanding


class StormPlayed(Message, frozen=True):
    """Answers `PlayStorm`."""

    id: CommandId
    game: str
    right: bool
    """Whether the move belongs to the solution."""
    over: bool
    """Whether the time was up before the move, which then does not count."""
    reply: str
    """The opponent's answer to a right move; empty if the puzzle is solved."""
    change_ms: int
    """How much time the move won; negative if it cost time."""
    left_ms: int
    next: StormPuzzle | None
    """After the last move of a puzzle, the one after the next, which is known already."""
    you: StormStanding


StormCommand: TypeAlias = StartStorm | PlayStorm
StormAnswer: TypeAlias = StormBegun | StormPlayed
