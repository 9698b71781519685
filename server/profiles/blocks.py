"""Who never wants to meet whom: kept in memory, stored first. Blocks work both ways, and only their author knows them.

`server.storage` keeps them in a database.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from ..journal.unavailable import refusing_failures
from ..protocol import Code, IdentityId
from ..protocol.refusal import Refusal

MOST_BLOCKS = 200
"""So many others one player may block."""


class BlockStore(Protocol):
    """The blocks that are stored. Every method raises StorageError."""

    async def all(self) -> Iterable[tuple[IdentityId, IdentityId]]:
        """Return each block as who blocks whom."""

    async def add(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Store a block; one that is stored already stays."""

    async def remove(self, by: IdentityId, whom: IdentityId) -> None:
        """Forget a block, if there is one."""


class Blocks:
    """The blocks of everyone."""

    def __init__(self, store: BlockStore) -> None:
        self._store = store
        self._blocked: dict[IdentityId, set[IdentityId]] = {}
        self.observers: list[Callable[[IdentityId, IdentityId], Awaitable[None]]] = []
        """Are told who has blocked whom."""

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        for by, whom in await self._store.all():
            self._blocked.setdefault(by, set()).add(whom)

    def of(self, by: IdentityId) -> frozenset[IdentityId]:
        """Return whom somebody blocks."""
        return frozenset(self._blocked.get(by, ()))

    def are_apart(self, one: IdentityId, other: IdentityId) -> bool:
        """Return whether either of two blocks the other."""
        return other in self._blocked.get(one, ()) or one in self._blocked.get(other, ())

    async def block(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Let somebody block another. Raises: Refusal."""
        if by == whom:
            raise Refusal(Code.NOT_FOR_YOU, "You cannot block yourself.")
        blocked = self._blocked.get(by, set())
        if whom in blocked:
            return
        if len(blocked) >= MOST_BLOCKS:
            raise Refusal(Code.TOO_MANY, f"You can block at most {MOST_BLOCKS} players.")
        with refusing_failures("block not stored"):
            await self._store.add(by, whom, now_ms)
        self._blocked.setdefault(by, set()).add(whom)
        for observer in self.observers:
            await observer(by, whom)

    async def unblock(self, by: IdentityId, whom: IdentityId) -> None:
        """Take a block back, if there is one. Raises: Refusal."""
        with refusing_failures("block not stored"):
            await self._store.remove(by, whom)
        self._blocked.get(by, set()).discard(whom)

    async def forget(self, identity: IdentityId) -> None:
        """Take back every block by somebody and of somebody. Raises: Refusal."""
        by_others = [(by, identity) for by, blocked in self._blocked.items() if identity in blocked]
        for by, whom in [*((identity, whom) for whom in self.of(identity)), *by_others]:
            await self.unblock(by, whom)
