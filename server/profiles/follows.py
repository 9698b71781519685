"""Who follows whom: kept in memory, stored first. Only its author knows of it; how many follow somebody is told to all.

`server.storage` keeps it in a database.
"""

import asyncio

from ..journal.unavailable import refusing_failures
from ..protocol import Code, IdentityId
from ..protocol.refusal import Refusal
from .store import ProfileStore

MOST_FOLLOWED = 500
"""So many others one player may follow."""


class Follows:
    """Everyone whom anybody follows."""

    def __init__(self, store: ProfileStore) -> None:
        self._store = store
        self._followed: dict[IdentityId, set[IdentityId]] = {}
        self._followers: dict[IdentityId, set[IdentityId]] = {}
        self.turn = asyncio.Lock()
        """Is held by whoever looks whether somebody may follow another until it is so."""

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        for by, whom in await self._store.follows():
            self._note(by, whom)

    def of(self, by: IdentityId) -> frozenset[IdentityId]:
        """Return whom somebody follows."""
        return frozenset(self._followed.get(by, ()))

    def followers_of(self, whom: IdentityId) -> frozenset[IdentityId]:
        """Return who follows somebody."""
        return frozenset(self._followers.get(whom, ()))

    async def follow(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Let somebody follow another. Raises: Refusal."""
        if by == whom:
            raise Refusal(Code.NOT_FOR_YOU, "You cannot follow yourself.")
        followed = self._followed.get(by, set())
        if whom in followed:
            return
        if len(followed) >= MOST_FOLLOWED:
            raise Refusal(Code.TOO_MANY, f"You can follow at most {MOST_FOLLOWED} players.")
        with refusing_failures("follow not stored"):
            await self._store.follow(by, whom, now_ms)
        self._note(by, whom)

    async def unfollow(self, by: IdentityId, whom: IdentityId) -> None:
        """Let somebody follow another no longer. Raises: Refusal."""
        if whom not in self._followed.get(by, ()):
            return
        with refusing_failures("follow not stored"):
            await self._store.unfollow(by, whom)
        self._strike(by, whom)

    async def part(self, one: IdentityId, other: IdentityId) -> None:
        """Let neither of two follow the other. Raises: Refusal."""
        await self.unfollow(one, other)
        await self.unfollow(other, one)

    def forget(self, identity: IdentityId) -> None:
        """Forget whom somebody follows and who follows them, which is stored no longer."""
        for whom in self.of(identity):
            self._strike(identity, whom)
        for by in self.followers_of(identity):
            self._strike(by, identity)

    def _note(self, by: IdentityId, whom: IdentityId) -> None:
        self._followed.setdefault(by, set()).add(whom)
        self._followers.setdefault(whom, set()).add(by)

    def _strike(self, by: IdentityId, whom: IdentityId) -> None:
        for sets, key, value in ((self._followed, by, whom), (self._followers, whom, by)):
            sets[key].discard(value)
            if not sets[key]:
                del sets[key]
