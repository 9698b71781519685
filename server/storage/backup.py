"""Backups: all rows of a database at one moment, read while a server serves it.

They are read in one transaction, which sees nothing that is committed later and holds up nobody. The file is that of
`server.storage.backup_file`; `server.storage.restoring` puts it back.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from sqlalchemy import URL

from ..runtime.gentle_files import replacing
from ..runtime.private_files import PRIVATE
from .address import describe, is_sqlite, parse_address, sqlite_path
from .backup_file import FORMAT, ROWS_IN_A_LINE, BackupWriter, Header
from .copy_marks import MOVED_TO, READ_TARGET, UNFINISHED_COPY
from .damaged_file import require_whole
from .database import connect_to_postgres
from .errors import MovedError, StorageError
from .failures import explained

if TYPE_CHECKING:
    import asyncpg

Columns = dict[str, list[str]]
Step = Callable[[], None]

REVISIONS = "alembic_version"
"""The table that is not copied; the header has its one row."""

_SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"

POSTGRES_TABLES = """
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position) FROM information_schema.columns
WHERE table_schema = current_schema() GROUP BY table_name ORDER BY table_name
"""


async def write_backup(address: str, path: Path, now_ms: int, step: Step) -> Mapping[str, int]:
    """Write all rows of a database to a file, and call `step` for each piece; return the number of rows by table.

    Only the file's owner may read it, since it holds the hashes of passwords. Raises: StorageError; OSError.
    """
    url = parse_address(address)
    with replacing(path, PRIVATE) as file:
        if is_sqlite(url):
            return await asyncio.to_thread(_copy_sqlite, url, file, now_ms, step)
        return await _copy_postgres(url, file, now_ms, step)


def quoted(table: str, columns: list[str]) -> str:
    """Return a table and its columns as SQL has them, for a statement that inserts."""
    return f'"{table}" ({", ".join(map(_quote, columns))})'


def _copy_sqlite(url: URL, file: BinaryIO, now_ms: int, step: Step) -> Mapping[str, int]:
    path = sqlite_path(url)
    if not path.exists():
        raise StorageError(f"there is no database {path}")
    with explained(url):
        require_whole(path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            columns = {
                str(name): [str(column) for _, column, *_ in connection.execute(f"PRAGMA table_info({_quote(name)})")]
                for (name,) in connection.execute(_SQLITE_TABLES).fetchall()
            }
            _require_tables(url, columns)
            if MOVED_TO in columns:
                raise MovedError(describe(url), *connection.execute(READ_TARGET).fetchone())
            (revision,) = connection.execute(f"SELECT version_num FROM {REVISIONS}").fetchone()
            writer = _begin(file, revision, now_ms, columns)
            for table in writer.rows:
                cursor = connection.execute(_select(table, columns[table]))
                while rows := cursor.fetchmany(ROWS_IN_A_LINE):
                    writer.add(table, rows)
                    step()
    writer.finish()
    return writer.rows


async def _copy_postgres(url: URL, file: BinaryIO, now_ms: int, step: Step) -> Mapping[str, int]:
    with explained(url):
        connection = await connect_to_postgres(url)
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                columns: Columns = {name: list(some) for name, some in await connection.fetch(POSTGRES_TABLES)}
                _require_tables(url, columns)
                if MOVED_TO in columns:
                    raise MovedError(describe(url), await connection.fetchval(READ_TARGET))
                revision = await connection.fetchval(f"SELECT version_num FROM {REVISIONS}")
                writer = _begin(file, revision, now_ms, columns)
                for table in writer.rows:
                    await _copy_table(connection, table, columns[table], writer, step)
        finally:
            await connection.close()
    writer.finish()
    return writer.rows


async def _copy_table(
    connection: "asyncpg.Connection", table: str, columns: list[str], writer: BackupWriter, step: Step
) -> None:
    cursor = await connection.cursor(_select(table, columns))
    while rows := await cursor.fetch(ROWS_IN_A_LINE):
        writer.add(table, [tuple(row) for row in rows])
        step()


def _begin(file: BinaryIO, revision: str, now_ms: int, columns: Columns) -> BackupWriter:
    copied = {table: some for table, some in columns.items() if table != REVISIONS}
    return BackupWriter(file, Header(FORMAT, revision, now_ms, copied))


def _require_tables(url: URL, columns: Columns) -> None:
    if REVISIONS not in columns:
        raise StorageError(f"the database {describe(url)} is not one of Millrace: it has no table {REVISIONS}")
    if UNFINISHED_COPY in columns:
        raise StorageError(f"the database {describe(url)} is an unfinished copy of another one; finish it first")


def _select(table: str, columns: list[str]) -> str:
    return f"SELECT {', '.join(map(_quote, columns))} FROM {_quote(table)}"


def _quote(name: str) -> str:
    return f'"{name}"'
