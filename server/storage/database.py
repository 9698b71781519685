"""A database: one SQLAlchemy engine, through which every store reads and writes.

No statements here: each store has its own.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar
from weakref import WeakSet

import msgspec
from sqlalchemy import URL, Executable, event
from sqlalchemy.engine import CursorResult
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from ..runtime.installation import install_command
from ..runtime.slices import in_slices
from ..runtime.turns import Turn
from .address import connect_seconds, is_sqlite, sqlite_path
from .errors import StorageError
from .failures import explained
from .writable import WritableFile

if TYPE_CHECKING:
    import asyncpg

CONNECTIONS = 5
"""Connections that are open at once: the journal's and those of readers."""

ROWS_AT_ONCE = 200
"""Parameters for which a statement is run in one transaction."""

BUSY_SECONDS = 5.0
"""How long SQLite waits for the write lock of another process."""

CHECKPOINT_PAGES = 64_000
"""Pages in SQLite's write-ahead log at which a commit copies it into the file, unless `server.storage.checkpoints` has
done so long before."""

LOG_BYTES = 32 * 1024 * 1024
"""Size of the write-ahead log to which it is cut back after it has been longer."""

CONNECT_SECONDS = 10.0
RECONNECT_SECONDS = 5.0
COMMAND_SECONDS = 30.0
"""Time limits for PostgreSQL's answers; after that a connection counts as broken. A server that has started tries again
sooner than a command gives up."""

SERVING_SETTINGS = {
    "idle_in_transaction_session_timeout": 1500,
    "lock_timeout": 2000,
    "tcp_user_timeout": 2000,
    "tcp_keepalives_idle": 2,
    "tcp_keepalives_interval": 1,
}
"""PostgreSQL's settings for the sessions of a server, in ms or, for keep-alives, in seconds. A server that freezes or
is cut off in a transaction loses it, with its locks, before others give up waiting for them; what it sends when it
wakes up is refused."""

SETTLED_NS = 100_000_000
"""Age from which the time of a file's last change is certain."""

CLOSE_SECONDS = 1.0
"""How long closing waits for connections that are in use."""

SQLITE_PRAGMAS = (
    "synchronous = FULL",
    f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    f"journal_size_limit = {LOG_BYTES}",
)
"""Set for each connection. FULL: a commit returns only when the disk has it."""


Parameters: TypeAlias = Mapping[str, object]
"""Values of the parameters that a statement names with `bindparam`, for one that is built once and used often."""

NONE: Parameters = MappingProxyType({})

R = TypeVar("R")
F = TypeVar("F", bound=NamedTuple)


class Step(NamedTuple):
    """A statement of a transaction."""

    statement: Executable
    must_change: bool = False
    """Whether the transaction is rolled back unless this statement changes a row."""


class _NothingChangedError(Exception):
    """Rolls back a transaction in which a step changed nothing that must."""


