"""The interface of stored profiles and follows; `server.storage` implements it in a database."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import IdentityId, PageSettings, Player


class StoredProfile(NamedTuple):
    """What is stored about a player besides the account."""

    bio: str = ""
    country: str | None = None
    is_hidden: bool = False
    """Whether the player hides when they are online."""
    seen_ms: int | None = None
    """When the player was last online."""
    is_closed: bool = False
    """Whether moderators have closed the account."""


class PlayerWithProfile(NamedTuple):
    """A player with an account, and the profile without its bio."""

    player: Player
    profile: StoredProfile


class DirectoryEntry(NamedTuple):
    """What player lists need of a profile."""

    identity: IdentityId
    country: str | None
    is_hidden: bool


class ProfileStore(Protocol):
    """Profiles, and who follows whom. Every method raises StorageError."""

    async def directory(self) -> Iterable[DirectoryEntry]:
        """Return the entries of all players who show a country or hide when they are online."""

    async def find(self, identity: IdentityId) -> StoredProfile:
        """Return a player's profile; an empty one if nothing is stored."""

    async def set_profile(self, identity: IdentityId, bio: str, country: str | None) -> None:
        """Replace a player's bio and country."""

    async def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Store whether a player hides when they are online."""

    async def page_settings(self, identity: IdentityId) -> PageSettings | None:
        """Return how a player wants the page to look; None if nothing is stored that this version can read."""

    async def set_page_settings(self, identity: IdentityId, settings: PageSettings) -> None:
        """Store how a player wants the page to look."""

    async def set_last_seen(self, seen_ms: Mapping[IdentityId, int]) -> None:
        """Store when players were last online; deleted accounts are ignored."""

    async def find_by_prefix(self, prefix: str, most: int) -> Sequence[PlayerWithProfile]:
        """Return up to `most` accounts whose names begin with a prefix, ignoring case, ordered by name."""

    async def followed(self, by: IdentityId) -> Sequence[PlayerWithProfile]:
        """Return the players whom a player follows, ordered by name."""

    async def follows(self) -> Iterable[tuple[IdentityId, IdentityId]]:
        """Return all pairs of follower and followed player."""

    async def follow(self, by: IdentityId, whom: IdentityId, now_ms: int) -> bool:
        """Store that a player follows another, if both have an account and neither blocks the other.

        Returns whether that is so.
        """

    async def unfollow(self, by: IdentityId, whom: IdentityId) -> None:
        """Store that a player does not follow another."""
