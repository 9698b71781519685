"""The bot pool: sends requests for moves and analyses to the workers and returns their answers.

Workers are forked from a fork server that has loaded the compiled searches, so a new worker is ready within
milliseconds. What the kernel cache does not have is compiled elsewhere first (`server.bots.compiler`), and the bots of
one game are ready before those of the next. If a worker dies or does not answer in time, the request is repeated.
`server.bots.schedule` decides which request is searched when and for how long; this module carries out its orders.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from math import inf
from multiprocessing import forkserver
from typing import Any, Generic, TypeAlias, TypeVar

import structlog

from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import STRONGEST_LEVEL

from .. import metrics
from . import worker_process
from .compiler import CompileError, Compiler, Job
from .requests import AnalysisResult, BotError, BotRequest, EngineFolders, RequestHandler, TablebaseLookup, Urgency
from .schedule import Begin, End, Order, Schedule, Ticket
from .search_times import SearchTimes
from .worker import PRELOADED_MODULES, Worker, WorkerError
from .worker_process import RequestMethod

log = structlog.get_logger()

COMPILE_SECONDS = 300
"""Maximum time for a worker to load or compile a game."""

ANSWER_SECONDS = 5
"""Time after the end of a search until the worker counts as hung and is replaced. Short enough that a bot with a bullet
clock may still move in time; merely slow answers are at most 0.1 s late (`DELIVERY_SECONDS`)."""

ATTEMPTS = 5
"""Maximum attempts to answer a request."""

PONDER_SECONDS = 20.0
"""Maximum time to ponder one position: the opponent may have gone away."""

PONDER_AGAIN_SECONDS = 0.5
"""Pause before looking for an idle processor again."""

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of a game that is ready, how many are, and how many there are."""

Answer = TypeVar("Answer")


def no_progress(_game: str, _done: int, _total: int) -> None:
    """Report nothing."""


class _Search(Generic[Answer]):
    """A request that was handed to the schedule."""

    def __init__(self, ticket: Ticket, method: RequestMethod[Answer], request: BotRequest) -> None:
        self.ticket = ticket
        self.method_name = method.__name__
        self.label = ticket.urgency.name.lower()
        self.asked_at = _now()
        self.has_begun = asyncio.Event()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.end_at = inf
        """When the search must end, by the latest order of the schedule."""
        self.game, self.level = request.game, request.level
        self._request = request

    def bounded(self, begin: Begin) -> BotRequest:
        """Return the request with the time and the processors that the schedule allots."""
        request = replace(self._request, threads=begin.threads)
        return replace(request, movetime_ms=begin.seconds * 1000) if begin.is_cut else request


