"""Asking for ratings: the leaders of a kind of match, and what there is to see of a player."""

from typing import TypeAlias

from .fields import CommandId, CommandIdField, MatchId, Message, Part, PlayerNameField
from .values import ClockSettings, Player, RatingChange, RatingKind


class GetLeaders(Message, frozen=True):
    """Ask for the best players of a kind of match; answered by `Leaders`."""

    id: CommandIdField
    kind: RatingKind


class GetProfile(Message, frozen=True):
    """Ask for what there is to see of a player; answered by `Profile`."""

    id: CommandIdField
    name: PlayerNameField
    """That of an account, or the id of a bot such as `bot-3`."""


class Leader(Part, frozen=True):
    """A line of the list of leaders."""

    player: Player
    rating: int
    deviation: int
    matches: int


class Leaders(Message, frozen=True):
    """Answers `GetLeaders`."""

    id: CommandId
    kind: RatingKind
    leaders: tuple[Leader, ...]
    """The best first; only people, not bots, whose rating is certain enough."""
    bots: tuple[Leader, ...]
    """The best first, to compare with: the house's own, and others' whose rating is certain enough."""
    most_deviation: int
    least_matches: int
    """What it takes to be in the list."""


class RatingPoint(Part, frozen=True, array_like=True):
    """What a rating was after a match."""

    at_ms: int
    rating: int
    deviation: int
    match: MatchId


class KindRating(Part, frozen=True):
    """Somebody's rating in matches of a kind."""

    kind: RatingKind
    rating: int
    deviation: int
    """Two times out of three the strength is no further from the rating."""
    provisional: bool
    matches: int
    """So many have counted."""
    history: tuple[RatingPoint, ...]
    """The latest changes, the oldest of them first."""


class PastMatch(Part, frozen=True):
    """A match that is over."""

    match: MatchId
    ended_ms: int
    game: str
    clock: ClockSettings | None
    rated: bool
    players: tuple[Player | None, ...]
    ranks: tuple[int, ...] | None
    changes: tuple[RatingChange | None, ...]
    """By seat, as in `Rated`; empty where none was rated."""
    reason: str = ""
    """Of `Ended`: how it came to its end."""
    plies: int = 0
    imported: bool = False
    """Whether it was not played here, but brought along as text."""
    void: bool = False
    """Whether a moderator has declared that the result does not count."""


class Profile(Message, frozen=True):
    """Answers `GetProfile`."""

    id: CommandId
    player: Player
    since_ms: int | None
    """When the account was made; None for a bot."""
    ratings: tuple[KindRating, ...]
    """That of the most matches first."""
    matches: tuple[PastMatch, ...]
    """The latest first."""


RatingCommand: TypeAlias = GetLeaders | GetProfile
RatingAnswer: TypeAlias = Leaders | Profile