class Database:
    """The engine of one database. Every method raises StorageError.

    After a failure the next call connects anew.
    """

    def __init__(self, url: URL) -> None:
        self.url = url
        self._drivers: WeakSet[asyncpg.Connection] = WeakSet()
        """PostgreSQL's open connections."""
        self.engine = open_engine(url, connect=self._connect)
        self.turn = Turn()
        """Of writing to an SQLite file; PostgreSQL needs none."""
        self._writable = WritableFile(sqlite_path(url)) if is_sqlite(url) else None
        self._uses = 0
        """How many readers and writers have a connection or wait for one."""
        self._unused = asyncio.Event()
        self._unused.set()

    @property
    def is_sqlite(self) -> bool:
        """Whether this is an SQLite file."""
        return is_sqlite(self.url)

    def last_change(self) -> tuple[int, int] | None:
        """Return what differs once an SQLite file has been changed, by whatever process; None if that is not known yet,
        as of PostgreSQL. It takes some microseconds, so that what looks for changes need not read."""
        if not self.is_sqlite:
            return None
        with suppress(OSError):
            log = Path(f"{sqlite_path(self.url)}-wal").stat()
            # Times of files are coarse: what changed just now may change again at the same time.
            if time.time_ns() - log.st_mtime_ns > SETTLED_NS:
                return log.st_mtime_ns, log.st_size
        return None

    async def rows(self, statement: Executable, parameters: Parameters = NONE) -> list[tuple[Any, ...]]:
        """Return the rows of a query as they are."""
        self._require_writable()
        with explained(self.url), self._used():
            async with self.engine.connect() as connection:
                return [tuple(row) for row in await connection.execute(statement, parameters)]

    async def records(self, record_type: type[R], statement: Executable, parameters: Parameters = NONE) -> list[R]:
        """Return the rows of a query as records, whose fields are its columns in order."""
        rows = await self.rows(statement, parameters)
        with explained(self.url):
            return [msgspec.convert(row, record_type) async for row in in_slices(rows)]

    async def pairs(self, first: type[F], second: type[R], statement: Executable) -> list[tuple[F, R]]:
        """Return the rows of a query as two records each: the first one's columns, then the second one's."""
        width = len(first._fields)
        rows = await self.rows(statement)
        with explained(self.url):
            return [
                (msgspec.convert(row[:width], first), msgspec.convert(row[width:], second))
                async for row in in_slices(rows)
            ]

    async def record(self, record_type: type[R], statement: Executable, parameters: Parameters = NONE) -> R | None:
        """Return the first row of a query as a record, or None if there is no row."""
        found = await self.records(record_type, statement, parameters)
        return found[0] if found else None

    async def values(self, value_type: type[R], statement: Executable) -> list[R]:
        """Return the first column of a query."""
        rows = await self.rows(statement)
        with explained(self.url):
            return [msgspec.convert(row[0], value_type) for row in rows]

    async def value(self, value_type: type[R], statement: Executable) -> R | None:
        """Return the first column of the first row of a query, or None if there is no row."""
        found = await self.values(value_type, statement)
        return found[0] if found else None

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection in a transaction for writing, which is committed at the end, or rolled back on failure."""
        self._require_writable()
        with explained(self.url), self._used():
            async with self.turn if self.is_sqlite else nullcontext(), self.engine.begin() as connection:
                yield connection

    async def execute(self, statement: Executable) -> int:
        """Run a statement in a transaction of its own; return how many rows it changed."""
        async with self.begin() as connection:
            return await _count(connection, statement)

    async def execute_for_each(self, statement: Executable, rows: Sequence[Parameters]) -> None:
        """Run a statement for each of some parameters, each portion of them in a transaction of its own.

        Others who write wait for a portion, not for all.
        """
        for first in range(0, len(rows), ROWS_AT_ONCE):
            async with self.begin() as connection:
                await connection.execute(statement, rows[first : first + ROWS_AT_ONCE])

    async def transact(self, steps: Sequence[Step]) -> bool:
        """Run steps in one transaction.

        Returns False, with nothing stored, if one violates a constraint or changes nothing though it must.
        """
        try:
            async with self.begin() as connection:
                for step in steps:
                    if not await _count(connection, step.statement) and step.must_change:
                        raise _NothingChangedError
        except _NothingChangedError:
            return False
        except StorageError as error:
            if isinstance(error.__cause__, IntegrityError):
                return False
            raise
        return True

    async def open_connections(self) -> None:
        """Open all connections to an SQLite file, whose threads the system may not allow later."""
        if self.is_sqlite:
            with explained(self.url):
                async with AsyncExitStack() as connections:
                    for _ in range(CONNECTIONS):
                        await connections.enter_async_context(self.engine.connect())

    def _require_writable(self) -> None:
        """Raises: StorageError if an SQLite file must not be used."""
        if self._writable is not None:
            self._writable.require()

    @contextmanager
    def _used(self) -> Iterator[None]:
        """Count a use of the database as long as the context lasts."""
        self._uses += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._uses -= 1
            if self._uses == 0:
                self._unused.set()

    def break_off(self) -> None:
        """End all connections to PostgreSQL, which does not answer: whatever waits for an answer fails now.

        What was to be stored may have been stored.
        """
        for driver in tuple(self._drivers):
            driver.terminate()

    async def _connect(self) -> "asyncpg.Connection":
        driver = await connect_to_postgres(self.url, is_serving=True)
        self._drivers.add(driver)
        return driver

    async def close(self) -> None:
        """Close all connections, once those that are in use have been returned; one that hangs is left to its end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._unused.wait()
        await self.engine.dispose()


