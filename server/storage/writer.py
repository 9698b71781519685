"""Group commit: everything that is pending goes into one transaction.

No database here: a `Target` stores a batch.

There is no timer. While one batch is being committed the next one gathers; the event loop hands it over, so that
everything that one pass of the loop appends goes together: on one core, with 200 matches that cost 60 us each beside
the journal (`python -m benchmarks.journal --appenders 200 --work 60`), 200 appends a batch. A writer thread that took
what it found as soon as it was free found three, and used nearly three times the CPU.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import structlog

from ..journal.store import StorageError
from .batches import Append, Outcome

BATCH_LIMIT = 1000
"""Maximum appends in one transaction; with more the first of them would wait for the last."""

_log = structlog.get_logger(__name__)


class Target(Protocol):
    """Where appends are stored."""

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Store each append that conflicts with nothing stored or before it, durably; return their outcomes.

        Raises: StorageError.
        """


class Writer:
    """Gathers appends and writes them batch by batch, as long as its event loop runs or until `close`."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._loop = asyncio.get_running_loop()
        self._pending: list[tuple[Append, asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    def append(self, append: Append) -> asyncio.Future[bool]:
        """Return at once what becomes whether the append was stored, when that is durable, or a StorageError.

        The append is written even if its caller is cancelled, and nobody has to await what is returned.
        """
        stored: asyncio.Future[bool] = self._loop.create_future()
        if self._closed:
            _resolve(stored, StorageError("the journal is closed"))
            return stored
        self._pending.append((append, stored))
        if self._writing is None:
            self._writing = self._loop.create_task(self._run(), name="journal writer")
        return stored

    async def close(self) -> None:
        """Write what is pending and accept no more."""
        self._closed = True
        if self._writing is not None:
            await asyncio.shield(self._writing)

    async def _run(self) -> None:
        while self._pending:
            batch = self._pending[:BATCH_LIMIT]
            del self._pending[:BATCH_LIMIT]
            outcomes = await self._write([append for append, _ in batch])
            for (_, stored), outcome in zip(batch, outcomes, strict=True):
                _resolve(stored, outcome)
            # What the callers append next, when the loop has resumed them, belongs to one batch.
            await asyncio.sleep(0)
        self._writing = None

    async def _write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        try:
            return await self._target.write(appends)
        except StorageError as error:
            return [error] * len(appends)
        except Exception as error:
            # The task's boundary: the callers must get an answer, and the next batch must be written.
            _log.exception("journal_write_failed", appends=len(appends))
            return [StorageError(f"the journal failed: {error!r}")] * len(appends)


def _resolve(stored: asyncio.Future[bool], outcome: Outcome) -> None:
    if stored.done():
        return
    if isinstance(outcome, StorageError):
        stored.set_exception(StorageError(*outcome.args))
        # A caller that was cancelled never asks; asyncio would log the failure as one that nobody has seen.
        stored.exception()
    else:
        stored.set_result(outcome)
