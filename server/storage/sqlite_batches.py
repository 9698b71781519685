"""Stores batches of appends in an SQLite file, each batch in one transaction, on a thread and a connection of its own.

A batch of events alone is one statement, and so one transaction, during which the thread does not hold Python's lock.
With a statement for each row it would take the lock back as often, and each time wait for a busy event loop.

Conflicts between events are found in memory (`server.storage.arbitration`), all others by the constraints.
"""

import asyncio
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from queue import SimpleQueue
from typing import NamedTuple

import msgspec

from millrace.protocol import MatchId

from . import database as databases
from .address import sqlite_path
from .appends import EVENT_COLUMNS, Append, Outcome, Row, Statement, compile_statement, concerns_one, outcome_alone
from .arbitration import Arbiter, StoredMatch
from .checkpoints import Checkpointer
from .database import Database
from .errors import StorageError
from .failures import as_storage_error, explained
from .writable import WritableFile

_INSERT_EVENTS = f"""
INSERT INTO events ({", ".join(EVENT_COLUMNS)})
SELECT {", ".join(f"value ->> {index}" for index in range(len(EVENT_COLUMNS)))} FROM json_each(?)
"""
"""Inserts rows that are one JSON text."""

_READ_MATCH = """
SELECT last_seq, NULL, NULL FROM packed_matches WHERE match = :match
UNION ALL SELECT seq, seat, command_id FROM events WHERE match = :match ORDER BY 1
"""
"""The commands of a packed match need not be known: only its readers can append to it, and they know them."""


class _Request(NamedTuple):
    appends: Sequence[Append]
    written: asyncio.Future[Sequence[Outcome]]


class SqliteBatches:
    """Stores appends; a batch inserts its events and then runs `statements` in their order."""

    def __init__(self, database: Database, statements: Sequence[Statement]) -> None:
        self._loop = asyncio.get_running_loop()
        self._turn = database.turn
        self._requests: SimpleQueue[_Request | None] = SimpleQueue()
        self._writable = WritableFile(sqlite_path(database.url))
        self._file = _File(database, statements, self._writable)
        self._thread = threading.Thread(target=self._serve, name="journal", daemon=True)
        with explained(database.url):
            self._thread.start()

    def write(self, appends: Sequence[Append]) -> asyncio.Future[Sequence[Outcome]]:
        """Store each append that conflicts with nothing stored or before it, durably; return their outcomes.

        Raises: StorageError. Any of the appends may then have been stored.
        """
        request = _Request(appends, self._loop.create_future())
        try:
            # Asked here, since each call of the thread to the system would wait for Python's lock.
            self._writable.require()
        except StorageError as error:
            request.written.set_exception(error)
            return request.written
        self._turn.take(partial(self._requests.put, request))
        return request.written

    async def close(self) -> None:
        """Close the connection."""
        self._requests.put(None)
        await asyncio.to_thread(self._thread.join)

    def _serve(self) -> None:
        while (request := self._requests.get()) is not None:
            outcome: Sequence[Outcome] | Exception
            try:
                outcome = self._file.write(request.appends)
            except Exception as error:
                # The thread's boundary: the writer logs what is no StorageError.
                outcome = error
            try:
                self._loop.call_soon_threadsafe(self._answer, request.written, outcome)
            except RuntimeError:
                # The event loop has been closed without the journal: nobody waits any more.
                break
            self._file.rest()
        self._file.close()

    def _answer(self, written: asyncio.Future[Sequence[Outcome]], outcome: Sequence[Outcome] | Exception) -> None:
        self._turn.release()
        if written.done():
            return
        if isinstance(outcome, Exception):
            written.set_exception(outcome)
        else:
            written.set_result(outcome)


class _File:
    """The connection, and what is known of the matches in the file; used by one thread."""

    def __init__(self, database: Database, statements: Sequence[Statement], writable: WritableFile) -> None:
        self._url = database.url
        self._writable = writable
        self._texts = {each: compile_statement(each, database.engine.dialect) for each in statements}
        self._connection: sqlite3.Connection | None = None
        self._arbiter = Arbiter(self._read)
        self._checkpointer = Checkpointer(sqlite_path(database.url))

    def write(self, appends: Sequence[Append]) -> list[Outcome]:
        try:
            return [*self._write(appends)]
        except Exception as cause:
            error = as_storage_error(self._url, cause)
            self._arbiter.forget(append.match for append in appends)
            if not isinstance(error, StorageError) or not concerns_one(error):
                self._disconnect()
                raise error  # noqa: B904  # it has its cause
            if len(appends) == 1:
                return [outcome_alone(error)]
        middle = len(appends) // 2
        return [*self.write(appends[:middle]), *self.write(appends[middle:])]

    def rest(self) -> None:
        """Do what may be done between two batches, whose callers have been answered."""
        if self._connection is not None and self._checkpointer.is_due and self._writable.is_writable:
            try:
                self._checkpointer.proceed(self._connection)
            except sqlite3.Error:
                # What is wrong with the file, the next batch will say.
                self._disconnect()

    def close(self) -> None:
        self._checkpointer.close()
        self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._writable.close(connection)

    def _write(self, appends: Sequence[Append]) -> list[bool]:
        """Store the appends that can be stored, all of them or none; return which those are."""
        connection = self._connected()
        admitted = self._arbiter.admit(appends)
        stored = [append for append, is_admitted in zip(appends, admitted, strict=True) if is_admitted]
        events = [row for append in stored for row in append.events]
        self._checkpointer.note(len(events))
        rows = msgspec.json.encode(events).decode()
        steps: dict[Statement, list[Row]] = defaultdict(list)
        for append in stored:
            for statement, some in append.steps:
                steps[statement] += some
        if not steps:
            connection.execute(_INSERT_EVENTS, (rows,))
            return admitted
        assert steps.keys() <= self._texts.keys(), "a statement that the journal was not told of"
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(_INSERT_EVENTS, (rows,))
            for statement, text in self._texts.items():
                if statement in steps:
                    connection.executemany(text, steps[statement])
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return admitted

    def _read(self, match: MatchId) -> StoredMatch:
        stored = StoredMatch(0, set())
        for seq, seat, command_id in self._connected().execute(_READ_MATCH, {"match": match}):
            stored.last_seq = seq
            if command_id is not None:
                stored.commands.add((seat, command_id))
        return stored

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(sqlite_path(self._url), timeout=databases.BUSY_SECONDS, isolation_level=None)
            self._connection = connection
            for pragma in databases.SQLITE_PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
        return self._connection