class Store:
    """Reads and writes a part of what a database stores."""

    def __init__(self, database: Database) -> None:
        self._database = database


def open_engine(
    url: URL,
    command_seconds: float = COMMAND_SECONDS,
    connect: Callable[[], Awaitable["asyncpg.Connection"]] | None = None,
) -> AsyncEngine:
    """Return the engine for an address; it connects when it is first used. Raises: StorageError.

    `command_seconds` is the time limit for each of PostgreSQL's answers; `connect` returns another kind of connection.
    """
    if is_sqlite(url):
        return _open_sqlite(url)
    _require_asyncpg()
    return create_async_engine(
        url,
        async_creator=connect or partial(connect_to_postgres, url, command_seconds=command_seconds),
        isolation_level="READ COMMITTED",
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_pre_ping=True,
    )


async def connect_to_postgres(
    url: URL,
    settings: dict[str, str] | None = None,
    command_seconds: float = COMMAND_SECONDS,
    *,
    is_serving: bool = False,
) -> "asyncpg.Connection":
    """Return the driver's connection, with some of PostgreSQL's settings changed, and those for a server's sessions if
    `is_serving`. Raises: what the driver does.
    """
    _require_asyncpg()
    import asyncpg  # noqa: PLC0415 - an extra

    # asyncpg itself reads the address, with all the options that libpq knows but one.
    address = url.set(drivername="postgresql").difference_update_query(["connect_timeout"])
    connection = await asyncpg.connect(
        address.render_as_string(hide_password=False),
        timeout=connect_seconds(url) or (RECONNECT_SECONDS if is_serving else CONNECT_SECONDS),
        command_timeout=command_seconds,
        server_settings=settings,
    )
    if is_serving:
        try:
            # Not a part of connecting: poolers refuse it there.
            changes = "; ".join(f"SET {name} = {value}" for name, value in SERVING_SETTINGS.items())
            await connection.execute(changes, timeout=RECONNECT_SECONDS)
        except BaseException:
            connection.terminate()
            raise
    return connection


def _require_asyncpg() -> None:
    """Raises: StorageError if the extra is not installed."""
    try:
        import asyncpg  # noqa: F401, PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise StorageError(f"PostgreSQL needs more packages: {install_command('postgres')} ({error})") from error


def _open_sqlite(url: URL) -> AsyncEngine:
    # In this mode the driver begins a transaction before the first statement that writes, and none for reading;
    # IMMEDIATE takes the write lock at once, so that nothing in between can make the transaction fail.
    arguments = {"timeout": BUSY_SECONDS, "isolation_level": "IMMEDIATE"}
    engine = create_async_engine(url, connect_args=arguments, pool_size=CONNECTIONS, max_overflow=0)
    event.listen(engine.sync_engine, "connect", _set_pragmas)
    event.listen(engine.sync_engine, "handle_error", _reopen)
    return engine


def _set_pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    try:
        cursor = connection.cursor()
        for pragma in SQLITE_PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
    except BaseException:
        # SQLAlchemy does not close a connection that it has not received.
        connection.close()
        raise


def _reopen(context: ExceptionContext) -> None:
    """Have the file opened anew after a failure of the database; constraints and unstorable values are none."""
    if type(context.original_exception) in (sqlite3.OperationalError, sqlite3.DatabaseError):
        context.is_disconnect = True


async def _count(connection: AsyncConnection, statement: Executable) -> int:
    result: CursorResult[Any] = await connection.execute(statement)
    return result.rowcount
