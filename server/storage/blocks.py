"""Blocks in a database: implements `server.profiles.blocks.BlockStore`."""

from typing import NamedTuple

from sqlalchemy import delete, or_, select
from sqlalchemy.dialects.postgresql import insert

from ..protocol import IdentityId
from .database import Database
from .tables import blocks


class _BlockRow(NamedTuple):
    by: IdentityId
    whom: IdentityId


class DatabaseBlocks:
    """A `BlockStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> tuple[_BlockRow, ...]:
        """Return every block. Raises: StorageError."""
        return tuple(await self._database.records(_BlockRow, select(blocks.c.by, blocks.c.whom)))

    async def add(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Store a block; one that exists stays. Raises: StorageError."""
        await self._database.execute(
            insert(blocks).values(by=by, whom=whom, created_ms=now_ms).on_conflict_do_nothing()
        )

    async def remove(self, by: IdentityId, whom: IdentityId) -> None:
        """Remove a block, if it exists. Raises: StorageError."""
        await self._database.execute(delete(blocks).where(blocks.c.by == by, blocks.c.whom == whom))

    async def delete_player(self, identity: IdentityId) -> None:
        """Delete all blocks by and of a player. Raises: StorageError."""
        await self._database.execute(delete(blocks).where(or_(blocks.c.by == identity, blocks.c.whom == identity)))
