"""The parts of messages: clocks, seats, boards and their changes, and entries of lists."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from .fields import GameNameField, IdentityId, LevelField, MatchId, Part

NOBODY = -1
"""The seat of a cell that is empty or held by nobody."""


class ClockSettings(Part, frozen=True):
    """The time that each seat has, and the time limit of the match.

    A clock has at most one of increment, delay, renewal and periods (byo-yomi).
    """

    initial_ms: Annotated[int, msgspec.Meta(ge=0, le=14 * 86_400_000)]
    """The initial time of each seat: at least a second, except with periods; at most a day, except with `renews`."""
    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)] = 0
    match_limit_ms: Annotated[int, msgspec.Meta(ge=1_000, le=86_400_000)] | None = None
    """The time after which the match ends and the position decides, in games whose rules allow it. None for no
    limit.
    """
    delay_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 0
    """The part of each ply that does not count."""
    renews: bool = False
    """Correspondence: each ply restores the initial time, which is 1 to 14 days."""
    periods: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """Byo-yomi: the number of periods after the initial time. A ply that ends within a period restores it; a used-up
    period is lost, and with the last one the match."""
    period_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)] = 0
    """The length of each period: at least a second, or 0 without periods."""


class SeatPlan(Part, frozen=True):
    """The occupant of a seat in a new match: the creator, anyone, or a bot."""

    occupant: Literal["me", "open", "bot"]
    level: LevelField | None = None
    """The bot's level: 1 to 8, `easy`, `medium`, `hard` or the name of a personality. Required with `bot`."""
    initial_ms: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] | None = None
    """The initial time of this occupant, if it differs from the clock's: time odds, in casual matches only."""


class RatingRange(Part, frozen=True):
    """The ratings of players who may take a seat, including both bounds."""

    least: Annotated[int, msgspec.Meta(ge=0, le=5000)]
    most: Annotated[int, msgspec.Meta(ge=0, le=5000)]


class Speed(StrEnum):
    """How fast a match is, by its clock."""

    BULLET = "bullet"
    BLITZ = "blitz"
    RAPID = "rapid"
    CLASSICAL = "classical"
    CORRESPONDENCE = "correspondence"
    UNTIMED = "untimed"


class RatingKind(Part, frozen=True):
    """A kind of match with its own ratings."""

    game: GameNameField
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)]
    speed: Speed


class SeatRating(Part, frozen=True):
    """A player's rating when they took the seat."""

    rating: int
    provisional: bool = False
    """Whether the rating is still uncertain."""


class RatingChange(Part, frozen=True):
    """How a match changed a player's rating."""

    before: int
    after: int
    provisional: bool = False
    """Whether the rating is still uncertain."""


class Player(Part, frozen=True):
    """A player, as everyone sees them."""

    id: IdentityId
    name: str
    level: int | None = None
    """The level of one of the server's bots; for a personality, the closest one. None for people and bot accounts."""
    registered: bool = False
    """Whether the player has an account. The server invents the names of guests."""
    bot: bool = False
    """Whether it is a bot account, used by a program. The server's own bots have a `level` instead."""


class Cell(Part, frozen=True, array_like=True):
    """A cell of the board: its name and its centre, in units of the distance between neighbours, y downwards."""

    name: str
    x: float
    y: float


class Board(Part, frozen=True):
    """The board that a client draws, without pieces."""

    shape: Literal["points", "squares", "hexes"]
    cells: tuple[Cell, ...]
    lines: tuple[tuple[int, int], ...]
    """The drawn lines, as pairs of indices into `cells`."""


class Change(Part, frozen=True, array_like=True):
    """The new content of a cell: `size` pieces of a seat. An empty cell has seat -1 and size 0."""

    cell: str
    seat: int
    size: int


class Highlight(Part, frozen=True):
    """Cells to light up because a move achieved something there, such as closing a mill."""

    text: str
    """The achievement, to follow the name or "You": `closed a mill`."""
    cells: tuple[int, ...]
    """The indices of the cells, along a line if they form one."""


class Tally(Part, frozen=True):
    """A number that the game counts for each seat."""

    name: str
    """A label for the number: `Cells`."""
    counts: tuple[int, ...]
    """By seat."""


class View(Part, frozen=True):
    """How an event changes what a client draws."""

    changes: tuple[Change, ...]
    reserves: tuple[int, ...]
    """The pieces that each seat has still to place, after the event."""
    territory: tuple[int, ...] | None = None
    """With `Ended`, if territory was counted: the seat that holds each cell, by index, or -1."""
    board: Board | None = None
    """The board to draw from this event on, if it is a new one, with only `changes` on it."""
    ground: tuple[int, ...] | None = None
    """While the players lay the board: the indices of the laid cells. None if all are laid."""
    highlights: tuple[Highlight, ...] = ()
    """Achievements of the last move, to light up."""
    tallies: tuple[Tally, ...] = ()
    """The game's counts for each seat, after the event."""


class StartInfo(Part, frozen=True):
    """A named start offered by a game, besides the standard one."""

    title: str
    setup: str
    """The text for `Create`. In place of `{seed}`, the client inserts a number of at most nine digits."""
    seats: int


class PersonalityInfo(Part, frozen=True):
    """A bot with a personal style."""

    name: str
    """The name for `SeatPlan.level`."""
    title: str
    description: str
    """One line to follow the title."""
    level: int
    """The level closest in strength."""


class EditorInfo(Part, frozen=True):
    """What can be set up by hand in a game's positions (`Compose`)."""

    largest_pile: int
    """Maximum number of pieces on a cell."""
    largest_reserve: int
    """Maximum number of pieces that a seat can still have to place; 0 if that follows from the board."""


class GameInfo(Part, frozen=True):
    """A game that this server offers."""

    name: str
    title: str
    seats: tuple[int, ...]
    seat_names: tuple[str, ...]
    levels: int
    """The highest level of bots; the lowest is 1."""
    starts: tuple[StartInfo, ...] = ()
    has_match_limit: bool = False
    """Whether a match may have a time limit (`ClockSettings.match_limit_ms`)."""
    personalities: tuple[PersonalityInfo, ...] = ()
    has_lesson: bool = False
    """Whether `GetLesson` has rules and a lesson."""
    description: str = ""
    """The players' goal, in one sentence for newcomers."""
    showcase: str = ""
    """The set-up text of a typical position, for a picture of the game (`Preview`)."""
    level_descriptions: tuple[str, ...] = ()
    """One line about the bot of each level, from the lowest."""
    level_names: Mapping[str, int] = {}
    """The levels with a name: `easy`, `medium` and `hard`."""
    puzzles: int = 0
    """The number of its puzzles."""
    editor: EditorInfo | None = None
    """What can be set up by hand; None if positions are set up only as text."""
    has_endings: bool = False
    """Whether endings are solved, for `GetEnding`."""


class MatchSummary(Part, frozen=True):
    """An entry of the list of live matches."""

    match: MatchId
    game: str
    players: tuple[str, ...]
    plies: int
    spectators: int
    clock: ClockSettings | None
    bots: tuple[int, ...] = ()
    """The seats that bot accounts hold."""
    ratings: tuple[SeatRating | None, ...] = ()
    """By seat, in matches of this kind; None for guests, who have no ratings."""
    speed: Speed = Speed.UNTIMED
    rated: bool = False
    exhibition: bool = False
    """Whether the server's bots play it because there was nothing else to watch."""
