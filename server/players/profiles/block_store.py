"""Stored blocks."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId

from ...storage.database import Step, Store
from .tables import blocks, follows


class _BlockRow(NamedTuple):
    by: IdentityId
    whom: IdentityId


class BlockStore(Store):
    """The stored blocks. Every method raises StorageError."""

    async def all(self) -> Sequence[tuple[IdentityId, IdentityId]]:
        """Return all pairs of a blocking and a blocked player."""
        return await self._database.records(_BlockRow, select(blocks.c.by, blocks.c.whom))

    async def add(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Store a block, and end following between the two; repeating it changes nothing."""
        blocking = insert(blocks).values(by=by, whom=whom, created_ms=now_ms).on_conflict_do_nothing()
        pair = (by, whom)
        is_between = (follows.c.by.in_(pair), follows.c.whom.in_(pair))
        await self._database.transact([Step(blocking), Step(delete(follows).where(*is_between))])

    async def remove(self, by: IdentityId, whom: IdentityId) -> None:
        """Delete a block, if there is one."""
        await self._database.execute(delete(blocks).where(blocks.c.by == by, blocks.c.whom == whom))
