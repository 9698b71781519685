"""Stores batches of appends, each batch in one transaction, with the same steps for SQLite and PostgreSQL.

Gathers nothing: `server.storage.writer` does. No statements: `server.storage.journal` has them.

The drivers do not report how many of many rows a statement has inserted. The statements are therefore written so that a
conflicting row violates a constraint. The batch is then halved until each conflict stands alone.

Several servers may share PostgreSQL. Two that append to one match meet at the unique keys: the loser waits until the
winner has committed and is then refused. All servers write the matches of a batch in one order, so that two batches
seldom wait for each other; if they do, PostgreSQL rolls one of them back, which is then stored again.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import aiosqlite
from sqlalchemy import Executable
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

from ..journal.store import StorageError
from ..protocol import MatchId
from .database import Database
from .failures import explained, is_conflict, is_retryable, is_unstorable

if TYPE_CHECKING:
    import asyncpg

ATTEMPTS = 3
"""Maximum attempts to store a batch that PostgreSQL rolls back because of another transaction."""

Row: TypeAlias = tuple[object, ...]


class Statement(NamedTuple):
    """A statement for many rows, and the names of its parameters in the order in which rows have them."""

    executable: Executable
    parameters: tuple[str, ...]


class Insertion(NamedTuple):
    """A step of an append: rows for a statement."""

    statement: Statement
    rows: Sequence[Row]


class Append(NamedTuple):
    """Rows of one match that are stored together or not at all."""

    match: MatchId
    steps: Sequence[Insertion]
    begins: bool = False
    """Whether these are the first rows of the match."""


Outcome: TypeAlias = bool | StorageError
"""Of an append: stored, refused because of a conflict, or unstorable (which concerns that append alone)."""


class BatchStore:
    """Stores appends on a connection of its own; a batch runs `statements` in their order."""

    def __init__(self, database: Database, statements: Sequence[Statement]) -> None:
        self._database = database
        self._texts = {statement: _text(database, statement) for statement in statements}
        self._connection: AsyncConnection | None = None
        self._driver: Driver | None = None

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Store each append that conflicts with nothing stored or before it, durably; return their outcomes.

        Raises: StorageError. Any of the appends may then have been stored.
        """
        order = sort_appends(appends)
        outcomes = await self._write([appends[index] for index in order])
        by_index = dict(zip(order, outcomes, strict=True))
        return [by_index[index] for index in range(len(appends))]

    async def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            await self._connection.close()

    async def _write(self, appends: Sequence[Append]) -> list[Outcome]:
        try:
            await self._store(appends)
        except StorageError as error:
            cause = error.__cause__
            if not is_conflict(cause) and not is_unstorable(cause):
                raise
            if len(appends) == 1:
                return [False if is_conflict(cause) else StorageError(f"this cannot be stored: {error}")]
            middle = len(appends) // 2
            return [*await self._write(appends[:middle]), *await self._write(appends[middle:])]
        return [True] * len(appends)

    async def _store(self, appends: Sequence[Append]) -> None:
        """Store all of the appends, or raise a StorageError with its cause."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with explained(self._database.url):
                    async with self._database.turn, self._transaction() as driver:
                        await self._insert(driver, appends)
            except StorageError as error:
                if attempt == ATTEMPTS or not is_retryable(error.__cause__):
                    raise
            else:
                return

    async def _insert(self, driver: "Driver", appends: Iterable[Append]) -> None:
        rows: dict[Statement, list[Row]] = defaultdict(list)
        for append in appends:
            for statement, some in append.steps:
                rows[statement] += some
        for statement, text in self._texts.items():
            if statement in rows:
                await driver.executemany(text, rows[statement])

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator["Driver"]:
        """Give the driver's connection in a transaction; after a failure of the database the next one connects anew."""
        driver = await self._connected()
        try:
            if isinstance(driver, aiosqlite.Connection):
                async with _sqlite_transaction(driver):
                    yield driver
            else:
                async with driver.transaction(isolation="read_committed"):
                    yield driver
        except BaseException as error:
            if not is_conflict(error) and not is_unstorable(error):
                await self._disconnect()
            raise

    async def _connected(self) -> "Driver":
        driver = self._driver
        if driver is not None and not isinstance(driver, aiosqlite.Connection) and driver.is_closed():
            await self._disconnect()
        if self._driver is None:
            self._connection = await self._database.engine.connect()
            self._driver = (await self._connection.get_raw_connection()).driver_connection
        assert self._driver is not None
        return self._driver

    async def _disconnect(self) -> None:
        connection, self._connection, self._driver = self._connection, None, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()


Driver: TypeAlias = "aiosqlite.Connection | asyncpg.Connection"
"""The driver's own connection: through SQLAlchemy a lone append took 850 us of CPU instead of 320, and one of 200 took
55 instead of 40 (`python -m benchmarks.journal`)."""


@asynccontextmanager
async def _sqlite_transaction(driver: aiosqlite.Connection) -> AsyncIterator[None]:
    # The driver has begun the transaction when it runs the first insert (see `server.storage.database`).
    try:
        yield
        await driver.commit()
    except BaseException:
        await driver.rollback()
        raise


def _text(database: Database, statement: Statement) -> str:
    """Return a statement as the driver takes it."""
    assert isinstance(statement.executable, ClauseElement)
    compiled = statement.executable.compile(dialect=database.engine.dialect)
    assert isinstance(compiled, SQLCompiler)
    assert tuple(compiled.positiontup or ()) == statement.parameters, compiled
    return str(compiled)


def sort_appends(appends: Sequence[Append]) -> list[int]:
    """Return the indices in an order that all servers share, and that has the same outcomes as the given order.

    Only appends to one match, or appends that begin matches, can conflict; only those keep their order.
    """
    begun = {append.match for append in appends if append.begins}
    keys = [(append.match not in begun, "" if append.match in begun else append.match) for append in appends]
    return sorted(range(len(appends)), key=keys.__getitem__)
