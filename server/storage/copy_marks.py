"""The tables that keep servers and commands away from the databases of a copy (`server.storage.copying`).

The copy is marked until it is whole: what is there already looks like a whole database. The original is marked from
then on: what would be stored there, the copy would not have. A process that is killed in between leaves both usable.
"""

from collections.abc import Mapping

from sqlalchemy import BigInteger, Column, Connection, MetaData, Table, Text, inspect, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .contents import Contents
from .errors import MovedError, StorageError

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

MOVED_TO = "moved_to"

moved_to = Table(MOVED_TO, MetaData(), Column("target", Text, nullable=False))
"""One row: the database into which this one was copied."""

READ_TARGET = f"SELECT target FROM {MOVED_TO}"


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


def require_not_moved(connection: Connection, described: str) -> None:
    """Check that a database has not been copied into another one. Raises: MovedError."""
    if inspect(connection).has_table(MOVED_TO):
        raise MovedError(described, connection.scalar(text(READ_TARGET)))


def mark_moved(connection: Connection, target: str) -> None:
    """Note that a database has been copied into another one."""
    forget_move(connection)
    moved_to.create(connection)
    connection.execute(moved_to.insert(), {"target": target})


def forget_move(connection: Connection) -> None:
    """Let a database be used again, though it has been copied into another one."""
    moved_to.drop(connection, checkfirst=True)
