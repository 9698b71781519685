"""The dispatcher: hands requests to workers according to the schedule, and returns their answers.

`server.bots.schedule` decides which request is searched when and for how long. Workers are processes of this machine
(`server.bots.pool`) or of a Dask cluster (`server.bots.dask`). If a worker dies or does not answer in time, the request
is repeated.
"""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Generic

import structlog

from millrace.engine.levels.opponents import STRONGEST_LEVEL

from ..runtime import metrics, tracing
from ..runtime.cancellation import cancel_and_wait
from .answering import AnsweringBots
from .requests import BotError, BotRequest, RequestHandler, Urgency
from .schedule import Begin, End, Order, Schedule, Ticket
from .search_times import SearchTimes
from .search_workers import SearchWorker, WorkerError, WorkerStartError
from .worker_process import Answer, RequestMethod

log = structlog.get_logger()

ANSWER_SECONDS = 5
"""Time after the end of a search until the worker counts as hung and is replaced. It is short enough for a bot with a
bullet clock to move in time; merely slow answers are at most 0.1 s late (`DELIVERY_SECONDS`).
"""

ATTEMPTS = 5
"""Maximum attempts to answer a request."""

PONDER_SECONDS = 20.0
"""Maximum time to ponder one position: the opponent may be gone."""

PONDER_AGAIN_SECONDS = 0.5
"""Pause before looking for an idle processor again."""


class _Search(Generic[Answer]):
    """A request in the schedule."""

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


@dataclass(slots=True)
class _Post:
    """A worker at its work."""

    worker: SearchWorker
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the worker searches: it gets its next request after finishing the last one."""
    current: _Search[Any] | None = None
    """The running search."""


class Dispatcher(AnsweringBots):
    """Answers requests with its workers."""

    def __init__(self) -> None:
        self._schedule = Schedule()
        self._times = SearchTimes()
        self._posts: dict[int, _Post] = {}
        """The workers, by their numbers in the schedule."""
        self._searches: dict[Ticket, _Search[Any]] = {}
        """The searches that have not been answered."""
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether a bot's move in a match with a human player waits for a worker."""
        return self.count_waiting(Urgency.MOVE) > 0

    def count_waiting(self, urgency: Urgency) -> int:
        """Return the number of requests of a class that wait for a worker."""
        return self._schedule.count_waiting(urgency)

    def add_worker(self, worker: SearchWorker, *, is_short: bool) -> int:
        """Use another worker, only for short requests if `is_short`. Return its number."""
        number = self._schedule.add_worker(is_short=is_short)
        self._posts[number] = _Post(worker)
        self._follow(self._schedule.proceed(_now()))
        return number

    def remove_worker(self, number: int) -> None:
        """Stop using a worker. It answers its running search, or another worker does when it raises WorkerError."""
        del self._posts[number]
        self._schedule.remove_worker(number)
        self._follow(self._schedule.proceed(_now()))

    async def ask(self, method: RequestMethod[Answer], request: BotRequest) -> Answer:
        """Return the answer to a request; repeat it if its worker dies or hangs. Raises: BotError."""
        clock_ends_at = inf if request.last_ms is None else _now() + request.last_ms / 1000
        with metrics.BOT_REQUESTS_WAITING.labels(request.urgency.name.lower()).track_inprogress():
            await self._until_ready(request.game)
        for _ in range(ATTEMPTS):
            ticket = self._ticket(request, clock_ends_at)
            try:
                return await self._search(_Search(ticket, method, request), self._schedule.ask(ticket, _now()))
            except WorkerError as error:
                metrics.BOT_REQUEST_RETRIES.inc()
                log.warning("bot worker replaced", error=str(error), **request.ids)
        raise BotError(f"No bot worker answered in {ATTEMPTS} attempts.")

    async def ponder(self, request: BotRequest) -> None:
        """Ponder whenever a processor is idle; return when the search is complete or its time is over."""
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

    async def finish(self) -> None:
        """Return when all searches have ended."""
        while self._searches:
            await asyncio.wait([search.answer for search in self._searches.values()])

    async def close(self) -> None:
        """End all searches, without an answer."""
        await cancel_and_wait(self._serving)

    async def _until_ready(self, game: str) -> None:
        """Return when the workers can play a game; here at once."""

    def _not_started(self, number: int, error: WorkerStartError) -> None:
        """A worker's process could not be started; here nothing follows."""

    def _ticket(self, request: BotRequest, clock_ends_at: float) -> Ticket:
        level_seconds = self._times.estimate_seconds(request.game, request.level, request.movetime_ms)
        is_analysis = request.urgency in (Urgency.ANALYSIS, Urgency.BACKGROUND)
        may_use_threads = request.level == STRONGEST_LEVEL and not is_analysis
        clock_share_seconds = inf if request.soft_ms is None else request.soft_ms / 1000
        return Ticket(
            request.urgency,
            request.owner,
            level_seconds,
            request.table,
            may_use_threads,
            clock_ends_at,
            clock_share_seconds,
        )

    async def _search(self, search: _Search[Answer], orders: Iterable[Order]) -> Answer:
        """Carry out the orders that started a search, and return its answer.

        Raises: WorkerError, and whatever the search raises. Cancelling this task withdraws the search.
        """
        self._searches[search.ticket] = search
        try:
            self._follow(orders)
            with metrics.BOT_REQUESTS_WAITING.labels(search.label).track_inprogress():
                await search.has_begun.wait()
            if tracing.tracer is not None:
                tracing.tracer.note("search begins")
            return await search.answer
        except asyncio.CancelledError:
            metrics.BOT_REQUESTS_CANCELLED.labels(search.label).inc()
            search.answer.cancel()
            self._follow(self._schedule.withdraw(search.ticket, _now()))
            raise
        finally:
            self._searches.pop(search.ticket)

    # Carrying out the orders of the schedule

    def _follow(self, orders: Iterable[Order]) -> None:
        for order in orders:
            search = self._searches.get(order.ticket)
            if search is None:
                continue  # withdrawn meanwhile
            match order:
                case Begin():
                    serving = asyncio.create_task(self._serve(order, search, self._posts[order.worker]))
                    self._serving.add(serving)
                    serving.add_done_callback(self._serving.discard)
                case End(number, _, at):
                    search.end_at = at
                    if self._posts[number].current is search:
                        self._posts[number].worker.end_at(at)

    async def _serve(self, begin: Begin, search: _Search[Any], post: _Post) -> None:
        """Run a search in a worker, after its previous search."""
        async with post.lock:
            search.has_begun.set()
            if not search.answer.done():
                post.current = search
                with metrics.BOT_REQUESTS_RUNNING.labels(search.label).track_inprogress():
                    await self._run(begin, search, post.worker)
                post.current = None
        self._follow(self._schedule.end(begin.worker, begin.ticket, _now()))

    async def _run(self, begin: Begin, search: _Search[Any], worker: SearchWorker) -> None:
        began_at = _now()
        metrics.BOT_QUEUE_SECONDS.labels(search.label).observe(began_at - search.asked_at)
        worker.end_at(search.end_at)
        try:
            answer = await worker.search(search.method_name, search.bounded(begin), begin.seconds)
        except Exception as error:
            if isinstance(error, WorkerStartError):
                self._not_started(begin.worker, error)
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
    """Return the time in seconds, by the clock of the schedule and the workers."""
    return time.monotonic()
