"""One process that searches: started, asked one thing at a time, told when to end, replaced when it dies or hangs.

What it is asked next is `server.bots.pool`'s business, which imports this; what runs in the process is
`server.bots.worker_process`, called through `server.bots.tasks`.

Each worker is a pool of one of Pebble's: that replaces a process which is overdue, and a death costs only its own task.
A search is told to end through a cell of memory that the process looks at every few milliseconds.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as PoolTimeoutError
from concurrent.futures.process import BrokenProcessPool
from math import inf
from typing import TypeVar

import pebble
import structlog

from .. import metrics
from . import tasks
from .requests import Knowledge

log = structlog.get_logger()

PRELOADED_MODULES = ["millrace.server.bots.worker_process", "millrace.engine.preload"]
"""What the fork server imports before it forks: the second compiles every game."""

WATCH_SECONDS = 0.5
"""Whether the process is overdue, or its pool itself has broken, is looked at so often while an answer is awaited."""

TERMINATE_SECONDS = 0.2
"""A process that is told to end gets so long before it is killed."""

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


class WorkerError(Exception):
    """The process died, or did not answer in time; it will be replaced when it is next asked."""


class Worker:
    """A process that searches. Nothing is asked of it before it has answered what was asked before."""

    def __init__(self, knowledge: Knowledge | None) -> None:
        self._knowledge = knowledge
        self._context = multiprocessing.get_context("forkserver")
        self._end_at = self._context.RawValue("d", inf)
        """When the search is to end, by `time.monotonic`, which all processes of a machine share."""
        self._pool: pebble.ProcessPool | None = None

    def end_at(self, moment: float) -> None:
        """Have the search under way end at a moment of `time.monotonic`, with the best that it has found by then."""
        self._end_at.value = moment

    async def run(
        self,
        function: Callable[[Argument], Answer],
        argument: Argument,
        thinking_seconds: float,
        answer_seconds: float,
    ) -> Answer:
        """Call a function in the process. Raises: WorkerError, and whatever the function does.

        It is overdue `answer_seconds` after the moment when it was to end: after `thinking_seconds`, or sooner if it
        has been told so since.
        """
        try:
            pool = await self._working_pool()
            future = _schedule(pool, function, argument, thinking_seconds + answer_seconds)
            began_at = time.monotonic()

            def is_overdue() -> bool:
                thinks_until = max(began_at, min(began_at + thinking_seconds, float(self._end_at.value)))
                return time.monotonic() > thinks_until + answer_seconds

            return await _answer(pool, asyncio.wrap_future(future), is_overdue)
        except PoolTimeoutError as error:
            metrics.BOT_TIMEOUTS.inc()
            raise WorkerError(repr(error)) from error
        except (pebble.ProcessExpired, BrokenProcessPool) as error:
            raise WorkerError(repr(error)) from error

    async def are_preloaded(self, timeout_seconds: float) -> bool:
        """Return whether the process had all modules from its start. Raises: WorkerError."""
        return await self.run(tasks.are_loaded, PRELOADED_MODULES, 0, timeout_seconds)

    async def close(self) -> None:
        """End the process at once."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)

    async def _working_pool(self) -> pebble.ProcessPool:
        """Return the pool; a new one if the process's death has broken it. Raises: BrokenProcessPool."""
        if self._pool is None or not self._pool.active:
            await self.close()
            self._pool = await asyncio.to_thread(self._start_pool)
        return self._pool

    def _start_pool(self) -> pebble.ProcessPool:
        """Return a pool whose process has started; blocks while the fork server compiles. Raises: BrokenProcessPool."""
        pebble.CONSTS.term_timeout = TERMINATE_SECONDS
        arguments = (self._end_at, self._knowledge)
        pool = pebble.ProcessPool(
            max_workers=1, context=self._context, initializer=tasks.initialize, initargs=arguments
        )
        # For no answer's sake: whoever asks next would wait for the fork server in the event loop's thread.
        _schedule(pool, tasks.are_loaded, PRELOADED_MODULES, None)
        return pool


def _schedule(
    pool: pebble.ProcessPool,
    function: Callable[[Argument], Answer],
    argument: Argument,
    timeout_seconds: float | None,
) -> Future[Answer]:
    """Have the pool's process call a function next; the first call starts the process. Raises: BrokenProcessPool."""
    try:
        future: Future[Answer] = pool.schedule(function, args=(argument,), timeout=timeout_seconds)
    except RuntimeError as error:
        raise BrokenProcessPool(str(error)) from error
    return future


async def _answer(pool: pebble.ProcessPool, answer: "asyncio.Future[Answer]", is_overdue: Callable[[], bool]) -> Answer:
    """Wait for the answer. Raises: PoolTimeoutError if it is overdue; BrokenProcessPool if none will ever come.

    The pool itself replaces a process that is overdue with what it was first given time for, but neither one that hangs
    before it has taken a request nor one that does not end when it is told to: then all of it is replaced.
    """
    while not answer.done():
        await asyncio.wait((answer,), timeout=WATCH_SECONDS)
        is_late = is_overdue()
        if not answer.done() and (is_late or not pool.active):
            answer.cancel()
            await asyncio.to_thread(pool.stop)
            raise PoolTimeoutError("the process hangs") if is_late else BrokenProcessPool("the pool is broken")
    return answer.result()
