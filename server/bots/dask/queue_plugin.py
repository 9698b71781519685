"""The queue of a cluster: a plug-in of the Dask scheduler that dispatches the requests of all servers to the workers.

One queue holds all requests, so moves come before analyses, and owners on all servers take turns. Dask reports workers
that come and go, and its nannies replace those that die or hang.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from distributed import Scheduler, SchedulerPlugin
from distributed.batched import BatchedSend
from distributed.comm import Comm, CommClosedError
from distributed.core import Status as DaskStatus

from ...runtime import metrics
from ..dispatcher import ANSWER_SECONDS, Dispatcher
from .messages import (
    METHODS,
    VERSION,
    Answered,
    Ask,
    Failed,
    FromScheduler,
    Refused,
    Status,
    Withdraw,
    decode_from_server,
    encode,
)
from .remote_worker import DaskAny, RemoteWorker
from .slot_counts import LONG, PROCESSORS, SHORT

log = structlog.get_logger()

STATUS_SECONDS = 0.5
"""Interval of status messages to servers."""

DESCRIBE_SECONDS = 10
"""Time for a new worker to describe itself."""

RESTART_SECONDS = 30
"""Time for a nanny to end a hanging worker."""


class BotQueue(SchedulerPlugin):
    """The requests of all servers, and the workers that answer them."""

    name = "millrace"

    def __init__(self, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._answer_seconds = answer_seconds
        self._dispatcher = Dispatcher()
        self._workers: dict[str, dict[int, RemoteWorker]] = {}
        """The slots of each worker, by address and number in the schedule."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._scheduler: Scheduler

    async def start(self, scheduler: Scheduler) -> None:
        """Listen for servers."""
        self._scheduler = scheduler
        scheduler.handlers["millrace_bots"] = self._serve
        for address in scheduler.workers:
            self.add_worker(scheduler, address)

    async def close(self) -> None:
        """End all searches."""
        for task in self._tasks:
            task.cancel()
        await self._dispatcher.close()

    def add_worker(self, scheduler: Scheduler, worker: str) -> None:
        """Ask a new worker for its capabilities, and use it. It answers after learning that it was added."""
        self._begin(self._describe(scheduler, worker))

    async def _describe(self, scheduler: Scheduler, worker: str) -> None:
        calls = scheduler.rpc(worker)
        try:
            async with asyncio.timeout(DESCRIBE_SECONDS):
                can = await calls.millrace_describe()
            if can["version"] != VERSION:
                log.error("bot worker refused", worker=worker, reason=_another_version("worker", can["version"]))
            elif worker in scheduler.workers:
                self._use(worker, calls, can)
        except Exception as error:
            log.warning("a worker cannot search for bots", worker=worker, error=str(error))

    def _use(self, worker: str, calls: DaskAny, can: dict[str, int]) -> None:
        self._workers[worker] = {}
        for slot in range(can[LONG] + can[SHORT]):
            remote = RemoteWorker(calls, worker, slot, can[PROCESSORS], self._answer_seconds, self._replace)
            number = self._dispatcher.add_worker(remote, is_short=slot >= can[LONG])
            self._workers[worker][number] = remote
        metrics.BOT_WORKERS.set(len(self._workers))
        log.info("bot worker added", worker=worker, workers=len(self._workers))

    def remove_worker(self, scheduler: Scheduler, worker: str, **_: Any) -> None:  # noqa: ARG002  # Dask's
        """Let others repeat the searches of a worker that has gone."""
        for remote in self._forget(worker):
            remote.lose()

    def _forget(self, worker: str) -> list[RemoteWorker]:
        """Send no more requests to a worker; return its slots."""
        slots = self._workers.pop(worker, {})
        for number in slots:
            self._dispatcher.remove_worker(number)
        if slots:
            metrics.BOT_WORKERS.set(len(self._workers))
            log.info("bot worker removed", worker=worker, workers=len(self._workers))
        return list(slots.values())

    def _replace(self, worker: str) -> None:
        """Let a nanny kill a hanging worker and start another one."""
        for remote in self._forget(worker):
            remote.lose()
        self._begin(self._restart(worker))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _restart(self, worker: str) -> None:
        log.warning("bot worker hangs", worker=worker)
        try:
            await self._scheduler.restart_workers(
                [worker],
                timeout=RESTART_SECONDS,
                wait_for_workers=False,
                on_error="return",
                stimulus_id="millrace-bot-worker-hangs",
            )
        except Exception as error:
            log.warning("bot worker not restarted", worker=worker, error=str(error))

    # Servers

    async def _serve(self, comm: Comm, version: int) -> DaskStatus:
        """Answer the requests of a server until it disconnects; then withdraw them."""
        answers = BatchedSend(interval="1ms")
        answers.start(comm)
        if version != VERSION:
            log.error("server refused", reason=_another_version("server", version))
            answers.send(encode(Refused(_another_version("server", version))))
            await answers.close()
            return DaskStatus.dont_reply
        server = _ServersRequests(self._dispatcher, lambda message: _send(answers, message))
        telling = asyncio.create_task(self._tell_status(server, answers))
        try:
            while True:
                for message in await comm.read():
                    server.take(decode_from_server(message))
        except CommClosedError:
            return DaskStatus.dont_reply
        finally:
            telling.cancel()
            server.withdraw_all()
            answers.abort()

    async def _tell_status(self, server: "_ServersRequests", answers: BatchedSend) -> None:
        while True:
            _send(answers, Status(len(self._workers), self._dispatcher.is_busy, server.received))
            await asyncio.sleep(STATUS_SECONDS)


class _ServersRequests:
    """The unanswered requests of one server."""

    def __init__(self, dispatcher: Dispatcher, send: Callable[[FromScheduler], None]) -> None:
        self._dispatcher = dispatcher
        self._send = send
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self.received = 0
        """The number of its messages."""

    def take(self, message: Ask | Withdraw) -> None:
        """Handle a message."""
        self.received += 1
        number = message.number
        match message:
            case Ask():
                task = self._tasks[number] = asyncio.create_task(self._answer(message))
                task.add_done_callback(lambda _: self._tasks.pop(number, None))
            case Withdraw() if number in self._tasks:
                self._tasks[number].cancel()

    def withdraw_all(self) -> None:
        """Withdraw all requests."""
        for task in self._tasks.values():
            task.cancel()

    async def _answer(self, ask: Ask) -> None:
        try:
            if ask.method == "ponder":
                await self._dispatcher.ponder(ask.request)
                answer = None
            else:
                answer = await self._dispatcher.ask(METHODS[ask.method][0], ask.request)
        except Exception as error:
            self._send(Failed(ask.number, type(error).__name__, str(error)))
            return
        self._send(Answered(ask.number, msgspec.Raw(encode(answer))))


def _send(answers: BatchedSend, message: FromScheduler) -> None:
    with suppress(CommClosedError):  # the server has gone
        answers.send(encode(message))


def _another_version(kind: str, version: int) -> str:
    return (
        f"This {kind} has version {version} of requests to bots, and the scheduler has version {VERSION}. "
        "Servers, scheduler and workers must have the same version."
    )
