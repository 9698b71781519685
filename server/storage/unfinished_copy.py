"""The table that a database has while another one is being copied into it (`server.storage.copying`).

It says how far the copy has come, and keeps servers away: what is there already looks like a whole database.
"""

from collections.abc import Mapping

from sqlalchemy import BigInteger, Column, Connection, MetaData, Table, Text, inspect, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .contents import Contents
from .errors import StorageError

UNFINISHED_COPY = "unfinished_copy"

unfinished_copy = Table(
    UNFINISHED_COPY,
    MetaData(),
    Column("table_name", Text, primary_key=True),
    Column("source", Text, nullable=False),
    Column("rows", BigInteger, nullable=False),
    Column("checksum", Text, nullable=False),
)
"""One row for each table: the database that it comes from, and what has been copied of it."""


def require_finished(connection: Connection, described: str) -> None:
    """Check that a database is not the beginning of a copy. Raises: StorageError."""
    if inspect(connection).has_table(UNFINISHED_COPY):
        source = connection.scalar(select(unfinished_copy.c.source).limit(1))
        raise StorageError(
            f"the database {described} is an unfinished copy of {source}; finish it first: "
            f"millrace migrate --from {source} --to ..."
        )


def begin_copy(connection: Connection, source: str, tables: list[str]) -> None:
    """Note that a copy begins."""
    unfinished_copy.create(connection)
    values = [{"table_name": name, "source": source, "rows": 0, "checksum": "0"} for name in tables]
    connection.execute(unfinished_copy.insert(), values)


def read_progress(connection: Connection) -> tuple[str, Mapping[str, Contents]] | None:
    """Return the source of an unfinished copy, and what has been copied of each table, or None."""
    if not inspect(connection).has_table(UNFINISHED_COPY):
        return None
    rows = connection.execute(select(unfinished_copy)).all()
    return rows[0].source, {row.table_name: Contents(row.rows, int(row.checksum, 16)) for row in rows}


async def note_progress(connection: AsyncConnection, table: str, contents: Contents) -> None:
    """Note what has been copied of a table, in the transaction that stores it."""
    await connection.execute(
        update(unfinished_copy)
        .where(unfinished_copy.c.table_name == table)
        .values(rows=contents.rows, checksum=f"{contents.checksum:x}")
    )


def end_copy(connection: Connection) -> None:
    """Note that the copy is whole."""
    unfinished_copy.drop(connection)
