"""Meeting people: quick pairing, seeks, challenges, and whom one would rather not meet."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, GameNameField, IdentityId, MatchId, Message, Part
from .values import ClockSettings, Player, RatingRange

IdentityField = Annotated[IdentityId, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[!-~]*$")]


class Wish(Part, frozen=True):
    """The kind of match that somebody waits for."""

    game: GameNameField
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    clock: ClockSettings | None = None
    rated: bool = False


class Seek(Part, frozen=True):
    """A match that waits for players: a line of the list of seeks, or a challenge."""

    match: MatchId
    game: str
    setup: str
    by: Player
    rating: int
    """Of whoever made it."""
    players: tuple[str, ...]
    """The name of each seat's player, empty for a seat that is open."""
    clock: ClockSettings | None
    rated: bool
    ratings: RatingRange | None = None


# What a client sends


class FindMatch(Message, frozen=True):
    """Wait for a quick pairing, in place of any other that one waits for; answered by `Searching`.

    Sent again with the id by which one waits or was just paired, it is answered by how that stands.
    """

    id: CommandIdField
    wish: Wish
    takes_fewer: bool = False
    """Whether a match with fewer seats will do after a while, if everyone in it says so."""


class StopSearch(Message, frozen=True):
    """Wait no longer; answered by `SearchEnded`."""

    id: CommandIdField


class PlayBot(Message, frozen=True):
    """Play the bot that `Searching` offers instead of waiting longer; answered by `Paired`."""

    id: CommandIdField


class Block(Message, frozen=True):
    """Never be paired with somebody, nor see or get seeks and challenges of theirs; answered by `Blocked`."""

    id: CommandIdField
    player: IdentityField


class Unblock(Message, frozen=True):
    """Take a block back; answered by `Blocked`."""

    id: CommandIdField
    player: IdentityField


class GetBlocked(Message, frozen=True):
    """Ask whom you block; answered by `Blocked`."""

    id: CommandIdField


# What the server sends


class Searching(Message, frozen=True):
    """You wait for a quick pairing: told at once, after `Hello`, and when something of it changes."""

    wish: Wish
    takes_fewer: bool
    waiting: int
    """How many wait for the same, yourself included."""
    since_ms: int
    bot_level: int | None = None
    """The level of a bot of about your strength that you may play instead."""
    id: CommandId | None = None
    """Of the `FindMatch` that this answers."""


class Paired(Message, frozen=True):
    """Your match has begun; you hold a seat in it."""

    match: MatchId
    id: CommandId | None = None
    """Of what this answers."""


class SearchEnded(Message, frozen=True):
    """You wait no longer, though no match was found."""

    id: CommandId | None = None


class Blocked(Message, frozen=True):
    """Answers `Block`, `Unblock` and `GetBlocked`: everyone whom you block."""

    id: CommandId
    players: tuple[IdentityId, ...]


class Seeks(Message, frozen=True):
    """The seeks that you may take, the latest first: with `LiveMatches`, now and whenever the list changes."""

    seeks: tuple[Seek, ...]


class Challenges(Message, frozen=True):
    """The challenges that wait for your answer: after `Hello` if there are any, and whenever there are others."""

    challenges: tuple[Seek, ...]


MeetingCommand: TypeAlias = FindMatch | StopSearch | PlayBot | Block | Unblock | GetBlocked
MeetingMessage: TypeAlias = Searching | Paired | SearchEnded | Blocked | Seeks | Challenges
