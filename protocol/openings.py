"""Openings: what the archive and the opening book know about a position, and the openings that have a name."""

from typing import TypeAlias

from .analysis import Line
from .fields import CommandId, CommandIdField, GameNameField, MatchId, Message, Part
from .ratings import PastMatch


class ExploreOpening(Message, frozen=True):
    """Get what is known about the end of a line; answered by `OpeningExplored`."""

    id: CommandIdField
    line: Line
    people: bool = False
    """Whether to count only the matches in which no bot played."""


class OpeningMove(Part, frozen=True):
    """A move that matches or the book have tried, from the view of the seat that plays it."""

    move: str
    alike: tuple[str, ...]
    """The other moves that a symmetry of the position maps to it; they are counted with it."""
    clicks: tuple[str, ...]
    won: int
    drawn: int
    lost: int
    """The matches in the archive by result; with three or four seats, `won` shares the first place with some others
    at most, `drawn` with all."""
    latest: MatchId | None
    """The latest of these matches."""
    book_matches: int
    """The matches of the engine against itself, from which the book was made."""
    book_score: float | None
    """The share of their points, 0 to 1; None without any."""
    expectation: float | None
    """The chance to win by the book's long search, a draw counting half, 0 to 1; None if it was not searched."""
    opening: str
    """The name of the opening that the move leads to, if it has one of its own."""


class OpeningExplored(Message, frozen=True):
    """Answers `ExploreOpening`."""

    id: CommandId
    to_move: int | None
    """None if play is over."""
    opening: str
    """The name of the opening, which may have been reached some moves ago; empty for none."""
    moves: tuple[OpeningMove, ...]
    """The most played first."""
    matches: tuple[PastMatch, ...]
    """The latest matches of the first moves."""


class GetOpenings(Message, frozen=True):
    """Get the openings of a game that have a name; answered by `Openings`."""

    id: CommandIdField
    game: GameNameField


class Opening(Part, frozen=True):
    """An opening that has a name."""

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
