"""What is kept of people besides their accounts, as the rest of the server sees it.

An interface only; `server.storage` keeps it in a database.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from ..protocol import IdentityId, Player


class StoredProfile(NamedTuple):
    """What somebody shows of themselves."""

    bio: str = ""
    country: str | None = None
    is_hidden: bool = False
    """Whether nobody is to see when they are online."""
    seen_ms: int | None = None
    """When they were last seen online."""
    is_closed: bool = False
    """Whether moderators have closed the account."""


class PlayerWithProfile(NamedTuple):
    """Somebody with an account, and what they show of themselves but for the bio."""

    player: Player
    profile: StoredProfile


class ProfileStore(Protocol):
    """What people say and whom they follow. Every method raises StorageError."""

    async def marks(self) -> Iterable[tuple[IdentityId, str | None, bool]]:
        """Return the country of everyone who shows one, and whether they hide that they are online, which others do
        too."""

    async def find(self, identity: IdentityId) -> StoredProfile:
        """Return what somebody shows; the empty sketch of whoever has said nothing."""

    async def set_profile(self, identity: IdentityId, bio: str, country: str | None) -> None:
        """Replace what somebody says of themselves."""

    async def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Note whether somebody hides that they are online."""

    async def set_last_seen(self, seen_ms: Mapping[IdentityId, int]) -> None:
        """Note when some people were last online, of those who have an account still."""

    async def find_by_prefix(self, prefix: str, most: int) -> Sequence[PlayerWithProfile]:
        """Return the accounts whose names begin so, whatever the case, by name."""

    async def followed(self, by: IdentityId) -> Sequence[PlayerWithProfile]:
        """Return whom somebody follows, by name."""

    async def follows(self) -> Iterable[tuple[IdentityId, IdentityId]]:
        """Return who follows whom."""

    async def follow(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Note that somebody follows another; who does so already goes on."""

    async def unfollow(self, by: IdentityId, whom: IdentityId) -> None:
        """Note that somebody does not follow another."""

    async def forget(self, identity: IdentityId) -> None:
        """Forget all that somebody has said, and whom they follow and who follows them."""
