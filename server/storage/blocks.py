"""Blocks in a database: implements `server.players.profiles.blocks.BlockStore`."""

from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId

from .database import Database, Step
from .tables import blocks, follows


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
        """Store a block and end following between the two; a block that exists stays. Raises: StorageError."""
        blocking = insert(blocks).values(by=by, whom=whom, created_ms=now_ms).on_conflict_do_nothing()
        pair = (by, whom)
        is_between = (follows.c.by.in_(pair), follows.c.whom.in_(pair))
        await self._database.transact([Step(blocking), Step(delete(follows).where(*is_between))])

    async def remove(self, by: IdentityId, whom: IdentityId) -> None:
        """Remove a block, if it exists. Raises: StorageError."""
        await self._database.execute(delete(blocks).where(blocks.c.by == by, blocks.c.whom == whom))
