"""Follows between players: held in memory on every node, stored first.

Only the follower knows; everyone sees a player's number of followers.
"""

import asyncio

from millrace.protocol import Code, IdentityId
from millrace.protocol.refusal import Refusal

from ...callers.limit import Limit
from ...cluster.bus import Bus
from ...cluster.events import BlocksChanged, SharedEvent
from ...journal.reloading import Reloading
from ...journal.unavailable import refusing_failures
from .profile_store import ProfileStore

FOLLOWED_PLAYERS = Limit(
    name="followed_players",
    counts="players followed by a player",
    refusal="You can follow at most {bound} players.",
    account=500,
)


class FollowsChanged(SharedEvent, frozen=True):
    """A player followed another, or stopped."""

    by: IdentityId
    whom: IdentityId
    is_following: bool


class Follows:
    """The follows of all players."""

    def __init__(self, store: ProfileStore, bus: Bus) -> None:
        self._store = store
        self._bus = bus
        self._followed: dict[IdentityId, set[IdentityId]] = {}
        self._followers: dict[IdentityId, set[IdentityId]] = {}
        self._reloading = Reloading()
        bus.subscribe_elsewhere(FollowsChanged, lambda event: self._set(event.by, event.whom, event.is_following))
        bus.subscribe(BlocksChanged, self._blocks_changed)
        self.lock = asyncio.Lock()
        """Held from checking for a block between two players until the follow between them has changed."""

    async def load(self) -> None:
        """Read the stored follows. Raises: StorageError."""
        with self._reloading.replacing():
            stored = await self._store.follows()
            self._followed, self._followers = {}, {}
            for by, whom in stored:
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
        self._set(by, whom, True)
        self._bus.publish(FollowsChanged(by, whom, True))

    async def unfollow(self, by: IdentityId, whom: IdentityId) -> None:
        """Stop following a player. Raises: Refusal."""
        if whom not in self._followed.get(by, ()):
            return
        with refusing_failures("follow not stored"):
            await self._store.unfollow(by, whom)
        self._set(by, whom, False)
        self._bus.publish(FollowsChanged(by, whom, False))

    def forget(self, identity: IdentityId) -> None:
        """Drop all follows by and of a deleted account; they are no longer stored."""

        def change() -> None:
            for whom in self.of(identity):
                self._remove(identity, whom)
            for by in self.followers_of(identity):
                self._remove(by, identity)

        self._reloading.apply(change)

    def _blocks_changed(self, event: BlocksChanged) -> None:
        """Remove follows between two players both ways; the stored ones ended with the block."""
        if event.is_blocked:
            self._set(event.identity, event.other, False)
            self._set(event.other, event.identity, False)

    def _set(self, by: IdentityId, whom: IdentityId, is_following: bool) -> None:
        def change() -> None:
            if is_following:
                self._add(by, whom)
            elif whom in self._followed.get(by, ()):
                self._remove(by, whom)

        self._reloading.apply(change)

    def _add(self, by: IdentityId, whom: IdentityId) -> None:
        self._followed.setdefault(by, set()).add(whom)
        self._followers.setdefault(whom, set()).add(by)

    def _remove(self, by: IdentityId, whom: IdentityId) -> None:
        for sets, key, value in ((self._followed, by, whom), (self._followers, whom, by)):
            sets[key].discard(value)
            if not sets[key]:
                del sets[key]
