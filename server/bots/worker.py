"""A worker: one process that searches. It is replaced when it dies or hangs, and ends while nobody needs it.

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
from ctypes import c_double
from functools import partial
from math import inf
from multiprocessing import forkserver
from typing import TypeVar

import pebble
import structlog

from ..runtime import metrics
from ..runtime.child_process import START_ERRORS, why_not_started
from . import worker_process
from .requests import BotRequest, EngineFolders
from .rest import Rest
from .search_workers import WorkerError, WorkerStartError, is_overdue

log = structlog.get_logger()

PRELOADED_MODULES = ["millrace.server.bots.fork_server"]
"""Modules that the fork server imports before it forks."""

START_SECONDS = 10
"""Maximum time for a process to answer, once the fork server has started it."""

LOAD_SECONDS = 60
"""The same for a process that loads the engine first, which takes a second on an idle machine."""

COMPILE_SECONDS = 300
"""Maximum time for a worker to load or compile a game."""

WATCH_SECONDS = 0.5
"""Interval for checking whether the process is overdue or its pool is broken, while an answer is pending."""

pebble.CONSTS.term_timeout = 0  # the processes ignore SIGTERM, and are killed

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


class Worker:
    """A process that searches. It takes one request at a time."""

    def __init__(
        self,
        folders: EngineFolders | None,
        answer_seconds: float,
        uncached: AbstractSet[str] = frozenset(),
        *,
        is_interpreted: bool = False,
    ) -> None:
        self._folders = folders
        self._answer_seconds = answer_seconds
        self._uncached = uncached
        # The fork server has loaded the compiled engine.
        self._context = multiprocessing.get_context("spawn" if is_interpreted else "forkserver")
        self._initialize = worker_process.initialize_interpreted if is_interpreted else worker_process.initialize
        self._start_seconds = LOAD_SECONDS if is_interpreted else START_SECONDS
        self._end_at: c_double | None = None
        """When the search must end, by `time.monotonic`, which all processes of a machine share. In shared memory, from
        the first start."""
        self._pool: pebble.ProcessPool | None = None
        self._is_closed = False
        self._starts: Future[bool] | None = None
        """Done once the latest process answers."""
        self._starting = asyncio.Lock()
        self._rest = Rest(self._end_idle_pool)

    @property
    def is_running(self) -> bool:
        """Whether there is a process, or one is starting."""
        return self._pool is not None

    def end_at(self, moment: float) -> None:
        """End the running search at a time of `time.monotonic`, with the best move found by then."""
        assert self._end_at is not None, "only a worker that has been started searches"
        self._end_at.value = moment

    async def start(self) -> None:
        """Return when the process answers. Raises: WorkerStartError."""
        with self._rest.used():
            await self._working_pool()

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
        """Call a function in the process, which is started if need be. Raises: WorkerError, and errors of the function.

        The call is overdue `answer_seconds` after the search should have ended: after `thinking_seconds`, or at the
        time set by `end_at` if that is earlier.
        """
        with self._rest.used():
            pool, end_at = await self._working_pool()
            try:
                future = _schedule(pool, function, argument, thinking_seconds + answer_seconds)
                began_at = time.monotonic()

                def is_late() -> bool:
                    return is_overdue(time.monotonic(), began_at, thinking_seconds, end_at.value, answer_seconds)

                return await _answer(pool, asyncio.wrap_future(future), is_late)
            except PoolTimeoutError as error:
                metrics.BOT_WORKER_TIMEOUTS.inc()
                raise WorkerError(repr(error)) from error
            except (pebble.ProcessExpired, BrokenProcessPool) as error:
                raise WorkerError(repr(error)) from error

    async def close(self) -> None:
        """Kill the process."""
        self._is_closed = True
        self._rest.stop()
        if self._starts is not None:
            self._starts.cancel()  # or the thread that waits for it would hold up the end
        await self._end_pool()

    async def _end_pool(self) -> None:
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)

    async def _end_idle_pool(self) -> None:
        async with self._starting:
            if self._rest.is_due:
                await self._end_pool()
                self._pool = None

    async def _working_pool(self) -> tuple[pebble.ProcessPool, c_double]:
        """Return the pool, or a new one if it is broken, and when its search must end. Raises: WorkerStartError."""
        async with self._starting:
            try:
                if self._end_at is None:
                    self._end_at = self._context.RawValue("d", inf)
                if self._pool is None or not self._pool.active:
                    await self._end_pool()
                    self._pool = await asyncio.to_thread(self._start_pool, self._end_at)
            except START_ERRORS as error:
                raise WorkerStartError(why_not_started(error)) from error
            return self._pool, self._end_at

    def _start_pool(self, end_at: c_double) -> pebble.ProcessPool:
        """Return a pool whose process answers. Blocks while the fork server, or the interpreted engine, loads.

        Raises: BrokenProcessPool if the process dies, and whatever else keeps it from starting.
        """
        arguments = (end_at, self._folders)
        pool = pebble.ProcessPool(
            max_workers=1, context=self._context, initializer=self._initialize, initargs=arguments
        )
        try:
            self._starts = _schedule(pool, worker_process.is_running, None, None)
            if self._is_closed:
                self._starts.cancel()
            self._starts.result(self._start_seconds)
        except BaseException:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()
            raise
        return pool


def ensure_fork_server() -> None:
    """Start the fork server unless it runs; in this thread, with which it ends. Raises: one of START_ERRORS."""
    forkserver.set_forkserver_preload(PRELOADED_MODULES)
    forkserver.ensure_running()


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
