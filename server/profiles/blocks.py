"""Who blocks whom: held in memory, stored first. A block separates two players both ways, and only its author knows."""

from collections.abc import Iterable
from typing import Protocol

from ..journal.unavailable import refusing_failures
from ..limits.limit import Limit
from ..protocol import Code, IdentityId
from ..protocol.refusal import Refusal

BLOCKED_PLAYERS = Limit(
    name="blocked_players",
    counts="players whom a player blocks",
    refusal="You can block at most {bound} players.",
    account=200,
    guest=200,
)


class BlockStore(Protocol):
    """The stored blocks. Every method raises StorageError."""

    async def all(self) -> Iterable[tuple[IdentityId, IdentityId]]:
        """Return all pairs of a blocking and a blocked player."""

    async def add(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Store a block, and end following between the two; repeating it changes nothing."""

    async def remove(self, by: IdentityId, whom: IdentityId) -> None:
        """Delete a block, if there is one."""


class Blocks:
    """The blocks of all players."""

    def __init__(self, store: BlockStore) -> None:
        self._store = store
        self._blocked: dict[IdentityId, set[IdentityId]] = {}

    async def load(self) -> None:
        """Read the stored blocks. Raises: StorageError."""
        for by, whom in await self._store.all():
            self._blocked.setdefault(by, set()).add(whom)

    def of(self, by: IdentityId) -> frozenset[IdentityId]:
        """Return the players whom a player blocks."""
        return frozenset(self._blocked.get(by, ()))

    def are_apart(self, one: IdentityId, other: IdentityId) -> bool:
        """Return whether either of two players blocks the other."""
        return other in self._blocked.get(one, ()) or one in self._blocked.get(other, ())

    async def block(self, by: IdentityId, whom: IdentityId, now_ms: int) -> bool:
        """Block a player; return whether anything changed. Raises: Refusal."""
        if by == whom:
            raise Refusal(Code.NOT_FOR_YOU, "You cannot block yourself.")
        if whom in self._blocked.get(by, ()):
            return False
        with refusing_failures("block not stored"):
            await self._store.add(by, whom, now_ms)
        self._blocked.setdefault(by, set()).add(whom)
        return True

    async def unblock(self, by: IdentityId, whom: IdentityId) -> None:
        """Remove a block, if there is one. Raises: Refusal."""
        with refusing_failures("block not stored"):
            await self._store.remove(by, whom)
        self._blocked.get(by, set()).discard(whom)

    def forget(self, identity: IdentityId) -> None:
        """Drop all blocks by and of a deleted account from memory."""
        self._blocked.pop(identity, None)
        for blocked in self._blocked.values():
            blocked.discard(identity)
