"""Blocks in a database: what `server.profiles.blocks.BlockStore` promises, with its SQL."""

from typing import cast

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects import postgresql

from ..protocol import IdentityId
from .statements import compile_text
from .tables import blocks
from .writer import Database


class DatabaseBlocks:
    """A `BlockStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        dialect = database.dialect
        # PostgreSQL's insert says ON CONFLICT, in words that SQLite shares.
        columns = blocks.c.keys()
        insert = postgresql.insert(blocks).values({name: bindparam(name) for name in columns}).on_conflict_do_nothing()
        self._add = compile_text(dialect, insert, *columns)
        is_block = (blocks.c.by == bindparam("who"), blocks.c.whom == bindparam("other"))
        self._remove = compile_text(dialect, delete(blocks).where(*is_block), "who", "other")
        self._all = compile_text(dialect, select(blocks.c.by, blocks.c.whom))

    async def all(self) -> tuple[tuple[IdentityId, IdentityId], ...]:
        """Return each block as who blocks whom. Raises: StorageError."""
        rows = await self._database.fetch(self._all)
        return tuple((cast(IdentityId, by), cast(IdentityId, whom)) for by, whom in rows)

    async def add(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Store a block; one that is stored already stays. Raises: StorageError."""
        await self._database.execute(self._add, by, whom, now_ms)

    async def remove(self, by: IdentityId, whom: IdentityId) -> None:
        """Forget a block, if there is one. Raises: StorageError."""
        await self._database.execute(self._remove, by, whom)
