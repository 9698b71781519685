"""The bot pool: a dispatcher whose workers are processes of this machine.

Workers are forked from a fork server that has loaded the compiled searches, so a new worker is ready within
milliseconds. Missing kernels are compiled elsewhere first (`server.bots.compiler`), and the bots of one game are ready
before those of the next.
"""

import asyncio
import os
from collections.abc import Callable
from multiprocessing import forkserver
from typing import TypeAlias

import structlog

from millrace.engine.games import GAMES

from . import worker_process
from .compiler import CompileError, Compiler, Job
from .dispatcher import ANSWER_SECONDS, Dispatcher
from .requests import BotError, BotRequest, BotStatus, EngineFolders
from .schedule import short_workers_beside
from .search_workers import WorkerError
from .worker import COMPILE_SECONDS, PRELOADED_MODULES, Worker
from .worker_process import Answer

log = structlog.get_logger()

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of a game that is ready, the number of ready games, and the number of games."""


def no_progress(_game: str, _done: int, _total: int) -> None:
    """Report nothing."""


class BotPool(Dispatcher):
    """The bots of this server, in processes on this machine."""

    def __init__(
        self,
        workers: int | None = None,
        answer_seconds: float = ANSWER_SECONDS,
        folders: EngineFolders | None = None,
        compiler: Compiler | None = None,
    ) -> None:
        super().__init__()
        self._compiler = compiler or Compiler()
        self._uncached: set[str] = set()
        """The games that a new worker compiles at its first request, because the kernel cache does not have them."""
        self._ready = {game: asyncio.Event() for game in GAMES}
        processors = workers or os.cpu_count() or 1
        self._workers = [
            Worker(folders, answer_seconds, self._uncached)
            for _ in range(processors + short_workers_beside(processors))
        ]
        for number, worker in enumerate(self._workers):
            self.add_worker(worker, is_short=number >= processors)

    @property
    def is_ready(self) -> bool:
        """Whether the bots of all games are ready. Earlier requests wait for their game."""
        return all(ready.is_set() for ready in self._ready.values())

    @property
    def status(self) -> BotStatus:
        """Whether the bots are ready, or what they are waiting for."""
        return BotStatus.READY if self.is_ready else BotStatus.COMPILING

    async def start(self, progress: Progress = no_progress) -> None:
        """Start the workers and return when the bots of all games are ready. Raises: BotError if they do not start."""
        # In this thread, since the fork server ends with the thread that started it.
        forkserver.set_forkserver_preload(PRELOADED_MODULES)
        forkserver.ensure_running()

        async def prepare(game: str) -> None:
            await self._prepare(game)
            self._ready[game].set()
            progress(game, sum(ready.is_set() for ready in self._ready.values()), len(GAMES))

        try:
            await asyncio.gather(*map(prepare, GAMES))
        except WorkerError as error:
            raise BotError("The bots' worker processes could not be started.") from error

    async def ponder(self, request: BotRequest) -> None:
        """Ponder whenever a processor is idle; return when the search is complete or its time is over."""
        if self.is_ready:
            await super().ponder(request)

    async def close(self) -> None:
        """Kill the workers and the compiling processes."""
        await self._compiler.close()
        await super().close()
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def _until_ready(self, game: str) -> None:
        """Return when the bots of a game are ready; at once for an unknown game, which a worker then reports."""
        if game in self._ready:
            await self._ready[game].wait()

    async def _prepare(self, game: str) -> None:
        """Load a game's search in every worker, after compiling it if necessary. Raises: WorkerError."""
        if await self._are_loaded(game):
            return
        try:
            await self._compiler.compile(Job("search", game))
        except CompileError as error:
            log.warning("search not compiled", error=str(error))
        if not await self._are_loaded(game):
            log.warning("the kernel cache cannot be used: each bot worker compiles the game itself", game=game)
            self._uncached.add(game)
            await self._in_every_worker(worker_process.compile_here, game)

    async def _are_loaded(self, game: str) -> bool:
        return all(await self._in_every_worker(worker_process.load, game))

    async def _in_every_worker(self, function: Callable[[str], Answer], game: str) -> list[Answer]:
        async def call(number: int, worker: Worker) -> Answer:
            async with self._posts[number].lock:
                return await worker.run(function, game, 0, COMPILE_SECONDS)

        return await asyncio.gather(*map(call, range(len(self._workers)), self._workers))
