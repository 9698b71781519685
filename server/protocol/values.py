"""What messages hold: clocks, seats, boards and how they change, and lines of lists."""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from .fields import GameNameField, IdentityId, LevelField, MatchId, Part

NOBODY = -1
"""The seat of a cell on which nothing lies, or which nobody holds."""


class ClockSettings(Part, frozen=True):
    """A seat's time: what it starts with, and what each of its plies adds; and the time of the whole match.

    Of increment, delay and renewal at most one (`server.matches.clock.find_fault`).
    """

    initial_ms: Annotated[int, msgspec.Meta(ge=1_000, le=14 * 86_400_000)]
    """At most a day, but for one that is renewed."""
    increment_ms: Annotated[int, msgspec.Meta(ge=0, le=600_000)] = 0
    match_limit_ms: Annotated[int, msgspec.Meta(ge=1_000, le=86_400_000)] | None = None
    """So long after its start the match is ended and judged as it stands, in games whose rules say how; None: never."""
    delay_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 0
    """So much of each ply does not count."""
    renews: bool = False
    """Correspondence: each ply gives the seat its whole initial time anew, which is 1 to 14 days."""


class SeatPlan(Part, frozen=True):
    """Who is to have a seat of a new match: its creator, whoever comes, or a bot of a level."""

    occupant: Literal["me", "open", "bot"]
    level: LevelField | None = None
    """Of a bot: 1 to 8, `easy`, `medium`, `hard` or the name of a personality; only with `bot`, and then needed."""


class RatingRange(Part, frozen=True):
    """Whose ratings a seek is for, both bounds included."""

    least: Annotated[int, msgspec.Meta(ge=0, le=5000)]
    most: Annotated[int, msgspec.Meta(ge=0, le=5000)]


class Speed(StrEnum):
    """How fast a match is, by its clock (`server.matches.speed`)."""

    BULLET = "bullet"
    BLITZ = "blitz"
    RAPID = "rapid"
    CLASSICAL = "classical"
    CORRESPONDENCE = "correspondence"
    UNTIMED = "untimed"


class RatingKind(Part, frozen=True):
    """The matches that have a rating of their own."""

    game: GameNameField
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)]
    speed: Speed


class SeatRating(Part, frozen=True):
    """What somebody's rating was when the seat was taken."""

    rating: int
    provisional: bool = False
    """Whether it is still too uncertain to say much."""


class RatingChange(Part, frozen=True):
    """What a match has done to somebody's rating."""

    before: int
    after: int
    provisional: bool = False
    """Whether it is still too uncertain to say much."""


class Player(Part, frozen=True):
    """Who holds a seat, as everyone may see it."""

    id: IdentityId
    name: str
    level: int | None = None
    """A bot's level, of a personality the level that it is most like; None for a person."""
    registered: bool = False
    """Whether a person's name is that of an account; guests' names are made up by the server."""
    bot: bool = False
    """Whether the account is a bot's: a program plays by it. The house's own bots have a `level` instead."""


class Cell(Part, frozen=True, array_like=True):
    """A place on the board: its name, and where its centre is, in distances between neighbours, y downwards."""

    name: str
    x: float
    y: float


class Board(Part, frozen=True):
    """What a client draws once for a match."""

    shape: Literal["points", "squares", "hexes"]
    cells: tuple[Cell, ...]
    lines: tuple[tuple[int, int], ...]
    """Pairs of indices into `cells` that a drawn line joins."""


class Change(Part, frozen=True, array_like=True):
    """What lies on a cell now: `size` pieces of a seat, or nothing, which is seat -1 and size 0."""

    cell: str
    seat: int
    size: int


class View(Part, frozen=True):
    """How an event alters what a client draws."""

    changes: tuple[Change, ...]
    reserves: tuple[int, ...]
    """For each seat the pieces still off the board that it has to place, after the event."""
    territory: tuple[int, ...] | None = None
    """With `Ended`, if territory was counted: for each cell by index the seat that holds it, or -1."""
    board: Board | None = None
    """The board to draw from this event on, when it is another than before: nothing lies on it but the changes."""
    ground: tuple[int, ...] | None = None
    """While the board is still being laid: the indices of the cells that are part of it. None: all cells are."""


class StartInfo(Part, frozen=True):
    """A start besides the standard one that a game offers by name."""

    title: str
    setup: str
    """For `Create`; `{seed}` in it stands for a number of at most nine digits that the client draws."""
    seats: int


class PersonalityInfo(Part, frozen=True):
    """A bot with a manner of its own."""

    name: str
    """For `SeatPlan.level`."""
    title: str
    description: str
    """One line, which goes on after the title."""
    level: int
    """The level that it is most like in strength."""


class GameInfo(Part, frozen=True):
    """A game that this server offers."""

    name: str
    title: str
    seats: tuple[int, ...]
    seat_names: tuple[str, ...]
    levels: int
    """Bots' levels are 1 to this."""
    starts: tuple[StartInfo, ...] = ()
    has_match_limit: bool = False
    """Whether a match may have a time limit (`ClockSettings.match_limit_ms`), at which it is judged as it stands."""
    personalities: tuple[PersonalityInfo, ...] = ()


class MatchSummary(Part, frozen=True):
    """A line of the list of live matches."""

    match: MatchId
    game: str
    players: tuple[str, ...]
    plies: int
    spectators: int
    clock: ClockSettings | None
    bots: tuple[int, ...] = ()
    """The seats of bots' accounts."""
    ratings: tuple[SeatRating | None, ...] = ()
    """By seat, of matches of this kind; None for guests, who have none."""
    speed: Speed = Speed.UNTIMED
    rated: bool = False
    exhibition: bool = False
    """Whether the house's bots play it because there was nothing else to watch."""
