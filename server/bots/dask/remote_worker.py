"""A slot of a Dask worker, for the dispatcher in the Dask scheduler."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from math import inf
from typing import Any, TypeAlias

import structlog

from ...runtime import metrics
from ..requests import BotRequest
from ..search_workers import WorkerError, is_overdue
from .messages import decode_answer, encode, error_of

log = structlog.get_logger()

WATCH_SECONDS = 0.5
"""Interval for checking whether an answer is overdue."""

DaskAny: TypeAlias = Any
"""An object of Dask's without a static type: here the calls of a worker's handlers."""

_numbers = count()


class RemoteWorker:
    """A slot of a Dask worker."""

    def __init__(
        self,
        calls: DaskAny,
        address: str,
        slot: int,
        processors: int,
        answer_seconds: float,
        report_hung: Callable[[str], None],
    ) -> None:
        self._calls = calls
        """The worker's handlers, called by name."""
        self._address = address
        self._slot = slot
        self._processors = processors
        self._answer_seconds = answer_seconds
        self._report_hung = report_hung
        """Called with the address of a worker that does not answer in time."""
        self._search = ""
        self._end_at = inf
        self._lost = asyncio.Event()
        self._ending: set[asyncio.Task[None]] = set()

    def end_at(self, moment: float) -> None:
        """End the running search, or else the next one, at a time of `time.monotonic`."""
        self._end_at = moment
        if self._search:
            ending = asyncio.create_task(self._end(self._search, max(0.0, moment - time.monotonic())))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    def lose(self) -> None:
        """Give up the running search, because the worker has died."""
        self._lost.set()

    async def search(self, method_name: str, request: BotRequest, seconds: float) -> object:
        """Answer a request within `seconds`. Raises: WorkerError, and errors of the search."""
        self._search = f"{self._address} {next(_numbers)}"
        began_at = time.monotonic()
        bounded = replace(request, threads=min(request.threads, self._processors))
        calling = asyncio.create_task(
            self._calls.millrace_search(
                search=self._search,
                slot=self._slot,
                method=method_name,
                request=encode(bounded),
                end_seconds=self._end_at - began_at,
            )
        )
        losing = asyncio.create_task(self._lost.wait())
        try:
            while not calling.done():
                await asyncio.wait((calling, losing), timeout=WATCH_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                now = time.monotonic()
                if calling.done():
                    break
                if losing.done():
                    raise WorkerError(f"The worker {self._address} has gone.")
                if is_overdue(now, began_at, seconds, self._end_at, self._answer_seconds):
                    metrics.BOT_WORKER_TIMEOUTS.inc()
                    self._report_hung(self._address)
                    raise WorkerError(f"The worker {self._address} hangs.")
            return _answer_in(method_name, await calling)
        except OSError as error:
            raise WorkerError(f"The worker {self._address} has gone: {error}") from error
        finally:
            self._search = ""
            losing.cancel()
            calling.cancel()

    async def _end(self, search: str, seconds: float) -> None:
        try:
            await self._calls.millrace_end(search=search, seconds=seconds)
        except OSError as error:
            log.warning("search not ended", worker=self._address, error=str(error))


def _answer_in(method_name: str, reply: dict[str, Any]) -> object:
    """Return the answer in a worker's reply. Raises: the search's error."""
    if "error" in reply:
        raise error_of(reply["error"], reply["words"])
    return decode_answer(method_name, reply["answer"])
