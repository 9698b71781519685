"""Brings a database up to date, with Alembic and the `migrations` package.

Not the tables, which are `server.storage.tables`.

Alembic is imported only when there is something to do: that costs 0.2 s, and to see that there is nothing takes one
query. Two processes that start at once take turns: the second one waits and finds nothing left to do.
"""

import asyncio
import sqlite3
from importlib.resources import files
from pathlib import Path

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from ..journal.store import StorageError
from .address import PostgresAddress, SqliteAddress, parse_address
from .sqlite import connect, explain

_REVISION = "SELECT version_num FROM alembic_version"
_LOCK = "SELECT pg_advisory_xact_lock(7262001)"
"""Any number will do that nothing else locks in the database."""


async def migrate(url: str) -> bool:
    """Bring the database of that address up to date, creating it if it is a file that does not exist.

    Returns whether there was anything to do. Raises: StorageError.
    """
    address = parse_address(url)
    if isinstance(address, SqliteAddress):
        return await asyncio.to_thread(_migrate_sqlite, address.path)
    return await _migrate_postgres(address)


def head_revision() -> str:
    """Return the newest revision in `migrations`, whose files are named `revision_NUMBER_what_it_does.py`."""
    names = (file.name for file in files("millrace.migrations").joinpath("versions").iterdir())
    return max(name.split("_")[1] for name in names if name.startswith("revision_"))


def upgrade(connection: Connection) -> None:
    """Run the migrations that a database lacks, in the transaction that the connection is in. Raises: StorageError."""
    from alembic import command  # noqa: PLC0415 - see the module's docstring
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    # ConfigParser, which holds the options, reads a lone per cent sign as its own.
    config.set_main_option("script_location", str(files("millrace.migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StorageError(f"the database cannot be brought up to date: {error}") from error


def _migrate_sqlite(path: Path) -> bool:
    try:
        connection = connect(path)
        try:
            if _sqlite_revision(connection) == head_revision():
                return False
        finally:
            connection.close()
        _upgrade_sqlite(path)
    except sqlite3.Error as error:
        raise explain(path, error) from error
    return True


def _sqlite_revision(connection: sqlite3.Connection) -> object:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
        return None
    return (connection.execute(_REVISION).fetchone() or (None,))[0]


def _upgrade_sqlite(path: Path) -> None:
    engine = create_engine("sqlite://", creator=lambda: connect(path), poolclass=NullPool)
    # The write lock is taken first, so that of two processes one finds the other's work done.
    event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            upgrade(connection)
    except DBAPIError as error:
        raise (error.orig if isinstance(error.orig, sqlite3.Error) else error) from error
    finally:
        engine.dispose()


async def _migrate_postgres(address: PostgresAddress) -> bool:
    try:
        from . import postgres  # noqa: PLC0415 - its driver is an extra
    except ModuleNotFoundError as error:
        raise StorageError(f"PostgreSQL needs more: pip install 'millrace[postgres]' ({error})") from error
    async with postgres.explained(address):
        connection = await postgres.connect(address)
        try:
            known = await connection.fetchval("SELECT to_regclass('alembic_version')")
            if known and await connection.fetchval(_REVISION) == head_revision():
                return False
        finally:
            await connection.close()
        await _upgrade_postgres(address)
    return True


async def _upgrade_postgres(address: PostgresAddress) -> None:
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415 - as Alembic

    from . import postgres  # noqa: PLC0415

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: postgres.connect(address), poolclass=NullPool
    )
    try:
        async with engine.begin() as connection:
            await connection.exec_driver_sql(_LOCK)
            await connection.run_sync(upgrade)
    except DBAPIError as error:
        raise StorageError(f"the database {address} cannot be brought up to date: {error.orig}") from error
    finally:
        await engine.dispose()
