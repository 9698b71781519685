"""Bots in empty seats: the asking of a pool of processes that search.

The workers' processes are forked from a fork server that has compiled every game's search, so a new one plays within
milliseconds. One that dies or does not answer in time costs a repeated request, never the match. Who is served when and
for how long is decided in `server.bots.schedule`, whose orders are carried out here.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import inf
from multiprocessing import forkserver
from typing import Any, Generic, TypeVar

import structlog

from millrace.engine.levels.opponents import STRONGEST_LEVEL

from .. import metrics
from . import tasks
from .costs import Costs
from .requests import BotError, BotRequest, Findings, Knowledge, SolvedEnding, Urgency
from .schedule import Begin, End, Order, Schedule, Ticket
from .worker import PRELOADED_MODULES, Worker, WorkerError

log = structlog.get_logger()

COMPILE_SECONDS = 300
"""A bound on the compilation of all games, past any machine that could serve players."""

ANSWER_SECONDS = 5
"""A worker that has not answered so long after it was to end, or was told to, is replaced: who waits for it at a bullet
clock has perhaps not lost by then. Answers that are merely slow come 0.1 s late at most (`DELIVERY_SECONDS`)."""

ATTEMPTS = 5

PONDER_SECONDS = 20.0
"""Longer than this no position is pondered: who is to move has perhaps gone away."""

PONDER_AGAIN_SECONDS = 0.5
"""Who found no idle processor, or had to leave it to others, looks for one so much later."""

Answer = TypeVar("Answer")


class _Search(Generic[Answer]):
    """A request that was handed to the schedule."""

    def __init__(self, ticket: Ticket, function: Callable[[BotRequest], Answer], request: BotRequest) -> None:
        self.ticket = ticket
        self.function = function
        self.label = ticket.urgency.name.lower()
        self.asked_at = _now()
        self.has_begun = asyncio.Event()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.end_at = inf
        """When it is to end, as the schedule orders."""
        self.game, self.level = request.game, request.level
        self._request = request

    def bounded(self, begin: Begin) -> BotRequest:
        """Return the request with no more time, and with as many processors, as the schedule gives it."""
        request = replace(self._request, threads=begin.threads)
        return replace(request, movetime_ms=begin.seconds * 1000) if begin.is_cut else request


class BotPool:
    """Bots in processes of this machine."""

    def __init__(
        self,
        workers: int | None = None,
        answer_seconds: float = ANSWER_SECONDS,
        knowledge: Knowledge | None = None,
    ) -> None:
        self._answer_seconds = answer_seconds
        self._ready = asyncio.Event()
        self._schedule = Schedule(workers or os.cpu_count() or 1)
        self._costs = Costs()
        self._workers = [Worker(knowledge) for _ in range(self._schedule.workers)]
        self._locks = [asyncio.Lock() for _ in self._workers]
        """A worker that is to end something is asked the next thing when it has."""
        self._current: dict[int, _Search[Any]] = {}
        """What each worker searches."""
        self._searches: dict[Ticket, _Search[Any]] = {}
        """What is waited for."""
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def is_ready(self) -> bool:
        """Whether the searches are compiled; requests made before wait for it."""
        return self._ready.is_set()

    @property
    def is_pressed(self) -> bool:
        """Whether a bot's ply in a match of people waits for a worker."""
        return self._schedule.count_waiting(Urgency.MOVE) > 0

    async def start(self) -> None:
        """Start the workers and return when they can play. Raises: BotError if they never do."""
        # From this thread, which lives as long as the process: the fork server ends with the thread that started it.
        forkserver.set_forkserver_preload(PRELOADED_MODULES)
        forkserver.ensure_running()
        try:
            is_preloaded = [await worker.are_preloaded(COMPILE_SECONDS) for worker in self._workers]
        except WorkerError as error:
            raise BotError("The workers do not start.") from error
        if not all(is_preloaded):
            log.warning("bot workers compile for themselves: the fork server did not preload")
            self._answer_seconds = COMPILE_SECONDS
        self._ready.set()

    async def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: BotError."""
        with metrics.BOT_SECONDS.time():
            return str(await self._ask(tasks.choose, request))

    async def evaluate(self, request: BotRequest) -> int:
        """Return what the position is worth to the seat to move, in hundredths of a man. Raises: BotError."""
        answer = await self._ask(tasks.evaluate, request)
        assert isinstance(answer, int)
        return answer

    async def analyse(self, request: BotRequest) -> Findings:
        """Return what the strongest level finds, given all of its time. Raises: BotError."""
        return await self._ask(tasks.analyse, request)

    async def look_up(self, request: BotRequest) -> SolvedEnding:
        """Return what solved endings tell. Raises: BotError."""
        return await self._ask(tasks.look_up, request)

    async def ponder(self, request: BotRequest) -> None:
        """Think ahead whenever a processor is idle; return when all is thought or the time for it is over."""
        if not self.is_ready:
            return
        over_at = _now() + PONDER_SECONDS
        while (left_seconds := over_at - _now()) > 0:
            ticket = Ticket(Urgency.PONDERING, request.owner, left_seconds, request.table)
            orders = self._schedule.ponder(ticket, left_seconds, _now())
            if orders:
                pondering = replace(request, urgency=Urgency.PONDERING, movetime_ms=left_seconds * 1000)
                search = _Search(ticket, tasks.ponder, pondering)
                await self._search(search, orders)
                if search.end_at == inf:
                    return
            await asyncio.sleep(PONDER_AGAIN_SECONDS)

    async def close(self) -> None:
        """End the workers at once."""
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def _ask(self, function: Callable[[BotRequest], Answer], request: BotRequest) -> Answer:
        """Have a request answered, by another worker if one dies over it. Raises: BotError."""
        clock_ends_at = inf if request.last_ms is None else _now() + request.last_ms / 1000
        clock_share_seconds = inf if request.soft_ms is None else request.soft_ms / 1000
        with metrics.BOTS_WAITING.labels(request.urgency.name.lower()).track_inprogress():
            await self._ready.wait()
        for _ in range(ATTEMPTS):
            level_seconds = self._costs.level_seconds(request.game, request.level, request.movetime_ms)
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
                return await self._search(_Search(ticket, function, request), self._schedule.ask(ticket, _now()))
            except WorkerError as error:
                metrics.BOT_RETRIES.inc()
                log.warning("bot worker replaced", error=str(error))
        raise BotError(f"no worker answered in {ATTEMPTS} attempts")

    async def _search(self, search: _Search[Answer], orders: Iterable[Order]) -> Answer:
        """Follow the orders that came of a search's being asked for, and return its answer.

        Raises: WorkerError, and what the search does. The search is withdrawn when this task is cancelled.
        """
        self._searches[search.ticket] = search
        try:
            self._follow(orders)
            with metrics.BOTS_WAITING.labels(search.label).track_inprogress():
                await search.has_begun.wait()
            return await search.answer
        except asyncio.CancelledError:
            metrics.BOTS_CANCELLED.labels(search.label).inc()
            search.answer.cancel()
            self._follow(self._schedule.withdraw(search.ticket, _now()))
            raise
        finally:
            self._searches.pop(search.ticket)

    # Carrying out what the schedule orders

    def _follow(self, orders: Iterable[Order]) -> None:
        for order in orders:
            search = self._searches.get(order.ticket)
            if search is None:
                continue  # withdrawn, and told to end already
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
        """Have a worker search, once it has ended what it was doing."""
        async with self._locks[begin.worker]:
            search.has_begun.set()
            if not search.answer.done():
                self._current[begin.worker] = search
                with metrics.BOTS_RUNNING.labels(search.label).track_inprogress():
                    await self._run(begin, search)
                del self._current[begin.worker]
        self._follow(self._schedule.end(begin.worker, begin.ticket, _now()))

    async def _run(self, begin: Begin, search: _Search[Any]) -> None:
        worker, began_at = self._workers[begin.worker], _now()
        metrics.BOT_WAIT_SECONDS.labels(search.label).observe(began_at - search.asked_at)
        worker.end_at(search.end_at)
        try:
            answer = await worker.run(search.function, search.bounded(begin), begin.seconds, self._answer_seconds)
        except Exception as error:
            # Whatever it is, it is for whoever asked.
            if not search.answer.done():
                search.answer.set_exception(error)
            return
        finally:
            seconds = _now() - began_at
            metrics.BOT_THINKING_SECONDS.labels(search.label, search.level).inc(seconds)
        if not search.answer.done():
            search.answer.set_result(answer)
            self._note_answer(begin, search, seconds)

    def _note_answer(self, begin: Begin, search: _Search[Any], seconds: float) -> None:
        """Learn and count what an answer took."""
        if begin.is_cut or search.end_at < inf:
            metrics.BOTS_CUT.labels(search.label).inc()
        else:
            self._costs.learn(search.game, search.level, seconds)
        if search.ticket.urgency is not Urgency.PONDERING and _now() > search.ticket.due_at:
            metrics.BOTS_LATE.labels(search.label).inc()


def _now() -> float:
    """Return seconds of the clock that the workers share."""
    return time.monotonic()
