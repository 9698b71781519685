"""Players and their profiles, follows and blocks, and the players who are online."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .archive import GameScore
from .fields import (
    CommandId,
    CommandIdField,
    IdentityId,
    IdentityIdField,
    MatchId,
    Message,
    Part,
    PlayerNameField,
    TournamentId,
)
from .ladders import LadderSummary
from .values import Player

MOST_BIO_CHARACTERS = 400

BioField = Annotated[str, msgspec.Meta(max_length=MOST_BIO_CHARACTERS)]
CountryField = Annotated[str, msgspec.Meta(min_length=2, max_length=2, pattern="^[A-Z]{2}$")]
VolumeField = Annotated[int, msgspec.Meta(ge=0, le=100)]
NamePrefixField = Annotated[str, msgspec.Meta(min_length=2, max_length=20, pattern="^[A-Za-z0-9_-]*$")]


class PlayerStatus(Part, frozen=True):
    """A player in a list: the country, whether the player is online, and what they are playing."""

    player: Player
    country: str | None = None
    """The ISO 3166 code chosen by the player."""
    online: bool = False
    """Always false for players who hide when they are online."""
    seen_ms: int | None = None
    """When the player was last online, rounded down to the hour; None if unknown or hidden."""
    match: MatchId | None = None
    """The match that an online player is playing, for spectators."""
    game: str | None = None
    """The game of that match."""


class GetProfile(Message, frozen=True):
    """Ask for a player's profile; answered by `Profile`."""

    id: CommandIdField
    name: PlayerNameField
    """The name of an account, or the id of a bot such as `bot-3`."""


class Trophy(Part, frozen=True):
    """One of the first three places in an arena that is over, in which at least five players have played."""

    tournament: TournamentId
    name: str
    game: str
    place: int
    """1 to 3."""
    players: int
    """How many have played."""
    at_ms: int
    """When the arena ended."""


class Profile(Message, frozen=True):
    """Answers `GetProfile`."""

    id: CommandId
    status: PlayerStatus
    bio: str
    """Plain text; never render it as anything else."""
    followers: int
    followed: bool
    """Whether you follow this player."""
    scores: tuple[GameScore, ...] = ()
    """The results of an account by game, the game with the most matches first."""
    closed: bool = False
    """Whether moderators closed the account."""
    trophies: tuple[Trophy, ...] = ()
    """The latest first."""
    ladders: tuple[LadderSummary, ...] = ()
    """The ladders that the player is on, with the player's place as `you`."""


class SetProfile(Message, frozen=True):
    """Replace the text and the country of your profile; answered by `Done`. For the owner of an account."""

    id: CommandIdField
    bio: BioField = ""
    country: CountryField | None = None


class SetOnlineVisibility(Message, frozen=True):
    """Show others when you are online, or hide it; answered by `Done`. For the owner of an account."""

    id: CommandIdField
    online_visible: bool


class GetPreferences(Message, frozen=True):
    """Ask for your own profile and visibility; answered by `Preferences`. For the owner of an account."""

    id: CommandIdField


class Preferences(Message, frozen=True):
    """Answers `GetPreferences`."""

    id: CommandId
    bio: str
    country: str | None
    online_visible: bool
    """Whether others may see when you are online."""
    countries: tuple[str, ...]
    """The codes to choose from."""


class PageSettings(Part, frozen=True):
    """A player's settings for the look and sound of the page."""

    board: Literal["wood", "marble", "plain", "pixel"] = "wood"
    men: Literal["matching", "round", "pixel", "plain"] = "matching"
    """The look of the pieces; `matching` follows the board."""
    theme: Literal["system", "light", "dark"] = "system"
    coordinates: bool = True
    hints: bool = True
    """Whether to mark the places where a piece can go."""
    animation: bool = True
    reactions: bool = True
    """Whether the server's bots show their faces at the board, and speak."""
    sound: bool = True
    volume: VolumeField = 40
    """In percent."""
    vibration: bool = True
    """Whether a phone vibrates at a mill and at the player's turn."""
    language: Literal["browser", "en", "de", "fr", "es", "zh-Hans"] = "browser"
    """The language of the page; `browser` follows the browser's."""
    thinks_for_bots: bool | None = None
    """Whether the page thinks for bots in casual matches, which then do not count in your results; None: only for
    guests."""


