"""Blocks between players: held in memory on every node, stored first.

A block separates two players both ways, and only its author knows.
"""

from millrace.protocol import Code, IdentityId
from millrace.protocol.refusal import Refusal

from ...callers.limit import Limit
from ...cluster.bus import Bus
from ...cluster.events import BlocksChanged
from ...journal.reloading import Reloading
from ...journal.unavailable import refusing_failures
from .profile_store import BlockStore

BLOCKED_PLAYERS = Limit(
    name="blocked_players",
    counts="players blocked by a player",
    refusal="You can block at most {bound} players.",
    account=200,
    guest=200,
)


class Blocks:
    """The blocks of all players."""

    def __init__(self, store: BlockStore, bus: Bus) -> None:
        self._store = store
        self._blocked: dict[IdentityId, set[IdentityId]] = {}
        self._reloading = Reloading()
        bus.subscribe_elsewhere(BlocksChanged, lambda event: self._set(event.identity, event.other, event.is_blocked))

    async def load(self) -> None:
        """Read the stored blocks. Raises: StorageError."""
        with self._reloading.replacing():
            blocked: dict[IdentityId, set[IdentityId]] = {}
            for by, whom in await self._store.all():
                blocked.setdefault(by, set()).add(whom)
            self._blocked = blocked

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
        self._set(by, whom, True)
        return True

    async def unblock(self, by: IdentityId, whom: IdentityId) -> None:
        """Remove a block, if there is one. Raises: Refusal."""
        with refusing_failures("block not stored"):
            await self._store.remove(by, whom)
        self._set(by, whom, False)

    def forget(self, identity: IdentityId) -> None:
        """Drop all blocks by and of a deleted account from memory."""

        def change() -> None:
            self._blocked.pop(identity, None)
            for blocked in self._blocked.values():
                blocked.discard(identity)

        self._reloading.apply(change)

    def _set(self, by: IdentityId, whom: IdentityId, is_blocked: bool) -> None:
        def change() -> None:
            blocked = self._blocked.setdefault(by, set())
            (blocked.add if is_blocked else blocked.discard)(whom)
            if not blocked:
                del self._blocked[by]

        self._reloading.apply(change)
