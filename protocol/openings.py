"""Openings: statistics from the archive and the opening book about a position, and openings with a name."""

from typing import TypeAlias

from .analysis import Line
from .fields import CommandId, CommandIdField, GameNameField, MatchId, Message, Part
from .ratings import PastMatch


class ExploreOpening(Message, frozen=True):
    """Get statistics about the end of a line; answered by `OpeningExplored`."""

    id: CommandIdField
    line: Line
    people: bool = False
    """Whether to count only matches without bots."""


class OpeningMove(Part, frozen=True):
    """A move played in matches or in the book, from the view of the seat that plays it."""

    move: str
    alike: tuple[str, ...]
    """Other moves that are symmetric to it in this position; they are counted with it."""
    clicks: tuple[str, ...]
    won: int
    drawn: int
    lost: int
    """The matches in the archive by result. With three or four seats, `won` shares the first place with some others at
    most, `drawn` with all.
    """
    latest: MatchId | None
    """The latest of these matches."""
    book_matches: int
    """The engine's matches against itself from which the book was made."""
    book_score: float | None
    """The share of their points, 0 to 1; None without any."""
    expectation: float | None
    """The chance to win according to the book's long search, a draw counting half, 0 to 1; None if it was not
    searched.
    """
    opening: str
    """The name of the opening that the move leads to, if it has its own."""


class OpeningExplored(Message, frozen=True):
    """Answers `ExploreOpening`."""

    id: CommandId
    to_move: int | None
    """None if play is over."""
    opening: str
    """The name of the opening, perhaps reached some moves ago; empty for none."""
    moves: tuple[OpeningMove, ...]
    """The most played first."""
    matches: tuple[PastMatch, ...]
    """The latest matches of the first moves."""


class GetOpenings(Message, frozen=True):
    """Get the named openings of a game; answered by `Openings`."""

    id: CommandIdField
    game: GameNameField


class Opening(Part, frozen=True):
    """A named opening."""

    name: str
    moves: tuple[str, ...]
    """From the standard start."""
    position: str
    """Text that `Create` and `Line` take as a set-up."""
    to_move: int


class Openings(Message, frozen=True):
    """Answers `GetOpenings`."""

    id: CommandId
    openings: tuple[Opening, ...]


OpeningCommand: TypeAlias = ExploreOpening | GetOpenings
OpeningAnswer: TypeAlias = OpeningExplored | Openings
