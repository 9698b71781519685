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
        self._pending: list[tuple[Append, asyncio.Future[bool]]] = []
        self._wanted = asyncio.Event()
        self._closed = False
        self._task = asyncio.create_task(self._run(), name="journal writer")

    async def append(self, append: Append) -> bool:
        """Return whether the append was stored, once that is durable. Raises: StorageError.

        An append that has been handed over is written even if its caller is cancelled.
        """
        if self._closed:
            raise StorageError("the journal is closed")
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._pending.append((append, stored))
        self._wanted.set()
        return await stored

    async def close(self) -> None:
        """Write what is pending and accept no more."""
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
            # The task's boundary: the callers must get an answer, and the next batch must be written.
            _log.exception("journal_write_failed", appends=len(appends))
            return [StorageError(f"the journal failed: {error!r}")] * len(appends)


def _resolve(stored: asyncio.Future[bool], outcome: Outcome) -> None:
    if stored.done():
        return
    if isinstance(outcome, StorageError):
        stored.set_exception(StorageError(*outcome.args))
    else:
        stored.set_result(outcome)
