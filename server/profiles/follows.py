"""Who follows whom: held in memory, stored first.

Only the follower knows of it; everyone sees how many followers a player has.
"""

import asyncio

from ..journal.unavailable import refusing_failures
from ..limits.limit import Limit
from ..protocol import Code, IdentityId
from ..protocol.refusal import Refusal
from .store import ProfileStore

FOLLOWED_PLAYERS = Limit(
    name="followed_players",
    counts="players whom a player follows",
    refusal="You can follow at most {bound} players.",
    account=500,
)


class Follows:
    """The follows of all players."""

    def __init__(self, store: ProfileStore) -> None:
        self._store = store
        self._followed: dict[IdentityId, set[IdentityId]] = {}
        self._followers: dict[IdentityId, set[IdentityId]] = {}
        self.lock = asyncio.Lock()
        """Held from checking whether two players are apart until the follow between them has changed."""

    async def load(self) -> None:
        """Read the stored follows. Raises: StorageError."""
        for by, whom in await self._store.follows():
            self._add(by, whom)

    def of(self, by: IdentityId) -> frozenset[IdentityId]:
        """Return the players whom a player follows."""
        return frozenset(self._followed.get(by, ()))

    def followers_of(self, whom: IdentityId) -> frozenset[IdentityId]:
        """Return the players who follow a player."""
        return frozenset(self._followers.get(whom, ()))

    async def follow(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Follow a player. Raises: Refusal."""
        if by == whom:
            raise Refusal(Code.NOT_FOR_YOU, "You cannot follow yourself.")
        if whom in self._followed.get(by, ()):
            return
        with refusing_failures("follow not stored"):
            is_stored = await self._store.follow(by, whom, now_ms)
        if not is_stored:
            raise Refusal(Code.UNKNOWN_PLAYER, "You can follow only players with an account.")
        self._add(by, whom)

    async def unfollow(self, by: IdentityId, whom: IdentityId) -> None:
        """Stop following a player. Raises: Refusal."""
        if whom not in self._followed.get(by, ()):
            return
        with refusing_failures("follow not stored"):
            await self._store.unfollow(by, whom)
        self._remove(by, whom)

    def drop_between(self, one: IdentityId, other: IdentityId) -> None:
        """Drop following between two players, both ways; it is no longer stored."""
        for by, whom in ((one, other), (other, one)):
            if whom in self._followed.get(by, ()):
                self._remove(by, whom)

    def forget(self, identity: IdentityId) -> None:
        """Drop all follows by and of a deleted account; they are no longer stored."""
        for whom in self.of(identity):
            self._remove(identity, whom)
        for by in self.followers_of(identity):
            self._remove(by, identity)

    def _add(self, by: IdentityId, whom: IdentityId) -> None:
        self._followed.setdefault(by, set()).add(whom)
        self._followers.setdefault(whom, set()).add(by)

    def _remove(self, by: IdentityId, whom: IdentityId) -> None:
        for sets, key, value in ((self._followed, by, whom), (self._followers, whom, by)):
            sets[key].discard(value)
            if not sets[key]:
                del sets[key]
