"""Restores a backup: all of it, or nothing.

The tables are created as the backup's server had them, filled, and then brought up to date like any older database.
What was in the database before is kept beside it: as files, or as the tables of another schema.
"""

import asyncio
import os
import sqlite3
from base64 import b64decode
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection

from ..runtime.gentle_files import synchronise_folder
from .address import describe, is_sqlite, parse_address, sqlite_path
from .backup import POSTGRES_TABLES, REVISIONS, quoted
from .backup_file import BackupError, Header, check_backup, read_header, read_rows
from .copy_marks import READ_TARGET, require_not_moved
from .damaged_file import RESTORING
from .database import open_engine
from .errors import MovedError, StorageError
from .failures import explained
from .migrate import SUFFIXES, head_revision, migrate, require_upgradable, upgrade
from .server_lock import take_server_lock

_COLUMNS_OF_TYPE = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND data_type = :type
"""

_SQLITE_BLOBS = """
SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' AND columns.type = 'BLOB'
"""

Convert = Callable[[object], object]


async def restore_backup(
    address: str, path: Path, now_ms: int, step: Callable[[], None], *, replaces: bool
) -> tuple[Mapping[str, int], str]:
    """Put a backup into a database that is empty or, if `replaces`, may be replaced; `step` is called for each piece.

    Returns the number of rows by table, and where the former content is kept, or "".
    Raises: StorageError, also if a server serves the database; BackupError; OSError.
    """
    header = read_header(path)
    if header.revision > head_revision():
        raise BackupError(f"{path} was written by a newer Millrace, whose tables have revision {header.revision}.")
    require_upgradable(header.revision, str(path))
    rows = await asyncio.to_thread(check_backup, path)
    url = parse_address(address)
    lock = await take_server_lock(address)
    stamp = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y%m%d-%H%M%S")
    try:
        if is_sqlite(url):
            kept = await _restore_sqlite(url, path, header, stamp, step, replaces)
        else:
            kept = await _restore_postgres(url, path, header, stamp, step, replaces)
    finally:
        await lock.close()
    return rows, kept


async def _restore_sqlite(
    url: URL, path: Path, header: Header, stamp: str, step: Callable[[], None], replaces: bool
) -> str:
    target = sqlite_path(url).resolve()
    if target.exists():
        if not replaces:
            _refuse_to_replace(url)
        _require_not_moved(target)
    building = target.with_name(f"{target.name}{RESTORING}")
    try:
        _remove(building)
        await migrate(str(building), header.revision)
        with explained(url):
            await asyncio.to_thread(_fill_sqlite, building, path, header, step)
        await migrate(str(building))
        return await asyncio.to_thread(_exchange, building, target, stamp)
    finally:
        _remove(building)


def _require_not_moved(file: Path) -> None:
    """Raises: MovedError; not for a file that cannot be read, which may be why a backup is restored."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(file)) as connection:
        raise MovedError(str(file), *connection.execute(READ_TARGET).fetchone())


def _fill_sqlite(building: Path, path: Path, header: Header, step: Callable[[], None]) -> None:
    with closing(sqlite3.connect(building, isolation_level=None)) as connection:
        # Until the file takes its place, nothing depends on it.
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        conversions = dict.fromkeys(connection.execute(_SQLITE_BLOBS), _from_base64)
        for table, rows in read_rows(path):
            columns = header.columns[table]
            _convert(rows, table, columns, conversions)
            connection.executemany(
                f"INSERT INTO {quoted(table, columns)} VALUES ({', '.join('?' * len(columns))})", rows
            )
            step()
        connection.execute("COMMIT")


def _exchange(building: Path, target: Path, stamp: str) -> str:
    """Put the new file in the place of the former one, which is kept with its log; return its new name, or ""."""
    with open(building, "rb") as file:
        os.fsync(file.fileno())
    former = target.with_name(f"{target.name}.before-restore-{stamp}")
    had_former = target.exists()
    for suffix in SUFFIXES:
        if Path(f"{target}{suffix}").exists():
            Path(f"{target}{suffix}").rename(f"{former}{suffix}")
    building.rename(target)
    synchronise_folder(target.parent)
    return str(former) if had_former else ""


async def _restore_postgres(
    url: URL, path: Path, header: Header, stamp: str, step: Callable[[], None], replaces: bool
) -> str:
    engine = open_engine(url)
    try:
        with explained(url):
            async with engine.begin() as connection:
                kept = await _set_aside(connection, url, f"before_restore_{stamp.replace('-', '_')}", replaces)
                await connection.run_sync(upgrade, header.revision)
                await _fill_postgres(connection, path, header, step)
                await connection.run_sync(upgrade)
        return kept
    finally:
        await engine.dispose()


async def _set_aside(connection: AsyncConnection, url: URL, schema: str, replaces: bool) -> str:
    """Move the tables of a database into another schema; return its name, or "" if there are none."""
    tables = [name for name, _ in await connection.execute(text(POSTGRES_TABLES))]
    if REVISIONS not in tables:
        return ""
    if not replaces:
        _refuse_to_replace(url)
    await connection.run_sync(require_not_moved, describe(url))
    await connection.execute(text(f'CREATE SCHEMA "{schema}"'))
    for table in tables:
        await connection.execute(text(f'ALTER TABLE "{table}" SET SCHEMA "{schema}"'))
    return schema


async def _fill_postgres(connection: AsyncConnection, path: Path, header: Header, step: Callable[[], None]) -> None:
    conversions: dict[tuple[str, str], Convert] = {}
    # SQLite knows no truth values, only 0 and 1.
    for type_, convert in (("boolean", bool), ("bytea", _from_base64)):
        for table, column in await connection.execute(text(_COLUMNS_OF_TYPE), {"type": type_}):
            conversions[table, column] = convert
    driver = (await connection.get_raw_connection()).driver_connection
    assert driver is not None
    for table, rows in read_rows(path):
        columns = header.columns[table]
        _convert(rows, table, columns, conversions)
        await driver.copy_records_to_table(table, columns=columns, records=rows)
        step()


def _convert(
    rows: list[list[object]], table: str, columns: list[str], conversions: Mapping[tuple[str, str], Convert]
) -> None:
    """Put into rows what the database takes for what JSON can say."""
    for index, column in enumerate(columns):
        convert = conversions.get((table, column))
        if convert is not None:
            for row in rows:
                row[index] = None if row[index] is None else convert(row[index])


def _from_base64(content: object) -> bytes:
    assert isinstance(content, str)
    return b64decode(content)


def _refuse_to_replace(url: URL) -> NoReturn:
    raise StorageError(
        f"the database {describe(url)} exists; name another one, or add --replace, which keeps the present one under "
        "another name"
    )


def _remove(building: Path) -> None:
    for suffix in SUFFIXES:
        Path(f"{building}{suffix}").unlink(missing_ok=True)
