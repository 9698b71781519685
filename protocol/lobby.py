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
    """A match waiting for players: an entry in the list of seeks, or a challenge."""

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
    initial_ms: tuple[int | None, ...] = ()
    """With time odds, the initial time of each seat; None where it is the clock's."""


class WaitingOpponent(Part, frozen=True):
    """A player whom you can play at once with `PlayNow`."""

    game: str
    player: Player
    clock: ClockSettings | None


# What a client sends


class FindMatch(Message, frozen=True):
    """Wait for a quick pairing; answered by `Searching`. It replaces any other search of yours.

    Sending it again with the same id does not start a second search: the answer reports on the first one.
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


class PlayNow(Message, frozen=True):
    """Play a casual match of two at once; answered by `NowPlaying`.

    The opponent is a player waiting for a quick pairing or in an open match, or else a bot of a suitable level. Sending
    it again with the same id leads to the same match.
    """

    id: CommandIdField
    game: GameNameField


class GetFittingBot(Message, frozen=True):
    """Ask for the bot that `PlayNow` would choose; answered by `FittingBot`."""

    id: CommandIdField
    game: GameNameField


# What the server sends


class Searching(Message, frozen=True):
    """You are waiting for a quick pairing: sent as the answer, after `Hello`, and after each change."""

    request: PairingRequest
    takes_fewer: bool
    waiting: int
    """The number of players waiting in this pool, including you."""
    since_ms: int
    bot_level: int | None = None
    """The level of a bot near your rating that you may play instead. None at a rated table for three or four."""
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


class NowPlaying(Message, frozen=True):
    """Answers `PlayNow`: your match has begun."""

    id: CommandId
    match: MatchId
    opponents: tuple[Player, ...]


class FittingBot(Message, frozen=True):
    """Answers `GetFittingBot`."""

    id: CommandId
    game: str
    level: int
    """Based on your rating in this game, or your latest matches against bots; the lowest level without either."""


class Seeks(Message, frozen=True):
    """The seeks that you can join, newest first: sent with `LiveMatches`, and after each change."""

    seeks: tuple[Seek, ...]
    opponents: tuple[WaitingOpponent, ...] = ()
    """Players waiting for an opponent like you, at most one per game."""


class Challenges(Message, frozen=True):
    """The challenges waiting for your answer: sent after `Hello` if there are any, and after each change."""

    challenges: tuple[Seek, ...]


LobbyCommand: TypeAlias = FindMatch | StopSearch | PlayBot | PlayNow | GetFittingBot
LobbyMessage: TypeAlias = Searching | Paired | SearchEnded | NowPlaying | FittingBot | Seeks | Challenges