class GetPageSettings(Message, frozen=True):
    """Ask for your settings of the page; answered by `YourPageSettings`. For the owner of an account."""

    id: CommandIdField


class SetPageSettings(Message, frozen=True):
    """Replace your settings of the page; answered by `Done`. For the owner of an account."""

    id: CommandIdField
    settings: PageSettings


class YourPageSettings(Message, frozen=True):
    """Answers `GetPageSettings`."""

    id: CommandId
    settings: PageSettings | None
    """None if you have never changed any."""


class Follow(Message, frozen=True):
    """Follow the owner of an account, or stop following them; answered by `Done`. The other player is not notified."""

    id: CommandIdField
    player: IdentityIdField
    on: bool = True


class Block(Message, frozen=True):
    """Never be paired with a player, and hide seeks and challenges from each other; answered by `Blocked`."""

    id: CommandIdField
    player: IdentityIdField


class Unblock(Message, frozen=True):
    """Remove a block; answered by `Blocked`."""

    id: CommandIdField
    player: IdentityIdField


class GetBlocked(Message, frozen=True):
    """Ask whom you block; answered by `Blocked`."""

    id: CommandIdField


class Blocked(Message, frozen=True):
    """Answers `Block`, `Unblock` and `GetBlocked`: all players whom you block."""

    id: CommandId
    players: tuple[IdentityId, ...]


class FindPlayers(Message, frozen=True):
    """Ask for the accounts whose names begin with a prefix; answered by `FoundPlayers`."""

    id: CommandIdField
    prefix: NamePrefixField


class FoundPlayers(Message, frozen=True):
    """Answers `FindPlayers`, ordered by name."""

    id: CommandId
    players: tuple[PlayerStatus, ...]


class WatchPlayers(Message, frozen=True):
    """Get the lists of online players and of players whom you follow, now and after each change; or stop."""

    on: bool = True


class OnlinePlayers(Message, frozen=True):
    """The players and bots that are online, ordered by name; only those with an account."""

    players: tuple[PlayerStatus, ...]
    bots: tuple[PlayerStatus, ...]
    count: int
    """The number of players with an account who are online; the list may omit some."""
    guests: int


class FollowedPlayers(Message, frozen=True):
    """The players whom you follow: first those who are playing, then those who are online, each ordered by name."""

    players: tuple[PlayerStatus, ...]


class SetVacation(Message, frozen=True):
    """Go on vacation for a number of days from now on, in place of a current vacation; 0 to come back. Meanwhile your
    clocks by correspondence stand still. Answered by `Vacation`.
    """

    id: CommandIdField
    days: Annotated[int, msgspec.Meta(ge=0, le=30)]


class GetVacation(Message, frozen=True):
    """Ask for your vacation; answered by `Vacation`."""

    id: CommandIdField


class Vacation(Message, frozen=True):
    """Your vacation."""

    id: CommandId
    until_ms: int | None
    """When it ends, in milliseconds since 1970; None if you are not on vacation."""
    left_days: int
    """The days of vacation that are left after it, of 30 within any 365 days."""


ProfileCommand: TypeAlias = (
    GetProfile
    | SetProfile
    | SetOnlineVisibility
    | GetPreferences
    | GetPageSettings
    | SetPageSettings
    | Follow
    | Block
    | Unblock
    | GetBlocked
    | FindPlayers
    | WatchPlayers
    | SetVacation
    | GetVacation
)
ProfileAnswer: TypeAlias = Profile | Preferences | YourPageSettings | Blocked | FoundPlayers | Vacation
ProfileMessage: TypeAlias = ProfileAnswer | OnlinePlayers | FollowedPlayers
