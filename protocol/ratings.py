"""Ratings: the leaders of each kind of match, and the ratings and latest matches of a player."""

from typing import TypeAlias

from .fields import CommandId, CommandIdField, MatchId, Message, Part, PlayerNameField
from .values import ClockSettings, Player, RatingChange, RatingKind


class GetLeaders(Message, frozen=True):
    """Ask for the best players of a kind of match; answered by `Leaders`."""

    id: CommandIdField
    kind: RatingKind


class GetPlayerRatings(Message, frozen=True):
    """Ask for the ratings and latest matches of a player; answered by `PlayerRatings`."""

    id: CommandIdField
    name: PlayerNameField
    """The name of an account, or the id of a bot such as `bot-3`."""


class Leader(Part, frozen=True):
    """A player in the list of leaders."""

    player: Player
    rating: int
    deviation: int
    matches: int


class Leaders(Message, frozen=True):
    """Answers `GetLeaders`."""

    id: CommandId
    kind: RatingKind
    leaders: tuple[Leader, ...]
    """Best first; only people whose rating deviation is small enough."""
    bots: tuple[Leader, ...]
    """For comparison, best first: the built-in bots, and bot accounts whose rating deviation is small enough."""
    most_deviation: int
    least_matches: int
    """The conditions for the list."""


class RatingPoint(Part, frozen=True, array_like=True):
    """A rating after a match."""

    at_ms: int
    rating: int
    deviation: int
    match: MatchId


class KindRating(Part, frozen=True):
    """A player's rating in one kind of match."""

    kind: RatingKind
    rating: int
    deviation: int
    """One standard deviation: the true strength is this close to the rating two times out of three."""
    provisional: bool
    matches: int
    """Rated matches so far."""
    history: tuple[RatingPoint, ...]
    """The latest changes, oldest first."""


class PastMatch(Part, frozen=True):
    """A finished match."""

    match: MatchId
    ended_ms: int
    game: str
    clock: ClockSettings | None
    rated: bool
    players: tuple[Player | None, ...]
    ranks: tuple[int, ...] | None
    changes: tuple[RatingChange | None, ...]
    """By seat, as in `Rated`; empty for a casual match."""
    reason: str = ""
    """Why it ended, as in `Ended`."""
    plies: int = 0
    imported: bool = False
    """Whether it was imported from text."""
    void: bool = False
    """Whether a moderator voided the result."""


class PlayerRatings(Message, frozen=True):
    """Answers `GetPlayerRatings`."""

    id: CommandId
    player: Player
    since_ms: int | None
    """When the account was created; None for a built-in bot."""
    ratings: tuple[KindRating, ...]
    """The kind with the most matches first."""
    matches: tuple[PastMatch, ...]
    """The newest first."""


RatingCommand: TypeAlias = GetLeaders | GetPlayerRatings
RatingAnswer: TypeAlias = Leaders | PlayerRatings
