"""Stores batches of appends in PostgreSQL, each batch in one transaction.

Several servers may share PostgreSQL. Two that append to one match meet at the unique keys: the loser waits until the
winner has committed and is then refused. All servers write the matches of a batch in one order, so that two batches
seldom wait for each other; if they do, PostgreSQL rolls one of them back, which is then stored again.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy.ext.asyncio import AsyncConnection

from .appends import Append, Outcome, Row, Statement, compile_statement, concerns_one, outcome_alone
from .database import Database
from .errors import StorageError
from .failures import explained, is_conflict, is_retryable, is_unstorable

if TYPE_CHECKING:
    import asyncpg

ATTEMPTS = 3
"""Maximum attempts to store a batch that PostgreSQL rolls back because of another transaction."""


class PostgresBatches:
    """Stores appends on a connection of its own; a batch runs `insert_event` and then `statements` in their order."""

    def __init__(self, database: Database, insert_event: Statement, statements: Sequence[Statement]) -> None:
        self._database = database
        self._insert_event = insert_event
        dialect = database.engine.dialect
        self._texts = {each: compile_statement(each, dialect) for each in (insert_event, *statements)}
        self._connection: AsyncConnection | None = None
        self._driver: asyncpg.Connection | None = None
        """Through SQLAlchemy a lone append took 850 us of CPU instead of 320 (`python -m benchmarks.journal`)."""

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
            if not concerns_one(error):
                raise
            if len(appends) == 1:
                return [outcome_alone(error)]
            middle = len(appends) // 2
            return [*await self._write(appends[:middle]), *await self._write(appends[middle:])]
        return [True] * len(appends)

    async def _store(self, appends: Sequence[Append]) -> None:
        """Store all of the appends, or raise a StorageError with its cause."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with explained(self._database.url):
                    async with self._transaction() as driver:
                        await self._insert(driver, appends)
            except StorageError as error:
                if attempt == ATTEMPTS or not is_retryable(error.__cause__):
                    raise
            else:
                return

    async def _insert(self, driver: "asyncpg.Connection", appends: Iterable[Append]) -> None:
        rows: dict[Statement, list[Row]] = defaultdict(list)
        for append in appends:
            rows[self._insert_event] += append.events
            for statement, some in append.steps:
                rows[statement] += some
        assert rows.keys() <= self._texts.keys(), "a statement that the journal was not told of"
        for statement, text in self._texts.items():
            if rows[statement]:
                await driver.executemany(text, rows[statement])

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator["asyncpg.Connection"]:
        """Give the driver's connection in a transaction; after a failure of the database the next one connects anew."""
        driver = await self._connected()
        try:
            async with driver.transaction(isolation="read_committed"):
                yield driver
        except BaseException as error:
            if not is_conflict(error) and not is_unstorable(error):
                await self._disconnect()
            raise

    async def _connected(self) -> "asyncpg.Connection":
        if self._driver is not None and self._driver.is_closed():
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


def sort_appends(appends: Sequence[Append]) -> list[int]:
    """Return the indices in an order that all servers share, and that has the same outcomes as the given order.

    Only appends to one match, or appends that begin matches, can conflict; only those keep their order.
    """
    begun = {append.match for append in appends if append.expected_seq == 0}
    keys = [(append.match not in begun, "" if append.match in begun else append.match) for append in appends]
    return sorted(range(len(appends)), key=keys.__getitem__)
