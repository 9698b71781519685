"""Brings a database up to date, with Alembic and the `migrations` package.

Alembic is imported only when there is something to do: the import takes 0.2 s, the checks two queries. Of two processes
that start at once the second one waits and finds nothing left to do.

During an upgrade releases run side by side. A newer database is left alone if this release can work with it:
`migrations.env` notes there which ones can.
"""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import structlog
from sqlalchemy import Connection, inspect, text

from ..runtime.private_files import close_to_others, make_private_file
from . import database as databases
from .address import describe, is_sqlite, parse_address, sqlite_path
from .copy_marks import forget_move, require_finished, require_not_moved
from .damaged_file import require_whole
from .database import open_engine
from .errors import StorageError
from .failures import explained
from .postgres_conditions import require_utf8

log = structlog.get_logger()

PAGE_BYTES = 1024
"""Page size of a new SQLite file. Each event changes a page of the key's index, anywhere in the file, and small pages
are less to write: 8.8 us of CPU for an event instead of 10.3 with SQLite's usual 4096
(`python -m benchmarks.journal_layouts --stored 10000` at commit 42e2304)."""

SUFFIXES = ("", "-wal", "-shm")
"""The files of an SQLite database."""

BUSY_POLL_SECONDS = 0.01

_POSTGRES_LOCK = "SELECT pg_advisory_xact_lock(7262001)"
"""Any number that nothing else locks in the database."""


async def migrate(address: str, revision: str = "", *, reopens: bool = False) -> bool:
    """Bring the database at that address up to date, or to a revision; a file that does not exist is created.

    An unfinished copy of another database is refused (`server.storage.copying`), and one that was copied into another
    unless it `reopens`. Returns whether anything was to do.
    Raises: StorageError, also if a newer release has changed the database so that this one cannot use it, or if the
    tables are older than the first migration.
    """
    url = parse_address(address)
    if is_sqlite(url):
        with explained(url):
            await asyncio.to_thread(_prepare_file, sqlite_path(url))
    engine = open_engine(url)
    try:
        with explained(url):
            async with engine.connect() as connection:
                if not is_sqlite(url):
                    await connection.run_sync(require_utf8, describe(url))
                await connection.run_sync(require_finished, describe(url))
                if reopens:
                    await connection.run_sync(forget_move)
                    await connection.commit()
                await connection.run_sync(require_not_moved, describe(url))
                stored = await connection.run_sync(stored_revision)
                if stored == (revision or head_revision()):
                    return False
                if not revision and stored is not None and stored > head_revision():
                    await connection.run_sync(_require_compatible, stored)
                    return False
                if stored is not None:
                    require_upgradable(stored, describe(url))
            async with engine.begin() as connection:
                # Taken first, so that of two processes the second finds the work done.
                await connection.execute(text("BEGIN IMMEDIATE" if is_sqlite(url) else _POSTGRES_LOCK))
                before = await connection.run_sync(stored_revision)
                await connection.run_sync(upgrade, revision)
                after = await connection.run_sync(stored_revision)
            if before not in (None, after):
                log.info("database upgraded", database=describe(url), before=before, after=after)
            return True
    finally:
        await engine.dispose()


def head_revision() -> str:
    """Return the newest revision in `migrations`."""
    return max(_revisions())


def require_upgradable(revision: str, place: str) -> None:
    """Raises: StorageError if this release has no migration from a revision that old."""
    if revision < min(_revisions()):
        raise StorageError(
            f"the tables in {place} are of revision {revision}, from before Millrace 0.1.0, which this release cannot "
            f"upgrade: run `millrace migrate` of 0.1.0 first"
        )


def _revisions() -> Iterator[str]:
    """Yield the revisions in `migrations`, whose files are named `revision_NUMBER_what_it_does.py`."""
    names = (file.name for file in files("millrace.migrations").joinpath("versions").iterdir())
    return (name.split("_")[1] for name in names if name.startswith("revision_"))


def stored_revision(connection: Connection) -> str | None:
    """Return the revision of a database, None if it has no tables of Millrace."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def upgrade(connection: Connection, revision: str = "") -> None:
    """Run the missing migrations, up to a revision or all of them, in the transaction that the connection is in.

    Raises: StorageError.
    """
    from alembic import command  # noqa: PLC0415 - see the module's docstring
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    # ConfigParser, which holds the options, gives a lone per cent sign a meaning of its own.
    config.set_main_option("script_location", str(files("millrace.migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    try:
        command.upgrade(config, revision or "head")
    except CommandError as error:
        raise StorageError(f"the database cannot be brought up to date: {error}; use a newer millrace") from error


def _require_compatible(connection: Connection, stored: str) -> None:
    """Raises: StorageError unless this release works with the tables of a newer one."""
    oldest = connection.scalar(text("SELECT oldest_compatible FROM alembic_version"))
    head = head_revision()
    if oldest is None or oldest > head:
        raise StorageError(
            f"the tables are of revision {stored}, which releases with revision {oldest or stored} or later can use; "
            f"this one has {head}: use a newer millrace"
        )


def _prepare_file(path: Path) -> None:
    """Create the file, which nobody else may read, if it does not exist; have it keep a write-ahead log from now on.

    The driver for the event loop is not used: it reports no clean error when a file cannot be opened.
    """
    require_whole(path)
    # SQLite gives the files beside it the same permissions.
    make_private_file(path)
    for suffix in SUFFIXES[1:]:
        close_to_others(Path(f"{path}{suffix}"))
    with closing(sqlite3.connect(path, timeout=databases.BUSY_SECONDS, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        deadline_s = time.monotonic() + databases.BUSY_SECONDS
        while not _write_ahead(connection, deadline_s):
            time.sleep(BUSY_POLL_SECONDS)


def _write_ahead(connection: sqlite3.Connection, deadline_s: float) -> bool:
    """Return whether the file could be changed; only for this change SQLite itself does not wait for its turn."""
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline_s:
            raise
        return False
    return True
