"""The bot pool: a dispatcher whose workers are processes of this machine.

Workers are forked from a fork server that has loaded the compiled searches, so a new worker is ready within
milliseconds. Missing kernels are compiled elsewhere first (`server.bots.compiler`), and the bots of one game are ready
before those of the next.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

from millrace.engine.faults import GameFaultError
from millrace.engine.games import GAMES, distribution_of

from ..runtime.cancellation import cancel_and_wait
from ..runtime.child_process import START_ERRORS, why_not_started
from . import worker_process
from .compiler import CompileError, Compiler, Job
from .dispatcher import ANSWER_SECONDS, Dispatcher
from .interpreted_bots import InterpretedBots, is_quick
from .requests import BotError, BotRequest, BotStatus, EngineFolders, Urgency
from .schedule import short_workers_beside
from .search_workers import WorkerError, WorkerStartError
from .worker import COMPILE_SECONDS, Worker, ensure_fork_server
from .worker_process import Answer, RequestMethod

log = structlog.get_logger()

RETRY_SECONDS = 1.0
"""Pause before what failed is tried again; twice as long each time, up to `MAX_RETRY_SECONDS`."""

MAX_RETRY_SECONDS = 30.0

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
        interpreted: InterpretedBots | None = None,
    ) -> None:
        super().__init__()
        self._compiler = compiler or Compiler()
        self._interpreted = interpreted or InterpretedBots(answer_seconds)
        self._uncached: set[str] = set()
        """The games that a new worker compiles at its first request, because the kernel cache does not have them."""
        self._ready = {game: asyncio.Event() for game in GAMES}
        processors = workers or os.cpu_count() or 1
        self._is_short = {
            Worker(folders, answer_seconds, self._uncached): number >= processors
            for number in range(processors + short_workers_beside(processors))
        }
        """The workers, those for long searches first, and whether they are for short searches only."""
        self._numbers: dict[Worker, int] = {}
        """The numbers in the schedule of the workers whose process has been started."""
        self._has_worker = asyncio.Event()
        """Set while a worker for long searches, which can answer every request, is in the schedule."""
        self._starting: asyncio.Task[None] | None = None
        """Starts the workers that are not in the schedule."""
        self._troubles: dict[str, str] = {}
        """What keeps something from starting, by what it is."""
        self.faulty_games: dict[str, str] = {}
        """See `Bots.faulty_games`."""

    @property
    def is_ready(self) -> bool:
        """Whether the bots of all games are ready that have any. Earlier requests wait for their game."""
        return self.faulty_games.keys() >= {*self.waiting_games}

    @property
    def waiting_games(self) -> tuple[str, ...]:
        """The games in which no bot can move yet."""
        has_worker = self._has_worker.is_set()
        return tuple(game for game, ready in self._ready.items() if not (has_worker and ready.is_set()))

    @property
    def trouble(self) -> str:
        """What keeps bots, or some of their workers, from starting; empty if nothing does."""
        return next(iter(self._troubles.values()), "") or self._compiler.trouble

    @property
    def status(self) -> BotStatus:
        """Whether the bots are ready, or what they are waiting for."""
        if self.is_ready:
            return BotStatus.READY
        return BotStatus.UNAVAILABLE if self.trouble else BotStatus.COMPILING

    async def start(self, progress: Progress = no_progress) -> None:
        """Start the workers and return when the bots of all games are ready. What fails is tried again.

        A game whose code is faulty has no bots: it stays among the `waiting_games`.
        """

        async def prepare(game: str) -> None:
            try:
                await self._keep_trying(game, lambda: self._prepare(game))
            except GameFaultError as error:
                log.error("a game has no bots", game=game, package=distribution_of(game), error=str(error))
                self.faulty_games[game] = str(error)
                return
            self._ready[game].set()
            progress(game, sum(ready.is_set() for ready in self._ready.values()), len(GAMES))

        await self._interpreted.settle()
        self._begin_to_start_workers()
        await asyncio.gather(*map(prepare, GAMES))
        await self._interpreted.retire()

    async def ask(self, method: RequestMethod[Answer], request: BotRequest) -> Answer:
        """Return the answer to a request; an analysis does not wait while bots cannot start. Raises: BotError."""
        trouble = self.faulty_games.get(request.game, self.trouble)
        if request.urgency is Urgency.ANALYSIS and request.game in self.waiting_games and trouble:
            raise BotError(trouble)
        if is_quick(method, request) and await self._is_interpreted_first(request.game):
            try:
                return await self._interpreted.ask(method, request)
            except Exception as error:  # also of a game that cannot be interpreted
                log.warning("no answer from an interpreted search", game=request.game, reason=repr(error))
        return await super().ask(method, request)

    async def ponder(self, request: BotRequest) -> None:
        """Ponder whenever a processor is idle; return when the search is complete or its time is over."""
        if self.is_ready:
            await super().ponder(request)

    async def close(self) -> None:
        """Kill the workers and the compiling processes."""
        if self._starting is not None:
            await cancel_and_wait([self._starting])
        await self._interpreted.close()
        await self._compiler.close()
        await super().close()
        await asyncio.gather(*(worker.close() for worker in self._is_short))

    async def _until_ready(self, game: str) -> None:
        """Return when the bots of a game are ready; at once for an unknown game, which a worker then reports."""
        if game in self._ready:
            await self._ready[game].wait()

    async def _is_interpreted_first(self, game: str) -> bool:
        """Return whether the interpreted bots are ready before those of a game, once either are."""
        ready = self._ready.get(game)
        if ready is None or ready.is_set():
            return False
        waits = [asyncio.ensure_future(each.wait()) for each in (ready, self._interpreted.is_ready)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancel_and_wait(waits)
        return not ready.is_set()

    async def _prepare(self, game: str) -> None:
        """Load a game's search in every worker, after compiling it if necessary.

        Raises: WorkerError, GameFaultError.
        """
        if await self._are_loaded(game):
            return
        self._interpreted.begin()
        try:
            await self._compiler.compile(Job("search", game))
        except GameFaultError:
            raise
        except CompileError as error:
            log.warning("search not compiled", error=str(error))
        if not await self._are_loaded(game):
            if game not in self._uncached:
                log.warning("the kernel cache cannot be used: each bot worker compiles the game itself", game=game)
            self._uncached.add(game)
            await self._in_every_worker(worker_process.compile_here, game)

    async def _are_loaded(self, game: str) -> bool:
        return all(await self._in_every_worker(worker_process.load, game))

    async def _in_every_worker(self, function: Callable[[str], Answer], game: str) -> list[Answer]:
        """Call a function in every worker that has been started, once there is one. Raises: WorkerError."""

        async def call(worker: Worker, number: int, lock: asyncio.Lock) -> Answer:
            async with lock:
                try:
                    return await worker.run(function, game, 0, COMPILE_SECONDS)
                except WorkerStartError as error:
                    self._not_started(number, error)
                    raise

        await self._has_worker.wait()
        workers = self._numbers.items()
        return await asyncio.gather(*(call(worker, number, self._posts[number].lock) for worker, number in workers))

    # Starting, again and again

    def _not_started(self, number: int, error: WorkerStartError) -> None:
        """Take a worker out of the schedule until its process can be started."""
        self._troubles[_WORKERS] = str(error)
        worker = next((worker for worker, its_number in self._numbers.items() if its_number == number), None)
        if worker is not None:
            del self._numbers[worker]
            self._note_workers()
            self.remove_worker(number)
            self._begin_to_start_workers()

    def _begin_to_start_workers(self) -> None:
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._keep_trying(_WORKERS, self._start_workers))

    async def _start_workers(self) -> None:
        """Start the workers that are not in the schedule, those for long searches first. Raises: WorkerStartError."""
        try:
            ensure_fork_server()
        except START_ERRORS as error:
            raise WorkerStartError(why_not_started(error)) from error
        while missing := [worker for worker in self._is_short if worker not in self._numbers]:
            worker = missing[0]
            await worker.start()
            self._numbers[worker] = self.add_worker(worker, is_short=self._is_short[worker])
            self._note_workers()

    def _note_workers(self) -> None:
        if all(self._is_short[worker] for worker in self._numbers):
            self._has_worker.clear()
        else:
            self._has_worker.set()

    async def _keep_trying(self, name: str, step: Callable[[], Awaitable[None]]) -> None:
        """Carry out a step, again after a pause while it fails, and note the trouble meanwhile.

        Raises: GameFaultError, which no further attempt would mend.
        """
        pause_seconds = RETRY_SECONDS
        while True:
            try:
                await step()
                break
            except WorkerError as error:
                self._troubles[name] = str(error)
            except GameFaultError:
                self._troubles.pop(name, None)
                raise
            except Exception as error:
                # The task's boundary: bots must be able to start later.
                log.exception("bots not started", what=name)
                self._troubles[name] = f"Unexpected error: {error!r}."
            await asyncio.sleep(pause_seconds)
            pause_seconds = min(2 * pause_seconds, MAX_RETRY_SECONDS)
        self._troubles.pop(name, None)


_WORKERS = "workers"
