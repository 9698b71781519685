"""The journal's rows in PostgreSQL, which several servers may share.

One connection writes, a pool reads. Two servers that append to one match at once meet at the unique keys: the loser
waits until the winner has committed and is then refused. Servers write matches in one order, so that two batches
do not wait for each other; where they do nevertheless, the one that PostgreSQL breaks off is written again.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import cast

import asyncpg
from asyncpg import exceptions
from sqlalchemy import Dialect, make_url

from ..journal.store import StorageError
from .address import PostgresAddress
from .statements import Statements, compile_statements
from .writer import Append, Outcome, Step

CONNECT_SECONDS = 10.0
COMMAND_SECONDS = 30.0
"""After so long without an answer a connection counts as broken."""

READERS = 4
ATTEMPTS = 3
"""How often a batch is written that PostgreSQL breaks off for the sake of another transaction."""

_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
_UNSTORABLE = (exceptions.DataError, ValueError, OverflowError)
"""What is wrong with a value rather than with the database; the driver's own DataError is a ValueError."""


class _RefusedError(Exception):
    """Rolls back a transaction in which not every row was inserted or changed."""


@asynccontextmanager
async def explained(address: PostgresAddress) -> AsyncIterator[None]:
    """Turn every failure of the driver or the server into a StorageError in words for people."""
    try:
        yield
    except _FAILURES as error:
        raise StorageError(f"the database {address}: {error or type(error).__name__}") from error


async def connect(address: PostgresAddress) -> asyncpg.Connection:
    """Open a connection. Raises what the driver raises: see `explained`."""
    return await asyncpg.connect(address.url, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS)


class PostgresDatabase:
    """A `Database` in PostgreSQL; `open` makes it. After a failure the next call connects anew."""

    def __init__(self, address: PostgresAddress, readers: asyncpg.Pool):
        self.dialect: Dialect = make_url("postgresql+asyncpg://").get_dialect()()
        self.statements: Statements = compile_statements(self.dialect)
        self._address = address
        self._readers = readers
        self._connection: asyncpg.Connection | None = None

    @classmethod
    async def open(cls, address: PostgresAddress) -> "PostgresDatabase":
        """Connect. Raises: StorageError."""
        async with explained(address):
            readers = await asyncpg.create_pool(
                address.url, min_size=1, max_size=READERS, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS
            )
        return cls(address, readers)

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Store each append that conflicts with nothing stored or before it, durably; return their outcomes."""
        async with explained(self._address):
            order = _order(appends)
            try:
                outcomes = await self._write_again([appends[index] for index in order])
            except BaseException:
                # Whatever state the connection is in, the next batch is not to suffer from it.
                self._disconnect()
                raise
        by_index = dict(zip(order, outcomes, strict=True))
        return [by_index[index] for index in range(len(appends))]

    async def fetch(self, statement: str, *parameters: object) -> Sequence[Sequence[object]]:
        """Return the rows that a query gives."""
        async with explained(self._address):
            rows: Sequence[Sequence[object]] = await self._readers.fetch(statement, *parameters)
            return rows

    async def execute(self, statement: str, *parameters: object) -> None:
        """Run a statement in a transaction of its own."""
        async with explained(self._address):
            await self._readers.execute(statement, *parameters)

    async def transact(self, steps: Sequence[Step]) -> bool:
        """Run all of the statements in one transaction, or none if one violates a key, or changes no row that must:
        then return False."""
        async with explained(self._address), self._readers.acquire() as connection:
            try:
                async with connection.transaction():
                    for step in steps:
                        status = await connection.execute(step.statement, *step.parameters)
                        if step.must_change and status.endswith(" 0"):
                            raise _RefusedError
            except (_RefusedError, exceptions.IntegrityConstraintViolationError):
                return False
        return True

    async def close(self) -> None:
        """Let go of the connections."""
        self._disconnect()
        async with explained(self._address):
            await self._readers.close()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def _connected(self) -> asyncpg.Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._address)
        return self._connection

    async def _write_again(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._write(appends)
            except exceptions.TransactionRollbackError:
                if attempt == ATTEMPTS:
                    raise
        raise AssertionError

    async def _write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        connection = await self._connected()
        try:
            async with connection.transaction(isolation="read_committed"):
                await self._insert(connection, appends)
        except (_RefusedError, exceptions.IntegrityConstraintViolationError, *_UNSTORABLE):
            return await self._write_apart(connection, appends)
        return [True] * len(appends)

    async def _write_apart(self, connection: asyncpg.Connection, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Find out which appends of a batch cannot be stored, and store the others in one transaction."""
        async with connection.transaction(isolation="read_committed"):
            return [await self._write_one(connection, append) for append in appends]

    async def _write_one(self, connection: asyncpg.Connection, append: Append) -> Outcome:
        try:
            async with connection.transaction():
                await self._insert(connection, [append])
        except (_RefusedError, exceptions.IntegrityConstraintViolationError):
            return False
        except _UNSTORABLE as error:
            return StorageError(f"this cannot be stored: {error}")
        return True

    async def _insert(self, connection: asyncpg.Connection, appends: Sequence[Append]) -> None:
        """Insert every row of the appends; raise what rolls all of them back if one conflicts."""
        begun = [append.match for append in appends if append.match is not None]
        rows = [row for append in appends for row in append.events]
        seated = [row for append in appends for row in append.seated]
        ended = [append.ended for append in appends if append.ended is not None]
        placed = [row for append in appends for row in append.placed]
        if begun:
            await connection.executemany(self.statements.insert_match, begun)
        if len(await connection.fetchmany(self.statements.insert_event, rows)) != len(rows):
            raise _RefusedError
        if seated:
            await connection.executemany(self.statements.insert_player, seated)
        if ended:
            await connection.executemany(self.statements.end_match, ended)
        if placed:
            await connection.executemany(self.statements.end_seat, placed)
        await self._insert_ratings(connection, appends)

    async def _insert_ratings(self, connection: asyncpg.Connection, appends: Sequence[Append]) -> None:
        ratings = [row for append in appends for row in append.ratings]
        history = [row for append in appends for row in append.history]
        if ratings and len(await connection.fetchmany(self.statements.put_rating, ratings)) != len(ratings):
            raise _RefusedError
        if history:
            await connection.executemany(self.statements.insert_history, history)


def _order(appends: Sequence[Append]) -> list[int]:
    """Return the indices in an order that all servers share, and that answers as the given order would.

    Only what concerns one match, or begins matches, can conflict; so that alone keeps its order.
    """
    begun = {_match(append) for append in appends if append.match is not None}
    keys = [(match not in begun, "" if match in begun else match) for match in map(_match, appends)]
    return sorted(range(len(appends)), key=keys.__getitem__)


def _match(append: Append) -> str:
    return cast(str, append.events[0][0])
