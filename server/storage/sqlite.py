"""The journal's rows in an SQLite file.

One connection on one thread does everything, so that nothing of the server waits for a lock of the server itself; other
processes may use the file too (a second server, a backup, the `sqlite3` shell).

A plain `sqlite3` connection and `executemany`: the same through SQLAlchemy and aiosqlite takes twice the CPU for a lone
append (`python -m benchmarks.journal --appenders 1`, and `--by core`), and one INSERT of many rows took more than many.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Dialect
from sqlalchemy.dialects import sqlite

from ..journal.store import StorageError
from .statements import Statements, compile_statements
from .writer import Append, Outcome, Step

BUSY_SECONDS = 5.0
"""How long another process may hold the write lock before this one gives up."""

BUSY_POLL_SECONDS = 0.01

PAGE_BYTES = 1024
"""Of a new file. Each append dirties a few pages anywhere in the file, so that small ones are less to write: 31 us
of CPU for an append, not the 46 of SQLite's usual 4096 (`python -m benchmarks.journal --stored 15000 --appenders 200`).
"""

CHECKPOINT_PAGES = 16_000
"""The write-ahead log is folded into the file when it has so many pages: a large one (16 MiB) copies a page that many
moves have touched once, not each time."""

_R = TypeVar("_R")

_UNSTORABLE = (
    sqlite3.DataError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    UnicodeError,
    OverflowError,
)
"""What is wrong with a value rather than with the database."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a database for durable writing; transactions are begun in so many words. Raises: sqlite3.Error."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Keep a write-ahead log; for this change alone SQLite does not wait for another that opens the file."""
    deadline_s = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline_s:
                raise
            time.sleep(BUSY_POLL_SECONDS)


def explain(path: Path, error: Exception) -> StorageError:
    """Return what to tell people of a failure."""
    if not path.parent.is_dir():
        return StorageError(f"the database {path} cannot be opened: there is no folder {path.parent}")
    return StorageError(f"the database {path}: {error}")


class SqliteDatabase:
    """A `Database` in a file. After a failure the next call opens the file anew."""

    def __init__(self, path: Path):
        self.dialect: Dialect = sqlite.dialect(paramstyle="qmark")
        self.statements: Statements = compile_statements(self.dialect)
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Store each append that conflicts with nothing stored or before it, durably; return their outcomes."""
        return await self._call(self._write, appends)

    async def fetch(self, statement: str, *parameters: object) -> Sequence[Sequence[object]]:
        """Return the rows that a query gives."""
        return await self._call(self._fetch, statement, parameters)

    async def execute(self, statement: str, *parameters: object) -> None:
        """Run a statement in a transaction of its own."""
        await self._call(self._fetch, statement, parameters)

    async def transact(self, steps: Sequence[Step]) -> bool:
        """Run all of the statements in one transaction, or none if one violates a key, or changes no row that must:
        then return False."""
        return await self._call(self._transact, steps)

    async def close(self) -> None:
        """Let go of the file."""
        await self._call(self._disconnect)
        self._thread.shutdown(wait=False)

    async def _call(self, function: Callable[..., _R], *args: object) -> _R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guard, function, *args)

    # What follows runs on the thread.

    def _guard(self, function: Callable[..., _R], *args: object) -> _R:
        try:
            return function(*args)
        except BaseException as error:
            # Whatever state the connection is in, the next call is not to suffer from it.
            self._disconnect()
            if isinstance(error, (sqlite3.Error, *_UNSTORABLE)):
                raise explain(self._path, error) from error
            raise

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = connect(self._path)
        return self._connection

    def _fetch(self, statement: str, parameters: Sequence[object]) -> Sequence[Sequence[object]]:
        return self._connected().execute(statement, parameters).fetchall()

    def _transact(self, steps: Sequence[Step]) -> bool:
        connection = self._connected()
        connection.execute("BEGIN IMMEDIATE")
        try:
            is_done = all(self._run(connection, step) for step in steps)
        except sqlite3.IntegrityError:
            is_done = False
        connection.execute("COMMIT" if is_done else "ROLLBACK")
        return is_done

    @staticmethod
    def _run(connection: sqlite3.Connection, step: Step) -> bool:
        """Run a statement of a transaction, and return whether it changed what it must."""
        changed = connection.execute(step.statement, step.parameters).rowcount
        return changed > 0 or not step.must_change

    def _write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        connection = self._connected()
        connection.execute("BEGIN IMMEDIATE")
        try:
            stored = self._insert(connection, appends)
        except (sqlite3.IntegrityError, *_UNSTORABLE):
            stored = False
        if stored:
            connection.execute("COMMIT")
            return [True] * len(appends)
        connection.execute("ROLLBACK")
        return self._write_apart(connection, appends)

    def _write_apart(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Find out which appends of a batch cannot be stored, and store the others in one transaction."""
        connection.execute("BEGIN IMMEDIATE")
        outcomes = [self._write_one(connection, append) for append in appends]
        connection.execute("COMMIT")
        return outcomes

    def _write_one(self, connection: sqlite3.Connection, append: Append) -> Outcome:
        outcome: Outcome
        connection.execute("SAVEPOINT append")
        try:
            outcome = self._insert(connection, [append])
        except sqlite3.IntegrityError:
            outcome = False
        except _UNSTORABLE as error:
            outcome = StorageError(f"this cannot be stored: {error}")
        if outcome is not True:
            connection.execute("ROLLBACK TO append")
        connection.execute("RELEASE append")
        return outcome

    def _insert(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> bool:
        """Insert every row of the appends, unless one conflicts: then return False or raise IntegrityError."""
        begun = [append.match for append in appends if append.match is not None]
        rows = [row for append in appends for row in append.events]
        seated = [row for append in appends for row in append.seated]
        ended = [append.ended for append in appends if append.ended is not None]
        placed = [row for append in appends for row in append.placed]
        if begun:
            connection.executemany(self.statements.insert_match, begun)
        if connection.executemany(self.statements.insert_event, rows).rowcount != len(rows):
            return False
        if seated:
            connection.executemany(self.statements.insert_player, seated)
        if ended:
            connection.executemany(self.statements.end_match, ended)
        if placed:
            connection.executemany(self.statements.end_seat, placed)
        return self._insert_ratings(connection, appends)

    def _insert_ratings(self, connection: sqlite3.Connection, appends: Sequence[Append]) -> bool:
        ratings = [row for append in appends for row in append.ratings]
        history = [row for append in appends for row in append.history]
        if ratings and connection.executemany(self.statements.put_rating, ratings).rowcount != len(ratings):
            return False
        if history:
            connection.executemany(self.statements.insert_history, history)
        return True