class BotPool:
    """The bots of this server, in processes of this machine."""

    def __init__(
        self,
        workers: int | None = None,
        answer_seconds: float = ANSWER_SECONDS,
        folders: EngineFolders | None = None,
        compiler: Compiler | None = None,
    ) -> None:
        self._answer_seconds = answer_seconds
        self._compiler = compiler or Compiler()
        self._uncached: set[str] = set()
        """The games that a new worker compiles at its first request, because the kernel cache does not have them."""
        self._ready = {game: asyncio.Event() for game in GAMES}
        self._schedule = Schedule(workers or os.cpu_count() or 1)
        self._times = SearchTimes()
        self._workers = [Worker(folders) for _ in range(self._schedule.workers)]
        self._locks = [asyncio.Lock() for _ in self._workers]
        """Held while a worker searches: it gets its next request when it has finished the last one."""
        self._current: dict[int, _Search[Any]] = {}
        """The running search of each worker."""
        self._searches: dict[Ticket, _Search[Any]] = {}
        """The searches that have not been answered."""
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def is_ready(self) -> bool:
        """Whether the bots of all games are ready. Requests made earlier wait for their game."""
        return all(ready.is_set() for ready in self._ready.values())

    @property
    def is_busy(self) -> bool:
        """Whether a bot's move in a match with a human player waits for a worker."""
        return self._schedule.count_waiting(Urgency.MOVE) > 0

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

    async def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: BotError."""
        with metrics.BOT_MOVE_SECONDS.time():
            return await self._ask(RequestHandler.choose, request)

    async def evaluate(self, request: BotRequest) -> int:
        """Return the position's score for the side to move, in hundredths of a man. Raises: BotError."""
        return await self._ask(RequestHandler.evaluate, request)

    async def analyse(self, request: BotRequest) -> AnalysisResult:
        """Analyse a position at the strongest level with its full time. Raises: BotError."""
        return await self._ask(RequestHandler.analyse, request)

    async def look_up(self, request: BotRequest) -> TablebaseLookup:
        """Look a position up in the tablebase. Raises: BotError."""
        return await self._ask(RequestHandler.look_up, request)

    async def ponder(self, request: BotRequest) -> None:
        """Ponder whenever a processor is idle; return when the search is complete or its time is over."""
        if not self.is_ready:
            return
        over_at = _now() + PONDER_SECONDS
        while (left_seconds := over_at - _now()) > 0:
            ticket = Ticket(Urgency.PONDERING, request.owner, left_seconds, request.table)
            orders = self._schedule.ponder(ticket, left_seconds, _now())
            if orders:
                pondering = replace(request, urgency=Urgency.PONDERING, movetime_ms=left_seconds * 1000)
                search = _Search(ticket, RequestHandler.ponder, pondering)
                await self._search(search, orders)
                if search.end_at == inf:
                    return
            await asyncio.sleep(PONDER_AGAIN_SECONDS)

    async def close(self) -> None:
        """Kill the workers, and what still compiles."""
        await self._compiler.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def _ask(self, method: RequestMethod[Answer], request: BotRequest) -> Answer:
        """Return the answer to a request; repeat it if its worker dies or hangs. Raises: BotError."""
        clock_ends_at = inf if request.last_ms is None else _now() + request.last_ms / 1000
        clock_share_seconds = inf if request.soft_ms is None else request.soft_ms / 1000
        with metrics.BOT_REQUESTS_WAITING.labels(request.urgency.name.lower()).track_inprogress():
            await self._until_ready(request.game)
        for _ in range(ATTEMPTS):
            level_seconds = self._times.estimate_seconds(request.game, request.level, request.movetime_ms)
            may_use_threads = request.level == STRONGEST_LEVEL and request.urgency is not Urgency.ANALYSIS
            ticket = Ticket(
                request.urgency,
                request.owner,
                level_seconds,
                request.table,
                may_use_threads,
                clock_ends_at,
                clock_share_seconds,
            )
            try:
                return await self._search(_Search(ticket, method, request), self._schedule.ask(ticket, _now()))
            except WorkerError as error:
                metrics.BOT_REQUEST_RETRIES.inc()
                log.warning("bot worker replaced", error=str(error))
        raise BotError(f"No bot worker answered in {ATTEMPTS} attempts.")

    async def _search(self, search: _Search[Answer], orders: Iterable[Order]) -> Answer:
        """Carry out the orders that started a search, and return its answer.

        Raises: WorkerError, and whatever the search raises. Cancelling this task withdraws the search.
        """
        self._searches[search.ticket] = search
        try:
            self._follow(orders)
            with metrics.BOT_REQUESTS_WAITING.labels(search.label).track_inprogress():
                await search.has_begun.wait()
            return await search.answer
        except asyncio.CancelledError:
            metrics.BOT_REQUESTS_CANCELLED.labels(search.label).inc()
            search.answer.cancel()
            self._follow(self._schedule.withdraw(search.ticket, _now()))
            raise
        finally:
            self._searches.pop(search.ticket)

    # Loading the compiled searches

    async def _until_ready(self, game: str) -> None:
        """Return when the bots of a game are ready; at once if there is no such game, which a worker then reports."""
        if game in self._ready:
            await self._ready[game].wait()

    async def _prepare(self, game: str) -> None:
        """Load a game's search in every worker; compile it before, if necessary. Raises: WorkerError."""
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
        async def call(worker: Worker, lock: asyncio.Lock) -> Answer:
            async with lock:
                return await worker.run(function, game, 0, COMPILE_SECONDS)

        return await asyncio.gather(*map(call, self._workers, self._locks))

    # Carrying out the orders of the schedule

    def _follow(self, orders: Iterable[Order]) -> None:
        for order in orders:
            search = self._searches.get(order.ticket)
            if search is None:
                continue  # withdrawn meanwhile
            match order:
                case Begin():
                    serving = asyncio.create_task(self._serve(order, search))
                    self._serving.add(serving)
                    serving.add_done_callback(self._serving.discard)
                case End(worker, _, at):
                    search.end_at = at
                    if self._current.get(worker) is search:
                        self._workers[worker].end_at(at)

    async def _serve(self, begin: Begin, search: _Search[Any]) -> None:
        """Run a search in a worker, after its previous search."""
        async with self._locks[begin.worker]:
            search.has_begun.set()
            if not search.answer.done():
                self._current[begin.worker] = search
                with metrics.BOT_REQUESTS_RUNNING.labels(search.label).track_inprogress():
                    await self._run(begin, search)
                del self._current[begin.worker]
        self._follow(self._schedule.end(begin.worker, begin.ticket, _now()))

    async def _run(self, begin: Begin, search: _Search[Any]) -> None:
        worker, began_at = self._workers[begin.worker], _now()
        metrics.BOT_QUEUE_SECONDS.labels(search.label).observe(began_at - search.asked_at)
        worker.end_at(search.end_at)
        try:
            function = partial(worker_process.answer_request, search.method_name)
            answer_seconds = COMPILE_SECONDS if search.game in self._uncached else self._answer_seconds
            answer = await worker.run(function, search.bounded(begin), begin.seconds, answer_seconds)
        except Exception as error:
            # The caller that waits for the answer handles the error.
            if not search.answer.done():
                search.answer.set_exception(error)
            return
        finally:
            seconds = _now() - began_at
            metrics.BOT_SEARCH_SECONDS.labels(search.label, search.level).inc(seconds)
        if not search.answer.done():
            search.answer.set_result(answer)
            self._note_answer(begin, search, seconds)

    def _note_answer(self, begin: Begin, search: _Search[Any], seconds: float) -> None:
        """Update the estimates and metrics after an answer."""
        if begin.is_cut or search.end_at < inf:
            metrics.BOT_REQUESTS_SHORTENED.labels(search.label).inc()
        else:
            self._times.record(search.game, search.level, seconds)
        if search.ticket.urgency is not Urgency.PONDERING and _now() > search.ticket.due_at:
            metrics.BOT_REQUESTS_LATE.labels(search.label).inc()


def _now() -> float:
    """Return the time in seconds, by the clock that the workers use too."""
    return time.monotonic()
