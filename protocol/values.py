"""The parts of messages: clocks, seats, boards and their changes, and entries of lists."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from .fields import GameNameField, IdentityId, LevelField, MatchId, Part

NOBODY = -1
"""The seat of a cell that is empty, or that nobody holds."""


class ClockSettings(Part, frozen=True):
    """The time that each seat has, and the time limit of the match.

    A clock has at most one of increment, delay, renewal and periods (byo-yomi).
    """

    initial_ms: Annotated[int, msgspec.Meta(ge=0, le=14 * 86_400_000)]
    """The time that each seat begins with: at least a second, except with periods; at most a day, except with
    `renews`."""
    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)] = 0
    match_limit_ms: Annotated[int, msgspec.Meta(ge=1_000, le=86_400_000)] | None = None
    """The time after which the match is judged as it stands, in games whose rules allow it. None for no limit."""
    delay_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 0
    """The part of each ply that does not count."""
    renews: bool = False
    """Correspondence: each ply restores the initial time, which is 1 to 14 days."""
    periods: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """Byo-yomi: how many periods follow the initial time. A ply that ends within a period restores it; a period that
    is used up is lost, and with the last one the match."""
    period_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)] = 0
    """The length of each period: at least a second, or 0 without periods."""


class SeatPlan(Part, frozen=True):
    """Who gets a seat of a new match: the creator, anyone, or a bot."""

    occupant: Literal["me", "open", "bot"]
    level: LevelField | None = None
    """The bot's level: 1 to 8, `easy`, `medium`, `hard` or the name of a personality. Required with `bot`."""


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
    """A kind of match, which has ratings of its own."""

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
    """Whether it is a bot account, with which a program plays. The server's own bots have a `level` instead."""


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
    """Cells to light up because of what a move achieved there, such as a mill that it closed."""

    text: str
    """What the player did, to follow the name or "You": `closed a mill`."""
    cells: tuple[int, ...]
    """The indices of the cells, along a line if they form one."""


class Tally(Part, frozen=True):
    """Something that the game counts for each seat."""

    name: str
    """What is counted, to stand before the number: `Cells`."""
    counts: tuple[int, ...]
    """By seat."""


class View(Part, frozen=True):
    """How an event changes what a client draws."""

    changes: tuple[Change, ...]
    reserves: tuple[int, ...]
    """The pieces that each seat still has to place, after the event."""
    territory: tuple[int, ...] | None = None
    """With `Ended`, if territory was counted: the seat that holds each cell, by index, or -1."""
    board: Board | None = None
    """The board to draw from this event on, if it is a new one. Only `changes` lie on it."""
    ground: tuple[int, ...] | None = None
    """While the players lay the board: the indices of the cells that are laid. None if all are."""
    highlights: tuple[Highlight, ...] = ()
    """What the last move achieved, to be lit up."""
    tallies: tuple[Tally, ...] = ()
    """What the game counts for each seat, after the event."""


class StartInfo(Part, frozen=True):
    """A start that a game offers by name, besides the standard one."""

    title: str
    setup: str
    """The text for `Create`. In place of `{seed}`, the client inserts a number of at most nine digits."""
    seats: int


class PersonalityInfo(Part, frozen=True):
    """A bot with a style of its own."""

    name: str
    """For `SeatPlan.level`."""
    title: str
    description: str
    """One line, which continues the title."""
    level: int
    """The level that is closest in strength."""


class EditorInfo(Part, frozen=True):
    """What can be set up by hand in positions of a game (`Compose`)."""

    largest_pile: int
    """The most pieces on a cell."""
    largest_reserve: int
    """The most pieces that a seat can still have to place; 0 if that follows from the board."""


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
    """Whether `GetLesson` has rules and a lesson of it."""
    description: str = ""
    """What players do in it, as one sentence for newcomers."""
    showcase: str = ""
    """The set-up text of a typical position, for a picture of the game (`Preview`)."""
    level_descriptions: tuple[str, ...] = ()
    """One line about the bot of each level, from the lowest."""
    level_names: Mapping[str, int] = {}
    """The levels that have a name, by it: `easy`, `medium` and `hard`."""
    puzzles: int = 0
    """The number of its puzzles."""
    editor: EditorInfo | None = None
    """What can be set up by hand; None if positions are only set up as text."""


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
