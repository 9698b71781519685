"""Group commit: everything that is pending goes into one transaction.

No SQL and no database here: a `Target` carries a batch out.

There is no timer. While one batch is being committed the next gathers; it is handed over by the event loop, so that
what a pass of the loop appends goes together: on one core, with 200 matches that cost 60 us each beside the journal
(`python -m benchmarks.journal --appenders 200 --work 60`), 200 appends a batch. A writer thread that helped itself as
soon as it was free found three, and took nearly three times the CPU.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

import structlog
from sqlalchemy import Dialect

from ..journal.store import StorageError
from .statements import Row

BATCH_LIMIT = 1000
"""Appends in one transaction; more would make the first of them wait for the last."""

_log = structlog.get_logger(__name__)


class Append(NamedTuple):
    """Rows that are stored together or not at all."""

    events: tuple[Row, ...]
    match: Row | None = None
    """What `Statements.insert_match` takes of a match that begins."""
    seated: tuple[Row, ...] = ()
    """What `Statements.insert_player` takes."""
    ended: Row | None = None
    """What `Statements.end_match` takes of a match that ends."""
    placed: tuple[Row, ...] = ()
    """What `Statements.end_seat` takes of its seats."""
    ratings: tuple[Row, ...] = ()
    """Rows of `ratings`, each of which must follow what is stored."""
    history: tuple[Row, ...] = ()
    """Rows of `rating_history`."""


Outcome: TypeAlias = bool | StorageError
"""Of an append: stored, refused for a conflict, or not storable (which concerns that append alone)."""


class Step(NamedTuple):
    """A statement of a transaction."""

    statement: str
    parameters: Row
    must_change: bool = False
    """Whether nothing of the transaction is stored unless this changes a row."""


class Target(Protocol):
    """Where appends are stored."""

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Store each append that conflicts with nothing stored or before it, durably; return their outcomes.

        Raises: StorageError.
        """


class Database(Target, Protocol):
    """Where rows are kept. Every method raises StorageError."""

    @property
    def dialect(self) -> Dialect:
        """In whose words statements are written."""

    async def fetch(self, statement: str, *parameters: object) -> Sequence[Sequence[object]]:
        """Return the rows that a query gives."""

    async def execute(self, statement: str, *parameters: object) -> None:
        """Run a statement in a transaction of its own."""

    async def transact(self, steps: Sequence[Step]) -> bool:
        """Run all of the statements in one transaction, or none if one violates a key, or changes no row that must:
        then return False."""

    async def close(self) -> None:
        """Let go of the database."""


class Writer:
    """Gathers appends and writes them batch by batch, for as long as its event loop runs or until `close`."""

    def __init__(self, target: Target):
        self._target = target
        self._pending: list[tuple[Append, asyncio.Future[bool]]] = []
        self._wanted = asyncio.Event()
        self._closed = False
        self._task = asyncio.create_task(self._run(), name="journal writer")

    async def append(self, append: Append) -> bool:
        """Return whether the append was stored, once that is durable. Raises: StorageError.

        What has been handed over is written even if the caller is cancelled while it waits.
        """
        if self._closed:
            raise StorageError("the journal is closed")
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._pending.append((append, stored))
        self._wanted.set()
        return await stored

    async def close(self) -> None:
        """Write what is pending and take no more."""
        self._closed = True
        self._wanted.set()
        await asyncio.shield(self._task)

    async def _run(self) -> None:
        while self._pending or not self._closed:
            if not self._pending:
                self._wanted.clear()
                await self._wanted.wait()
            batch = self._pending[:BATCH_LIMIT]
            del self._pending[:BATCH_LIMIT]
            if batch:
                outcomes = await self._write([append for append, _ in batch])
                for (_, stored), outcome in zip(batch, outcomes, strict=True):
                    _resolve(stored, outcome)

    async def _write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        try:
            return await self._target.write(appends)
        except StorageError as error:
            return [error] * len(appends)
        except Exception as error:
            # The task's boundary: whatever is wrong with this batch, those who wait must hear of it, and the next
            # batch must be written.
            _log.exception("journal_write_failed", appends=len(appends))
            return [StorageError(f"the journal failed: {error!r}")] * len(appends)


def _resolve(stored: asyncio.Future[bool], outcome: Outcome) -> None:
    if stored.done():
        return
    if isinstance(outcome, StorageError):
        stored.set_exception(StorageError(*outcome.args))
    else:
        stored.set_result(outcome)
