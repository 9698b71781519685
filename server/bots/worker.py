"""A worker: one process that searches. It is replaced when it dies or hangs.

`server.bots.schedule` decides what a worker searches next. `server.bots.worker_process` runs in the process.

Each worker is a Pebble pool with one process. Pebble replaces a process that is overdue, and a dead process costs only
its own task. Shared memory holds the time at which the search must end; the process reads it every few milliseconds.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from concurrent.futures import TimeoutError as PoolTimeoutError
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from math import inf
from typing import TypeVar

import pebble
import structlog

from ..runtime import metrics
from . import worker_process
from .requests import BotRequest, EngineFolders
from .search_workers import WorkerError, is_overdue

log = structlog.get_logger()

PRELOADED_MODULES = ["millrace.server.bots.fork_server"]
"""Modules that the fork server imports before it forks."""

COMPILE_SECONDS = 300
"""Maximum time for a worker to load or compile a game."""

WATCH_SECONDS = 0.5
"""Interval for checking whether the process is overdue or its pool is broken, while an answer is pending."""

TERMINATE_SECONDS = 0.2
"""Time between asking a process to terminate and killing it."""

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


class Worker:
    """A process that searches. It takes one request at a time."""

    def __init__(
        self, folders: EngineFolders | None, answer_seconds: float, uncached: AbstractSet[str] = frozenset()
    ) -> None:
        self._folders = folders
        self._answer_seconds = answer_seconds
        self._uncached = uncached
        self._context = multiprocessing.get_context("forkserver")
        self._end_at = self._context.RawValue("d", inf)
        """When the search must end, by `time.monotonic`, which all processes of a machine share."""
        self._pool: pebble.ProcessPool | None = None

    def end_at(self, moment: float) -> None:
        """End the running search at a time of `time.monotonic`, with the best move found by then."""
        self._end_at.value = moment

    async def search(self, method_name: str, request: BotRequest, seconds: float) -> object:
        """Answer a request by a method of `RequestHandler` that takes `seconds`.

        The first search of a game in `uncached` may compile it. Raises: WorkerError, and errors of the search.
        """
        answer_seconds = COMPILE_SECONDS if request.game in self._uncached else self._answer_seconds
        function = partial(worker_process.answer_request, method_name)
        return await self.run(function, request, seconds, answer_seconds)

    async def run(
        self,
        function: Callable[[Argument], Answer],
        argument: Argument,
        thinking_seconds: float,
        answer_seconds: float,
    ) -> Answer:
        """Call a function in the process. Raises: WorkerError, and errors of the function.

        The call is overdue `answer_seconds` after the search should have ended: after `thinking_seconds`, or at the
        time set by `end_at` if that is earlier.
        """
        try:
            pool = await self._working_pool()
            future = _schedule(pool, function, argument, thinking_seconds + answer_seconds)
            began_at = time.monotonic()

            def is_late() -> bool:
                return is_overdue(time.monotonic(), began_at, thinking_seconds, self._end_at.value, answer_seconds)

            return await _answer(pool, asyncio.wrap_future(future), is_late)
        except PoolTimeoutError as error:
            metrics.BOT_WORKER_TIMEOUTS.inc()
            raise WorkerError(repr(error)) from error
        except (pebble.ProcessExpired, BrokenProcessPool) as error:
            raise WorkerError(repr(error)) from error

    async def close(self) -> None:
        """Kill the process."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)

    async def _working_pool(self) -> pebble.ProcessPool:
        """Return the pool, or a new one if it is broken. Raises: BrokenProcessPool."""
        if self._pool is None or not self._pool.active:
            await self.close()
            self._pool = await asyncio.to_thread(self._start_pool)
        return self._pool

    def _start_pool(self) -> pebble.ProcessPool:
        """Return a pool with a started process. Blocks while the fork server loads. Raises: BrokenProcessPool."""
        pebble.CONSTS.term_timeout = TERMINATE_SECONDS
        arguments = (self._end_at, self._folders)
        pool = pebble.ProcessPool(
            max_workers=1, context=self._context, initializer=worker_process.initialize, initargs=arguments
        )
        # Start the process here: the first call would otherwise block the event loop until the fork server is ready.
        _schedule(pool, worker_process.is_running, None, None)
        return pool


def _schedule(
    pool: pebble.ProcessPool,
    function: Callable[[Argument], Answer],
    argument: Argument,
    timeout_seconds: float | None,
) -> Future[Answer]:
    """Schedule a call in the pool's process. The first call starts the process. Raises: BrokenProcessPool."""
    try:
        future: Future[Answer] = pool.schedule(function, args=(argument,), timeout=timeout_seconds)
    except RuntimeError as error:
        raise BrokenProcessPool(str(error)) from error
    return future


async def _answer(pool: pebble.ProcessPool, answer: "asyncio.Future[Answer]", is_late: Callable[[], bool]) -> Answer:
    """Wait for the answer. Raises: PoolTimeoutError if it is overdue; BrokenProcessPool if the pool is broken.

    Pebble replaces a process that exceeds its task's timeout. It does not notice a process that hangs before it takes a
    task, or one that ignores an earlier end; then the whole pool is stopped here.
    """
    while not answer.done():
        await asyncio.wait((answer,), timeout=WATCH_SECONDS)
        is_hung = is_late()
        if not answer.done() and (is_hung or not pool.active):
            answer.cancel()
            await asyncio.to_thread(pool.stop)
            raise PoolTimeoutError("the process hangs") if is_hung else BrokenProcessPool("the pool is broken")
    return answer.result()
