"""Puzzles: positions with one solution, solved move by move, and the ratings of their solvers."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec

from .analysis import Line
from .fields import CommandId, CommandIdField, Message, MoveTextField, Part, Wording

MAX_SOLUTION_PLIES = 32

PuzzleIdField = Annotated[str, msgspec.Meta(max_length=32, pattern=r"^[!-~]*$")]
ThemeField = Annotated[str, msgspec.Meta(max_length=32, pattern=r"^[!-~]*$")]
GameOrAnyField = Annotated[str, msgspec.Meta(max_length=32)]


class PuzzleMode(StrEnum):
    """How puzzles are solved."""

    RATED = "rated"
    """One after another, near your rating; the first attempt at each changes it."""
    DAILY = "daily"
    """The puzzle of the day, the same for everyone; rated as well."""
    STREAK = "streak"
    """Increasingly difficult until the first mistake; not rated."""


class GetPuzzle(Message, frozen=True):
    """Get a puzzle to solve; answered by `PuzzlePosed`."""

    id: CommandIdField
    game: GameOrAnyField = ""
    """Unused for the puzzle of the day."""
    mode: PuzzleMode = PuzzleMode.RATED
    theme: ThemeField = ""
    """Only puzzles of this theme; empty for any."""
    puzzle: PuzzleIdField = ""
    """The id of a puzzle to see again; empty for a new one."""


class TryPuzzle(Message, frozen=True):
    """Try a move of a puzzle; answered by `PuzzleTried`."""

    id: CommandIdField
    game: GameOrAnyField
    puzzle: PuzzleIdField
    moves: Annotated[tuple[MoveTextField, ...], msgspec.Meta(min_length=1, max_length=MAX_SOLUTION_PLIES)]
    """The moves of both sides so far, ending with yours. Move texts, or clicks separated by single spaces."""
    mode: PuzzleMode = PuzzleMode.RATED


class GiveUpPuzzle(Message, frozen=True):
    """See the solution of a puzzle, which then counts as not solved; answered by `PuzzleTried`."""

    id: CommandIdField
    game: GameOrAnyField
    puzzle: PuzzleIdField
    mode: PuzzleMode = PuzzleMode.RATED


class GetPuzzleHistory(Message, frozen=True):
    """Get your puzzle rating and the puzzles that you have tried; answered by `PuzzleHistory`."""

    id: CommandIdField
    game: GameOrAnyField


class PuzzleTheme(Part, frozen=True):
    """What puzzles are about."""

    code: str
    title: str
    puzzles: int
    """The number of puzzles with this theme in the game; 0 if not counted."""
    tried: int = 0
    """How many of them you have tried; 0 if not counted."""
    solved: int = 0
    """How many of them you solved at the first attempt. Their share of `puzzles` is your mastery of the theme."""


class PuzzleStanding(Part, frozen=True):
    """Your results with the puzzles of a game."""

    rating: int
    deviation: int
    provisional: bool
    attempts: int
    """Puzzles that you have tried."""
    solved: int
    """Puzzles that you solved at the first attempt."""
    streak: int
    """Puzzles solved in a row in the streak mode so far."""
    best_streak: int


class PuzzlePosed(Message, frozen=True):
    """Answers `GetPuzzle`."""

    id: CommandId
    game: str
    puzzle: str
    """Its id."""
    mode: PuzzleMode
    line: Line
    """The position, for `Explore`."""
    seat: int
    """The seat to move, which you play."""
    task: str
    """The task, as a sentence."""
    wording: Wording
    """The same for clients that translate it; its value `moves` is the number of your moves."""
    moves: int
    """The number of your moves in the solution."""
    rating: int
    tried: bool
    """Whether you have tried it before; then it does not count again."""
    you: PuzzleStanding
    day: str = ""
    """The date of the puzzle of the day, as YYYY-MM-DD."""
    about_territory: bool = False
    """Whether the task is about territory, which the board should show."""


class PuzzleTried(Message, frozen=True):
    """Answers `TryPuzzle` and `GiveUpPuzzle`."""

    id: CommandId
    puzzle: str
    right: bool
    """Whether the move belongs to the solution."""
    solved: bool
    """Whether it was the last one."""
    reply: str
    """The opponent's answer to a right move, or the best one to a wrong move; empty if there is none."""
    solution: tuple[str, ...]
    """The whole solution, after you solved the puzzle or tried a wrong move; until then empty."""
    themes: tuple[PuzzleTheme, ...]
    """The puzzle's themes, sent with the solution."""
    counted: bool
    """Whether this attempt was the first one, and is over."""
    change: int
    """The change of your rating; 0 for none."""
    you: PuzzleStanding
    why: str = ""
    """Why a wrong move fails, as a sentence."""
    wording: Wording | None = None
    """The same for clients that translate it."""


class PuzzleAttempt(Part, frozen=True):
    """The first attempt at a puzzle."""

    puzzle: str
    mode: PuzzleMode
    solved: bool
    at_ms: int
    rating: int
    """Your rating afterwards."""


class PuzzleHistory(Message, frozen=True):
    """Answers `GetPuzzleHistory`."""

    id: CommandId
    game: str
    you: PuzzleStanding
    attempts: tuple[PuzzleAttempt, ...]
    """The latest first."""
    themes: tuple[PuzzleTheme, ...]
    """The themes of the game's puzzles."""


PuzzleCommand: TypeAlias = GetPuzzle | TryPuzzle | GiveUpPuzzle | GetPuzzleHistory
PuzzleAnswer: TypeAlias = PuzzlePosed | PuzzleTried | PuzzleHistory
