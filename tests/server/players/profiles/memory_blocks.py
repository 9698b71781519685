"""Blocks in memory, for tests without a database."""

from millrace.protocol import IdentityId
from millrace.server.players.profiles.profile_store import BlockStore


class MemoryBlocks(BlockStore):
    """A `BlockStore`."""

    def __init__(self) -> None:
        self._stored: set[tuple[IdentityId, IdentityId]] = set()

    async def all(self) -> tuple[tuple[IdentityId, IdentityId], ...]:
        return tuple(self._stored)

    async def add(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        self._stored.add((by, whom))

    async def remove(self, by: IdentityId, whom: IdentityId) -> None:
        self._stored.discard((by, whom))
