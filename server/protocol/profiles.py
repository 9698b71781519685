"""People: what they say of themselves, whom they follow, who is online and what they play."""

from typing import Annotated, TypeAlias

import msgspec

from .archive import GameScore
from .chat import IdentityIdField
from .fields import CommandId, CommandIdField, MatchId, Message, Part, PlayerNameField
from .values import Player

MOST_BIO_CHARACTERS = 400

BioField = Annotated[str, msgspec.Meta(max_length=MOST_BIO_CHARACTERS)]
CountryField = Annotated[str, msgspec.Meta(min_length=2, max_length=2, pattern="^[A-Z]{2}$")]
NamePrefixField = Annotated[str, msgspec.Meta(min_length=2, max_length=20, pattern="^[A-Za-z0-9_-]*$")]


class Person(Part, frozen=True):
    """A line of a list of people."""

    player: Player
    country: str | None = None
    """The code by ISO 3166 that somebody has chosen to show."""
    online: bool = False
    """Never true of whoever does not want to be seen online."""
    seen_ms: int | None = None
    """When somebody was last online, to the hour; None if that is not known or not to be seen."""
    match: MatchId | None = None
    """What somebody who is online plays just now, to be watched."""
    game: str | None = None
    """Of that match."""


class GetAbout(Message, frozen=True):
    """Ask what somebody says and does; answered by `About`."""

    id: CommandIdField
    name: PlayerNameField
    """That of an account, or the id of a bot such as `bot-3`."""


class About(Message, frozen=True):
    """Answers `GetAbout`."""

    id: CommandId
    person: Person
    bio: str
    """Plain text: it is never to be shown as anything else."""
    followers: int
    followed: bool
    """Whether whoever asks follows this player."""
    scores: tuple[GameScore, ...] = ()
    """How the matches of an account have gone, the game of the most matches first."""
    closed: bool = False
    """Whether moderators have closed the account."""


class SetAbout(Message, frozen=True):
    """Say something of oneself, in place of what was said before; for the owner of an account."""

    id: CommandIdField
    bio: BioField = ""
    country: CountryField | None = None


class SetShown(Message, frozen=True):
    """Be seen online, or be seen no longer; for the owner of an account."""

    id: CommandIdField
    on: bool


class GetPreferences(Message, frozen=True):
    """Ask what one has chosen of all this; answered by `Preferences`. For the owner of an account."""

    id: CommandIdField


class Preferences(Message, frozen=True):
    """Answers `GetPreferences`."""

    id: CommandId
    bio: str
    country: str | None
    shown: bool
    """Whether one may be seen online."""
    countries: tuple[str, ...]
    """The codes to choose from."""


class Follow(Message, frozen=True):
    """Follow the owner of an account, or no longer. Nobody else is told; answered by `Done`."""

    id: CommandIdField
    player: IdentityIdField
    on: bool = True


class FindPeople(Message, frozen=True):
    """Ask for the accounts whose names begin so; answered by `FoundPeople`."""

    id: CommandIdField
    prefix: NamePrefixField


class FoundPeople(Message, frozen=True):
    """Answers `FindPeople`, by name."""

    id: CommandId
    people: tuple[Person, ...]


class WatchPeople(Message, frozen=True):
    """Follow the lists of who is online and of those whom one follows, or no longer."""

    on: bool = True


class OnlinePeople(Message, frozen=True):
    """Who is online: those with an account, by name, and how many there are besides."""

    people: tuple[Person, ...]
    bots: tuple[Person, ...]
    count: int
    """Of the people with an account, of whom the list may leave some out."""
    guests: int


class FollowedPeople(Message, frozen=True):
    """Those whom one follows: who plays first, then who is online, each by name."""

    people: tuple[Person, ...]


PeopleCommand: TypeAlias = GetAbout | SetAbout | SetShown | GetPreferences | Follow | FindPeople | WatchPeople
PeopleAnswer: TypeAlias = About | Preferences | FoundPeople
PeopleMessage: TypeAlias = PeopleAnswer | OnlinePeople | FollowedPeople
