"""The lobby: quick pairing, seeks and challenges."""

from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, GameNameField, MatchId, Message, Part
from .values import ClockSettings, Player, RatingRange


class PairingRequest(Part, frozen=True):
    """The kind of match that a player asks to be paired for. Players with equal requests wait in one pool."""

    game: GameNameField
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    clock: ClockSettings | None = None
    rated: bool = False


class Seek(Part, frozen=True):
    """A match that waits for players: an entry in the list of seeks, or a challenge."""

    match: MatchId
    game: str
    setup: str
    by: Player
    """The player who created it."""
    rating: int
    """That player's rating in this kind of match."""
    players: tuple[str, ...]
    """The name of the player in each seat; empty for an open seat."""
    clock: ClockSettings | None
    rated: bool
    ratings: RatingRange | None = None


# What a client sends


class FindMatch(Message, frozen=True):
    """Wait for a quick pairing; answered by `Searching`. It replaces any other search of yours.

    Sent again with the same id, it does not start a second search: the answer says how the first one stands.
    """

    id: CommandIdField
    request: PairingRequest
    takes_fewer: bool = False
    """Whether you accept a match with fewer seats after a while, if all its players do."""


class StopSearch(Message, frozen=True):
    """Stop waiting; answered by `SearchEnded`."""

    id: CommandIdField


class PlayBot(Message, frozen=True):
    """Play the bot that `Searching` offers instead of waiting; answered by `Paired`."""

    id: CommandIdField


# What the server sends


class Searching(Message, frozen=True):
    """You are waiting for a quick pairing: sent as the answer, after `Hello`, and after each change."""

    request: PairingRequest
    takes_fewer: bool
    waiting: int
    """How many players wait in this pool, including you."""
    since_ms: int
    bot_level: int | None = None
    """The level of a bot near your rating that you may play instead."""
    id: CommandId | None = None
    """The id of the `FindMatch` that this answers."""


class Paired(Message, frozen=True):
    """Your match has begun; you have a seat in it."""

    match: MatchId
    id: CommandId | None = None
    """The id of the command that this answers."""


class SearchEnded(Message, frozen=True):
    """Your search has ended without a match."""

    id: CommandId | None = None


class Seeks(Message, frozen=True):
    """The seeks that you can join, the newest first: sent with `LiveMatches`, and after each change."""

    seeks: tuple[Seek, ...]


class Challenges(Message, frozen=True):
    """The challenges that wait for your answer: after `Hello` if there are any, and after each change."""

    challenges: tuple[Seek, ...]


LobbyCommand: TypeAlias = FindMatch | StopSearch | PlayBot
LobbyMessage: TypeAlias = Searching | Paired | SearchEnded | Seeks | Challenges
