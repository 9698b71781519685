"""Group commit: everything that is pending goes into one transaction.

No database here: a `Target` stores a batch.

There is no timer. While one batch is being committed the next one gathers; the event loop hands it over, so that
everything that one pass of the loop appends goes together: on one core, with 200 matches that cost 60 us each beside
the journal (`python -m benchmarks.journal --appenders 200 --work 60`), 200 appends a batch. A writer thread that took
what it found as soon as it was free found three, and used nearly three times the CPU.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from functools import partial
from time import perf_counter
from typing import Protocol

import structlog

from ..runtime import metrics
from .appends import Append, Outcome
from .errors import StorageError

BATCH_LIMIT = 1000
"""Maximum appends in one transaction; with more the first of them would wait for the last."""

_log = structlog.get_logger(__name__)


class Target(Protocol):
    """Where appends are stored."""

    def write(self, appends: Sequence[Append]) -> Awaitable[Sequence[Outcome]]:
        """Store each append that conflicts with nothing stored or before it, durably; return their outcomes.

        Raises: StorageError.
        """


class Writer:
    """Gathers appends and writes them batch by batch, as long as its event loop runs or until `close`."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._loop = asyncio.get_running_loop()
        self._pending: list[tuple[Append, asyncio.Future[bool]]] = []
        self._idle: asyncio.Future[None] | None = None
        """Done when nothing is pending any more; None if nothing is."""
        self._closed = False
        self._written: asyncio.Future[Sequence[Outcome]] | None = None
        """Refers to the batch that is being written, since the event loop does not."""
        self._began_s = 0.0
        """When that batch was handed over, by `perf_counter`."""

    def append(self, append: Append) -> asyncio.Future[bool]:
        """Return at once what becomes whether the append was stored, when that is durable, or a StorageError.

        The append is written even if its caller is cancelled, and nobody has to await what is returned.
        """
        stored: asyncio.Future[bool] = self._loop.create_future()
        if self._closed:
            _resolve(stored, StorageError("the journal is closed"))
            return stored
        self._pending.append((append, stored))
        if self._idle is None:
            self._idle = self._loop.create_future()
            self._loop.call_soon(self._hand_over)
        return stored

    async def close(self) -> None:
        """Write what is pending and accept no more."""
        self._closed = True
        if self._idle is not None:
            await asyncio.shield(self._idle)

    def _hand_over(self) -> None:
        """Write what is pending. Called when the callers that the last batch resumed have appended again."""
        if not self._pending:
            assert self._idle is not None
            self._idle.set_result(None)
            self._idle = None
            return
        batch = self._pending[:BATCH_LIMIT]
        del self._pending[:BATCH_LIMIT]
        appends, futures = zip(*batch, strict=True)
        self._began_s = perf_counter()
        self._written = asyncio.ensure_future(self._target.write(appends))
        self._written.add_done_callback(partial(self._answer, futures))

    def _answer(self, batch: Sequence[asyncio.Future[bool]], written: asyncio.Future[Sequence[Outcome]]) -> None:
        metrics.COMMIT_SECONDS.observe(perf_counter() - self._began_s)
        for stored, outcome in zip(batch, _outcomes(written, len(batch)), strict=True):
            _resolve(stored, outcome)
        self._loop.call_soon(self._hand_over)


def _outcomes(written: asyncio.Future[Sequence[Outcome]], appends: int) -> Sequence[Outcome]:
    if written.cancelled():
        return [StorageError("the journal has been stopped")] * appends
    error = written.exception()
    if error is None:
        return written.result()
    if isinstance(error, StorageError):
        return [error] * appends
    # The boundary: the callers must get an answer, and the next batch must be written.
    _log.error("journal_write_failed", appends=appends, exc_info=error)
    return [StorageError(f"the journal failed: {error!r}")] * appends


def _resolve(stored: asyncio.Future[bool], outcome: Outcome) -> None:
    if stored.done():
        return
    if isinstance(outcome, StorageError):
        stored.set_exception(type(outcome)(*outcome.args))
        # A caller that was cancelled never asks; asyncio would log the failure as one that nobody has seen.
        stored.exception()
    else:
        stored.set_result(outcome)
