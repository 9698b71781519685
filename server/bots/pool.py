"""Bots in empty seats: a pool of processes that search, and the asking of it.

The pool's workers are forked from a fork server that has compiled every game's search, so a new worker plays within
milliseconds. A worker that dies or does not answer in time costs a repeated request, never the match. The search itself
is in `engine`; this is the only module of the server that asks it. Imported by `server.rooms.room` and `server.house`.
"""

import asyncio
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as PoolTimeoutError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from typing import Protocol, TypeVar

import pebble
import structlog

from server import metrics

log = structlog.get_logger()

PRELOADED_MODULES = ["server.bots.process", "engine.warm"]
"""What the fork server imports before it forks: the second compiles every game."""
COMPILE_SECONDS = 300
"""A bound on the compilation of all games, past any machine that could serve players."""
ANSWER_SECONDS = 15
"""A worker that has not answered after so long, thinking time excluded, is replaced."""
ATTEMPTS = 5
WATCH_SECONDS = 0.5
"""Whether the pool itself has broken is looked at so often while an answer is awaited."""
TERMINATE_SECONDS = 0.2
"""A worker that is told to end gets so long before it is killed."""


Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


class BotError(Exception):
    """No worker could answer a request, though it was made several times."""


@dataclass(frozen=True, slots=True)
class BotRequest:
    """All that a bot is told: strings and numbers, so that any process or machine can answer."""

    game: str
    setup: str
    moves: tuple[str, ...]
    level: int
    seed: int
    movetime_ms: int | None
    """The most that it may think, or None for its level's own time."""


class Bots(Protocol):
    """Who answers for bot seats."""

    @property
    def is_ready(self) -> bool:
        """Whether requests are answered at once; those made before wait."""

    async def start(self) -> None:
        """Return when requests are answered. Raises: BotError if they never will be."""

    async def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: BotError."""

    async def evaluate(self, request: BotRequest) -> int:
        """Return what the position is worth to the seat to move, in hundredths of a man. Raises: BotError."""

    async def close(self) -> None:
        """Answer nothing more."""


class BotPool:
    """Bots in a pool of processes on this machine."""

    def __init__(
        self,
        workers: int | None = None,
        answer_seconds: float = ANSWER_SECONDS,
        endings_folder: Path | None = None,
    ) -> None:
        self._endings_folder = endings_folder
        self._workers = workers or os.cpu_count() or 1
        self._answer_seconds = answer_seconds
        self._ready = asyncio.Event()
        self._pool: pebble.ProcessPool | None = None
        self._repairing = asyncio.Lock()
        self._last_sign_of_life = 0.0

    @property
    def is_ready(self) -> bool:
        """Whether the searches are compiled; requests made before wait for it."""
        return self._ready.is_set()

    async def start(self) -> None:
        """Start the workers and return when they can play. Raises: BotError if they never do."""
        # From this thread, which lives as long as the process: the fork server ends with the thread that started it.
        forkserver.set_forkserver_preload(PRELOADED_MODULES)
        forkserver.ensure_running()
        is_preloaded = await self._run(_are_loaded, PRELOADED_MODULES, COMPILE_SECONDS)
        if not is_preloaded:
            log.warning("bot workers compile for themselves: the fork server did not preload")
        self._ready.set()

    async def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: BotError."""
        metrics.BOTS_WAITING.inc()
        try:
            await self._ready.wait()
            with metrics.BOT_SECONDS.time():
                thinking_seconds = (request.movetime_ms or 1000) / 1000
                return await self._run(_choose, request, self._answer_seconds + thinking_seconds)
        finally:
            metrics.BOTS_WAITING.dec()

    async def evaluate(self, request: BotRequest) -> int:
        """Return what the position is worth to the seat to move, in hundredths of a man. Raises: BotError."""
        await self._ready.wait()
        return await self._run(_evaluate, request, self._answer_seconds)

    async def close(self) -> None:
        """End the workers at once."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)

    async def _run(self, function: Callable[[Argument], Answer], argument: Argument, timeout_seconds: float) -> Answer:
        for _ in range(ATTEMPTS):
            try:
                pool = await self._working_pool()
                future: Future[Answer] = pool.schedule(function, args=(argument,), timeout=timeout_seconds)
                return await self._answer(pool, asyncio.wrap_future(future), timeout_seconds)
            except (PoolTimeoutError, pebble.ProcessExpired, BrokenProcessPool) as error:
                metrics.BOT_RETRIES.inc()
                log.warning("bot worker replaced", error=repr(error))
            finally:
                self._last_sign_of_life = time.monotonic()
        raise BotError(f"no worker answered in {ATTEMPTS} attempts")

    async def _answer(
        self, pool: pebble.ProcessPool, answer: "asyncio.Future[Answer]", timeout_seconds: float
    ) -> Answer:
        """Wait for a worker's answer. Raises: BrokenProcessPool if the pool will never give one.

        The pool itself replaces a worker that is overdue with a request, but not one that hangs before it has taken
        any. Since each request is bounded, a pool from which nothing at all comes for twice that bound hangs.
        """
        began = time.monotonic()
        while not answer.done():
            await asyncio.wait((answer,), timeout=WATCH_SECONDS)
            silence_seconds = time.monotonic() - max(began, self._last_sign_of_life)
            if not answer.done() and (silence_seconds > 2 * timeout_seconds or not pool.active):
                answer.cancel()
                await asyncio.to_thread(pool.stop)
                raise BrokenProcessPool("the pool hangs or is broken")
        return answer.result()

    async def _working_pool(self) -> pebble.ProcessPool:
        """Return the pool; a new one if a worker's death has broken it."""
        async with self._repairing:
            if self._pool is None or not self._pool.active:
                self._pool = await asyncio.to_thread(_start_pool, self._workers, self._endings_folder)
            return self._pool


def _start_pool(workers: int, endings_folder: Path | None) -> pebble.ProcessPool:
    """Return a pool with its workers; blocks while the fork server compiles."""
    pebble.CONSTS.term_timeout = TERMINATE_SECONDS
    context = multiprocessing.get_context("forkserver")
    pool = pebble.ProcessPool(max_workers=workers, context=context, initializer=_initialize, initargs=(endings_folder,))
    pool.schedule(_are_loaded, args=(PRELOADED_MODULES,)).result()
    return pool


# In the pool's processes, where these modules are loaded; the server must never load it.


def _initialize(endings_folder: Path | None) -> None:
    from server.bots.process import use_endings  # noqa: PLC0415
    from server.parent import end_with_parent  # noqa: PLC0415

    end_with_parent()
    if endings_folder is not None:
        use_endings(endings_folder)


def _are_loaded(modules: list[str]) -> bool:
    return all(module in sys.modules for module in modules)


def _choose(request: BotRequest) -> str:
    from server.bots.process import choose  # noqa: PLC0415

    return choose(request)


def _evaluate(request: BotRequest) -> int:
    from server.bots.process import evaluate  # noqa: PLC0415

    return evaluate(request)
