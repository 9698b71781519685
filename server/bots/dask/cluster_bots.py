"""The bots of a server with a Dask cluster: requests go to the cluster's scheduler, or to a local pool without it.

If the scheduler dies, hangs or has no workers, requests wait until it is back. After `FALLBACK_SECONDS`, processes of
this machine answer them, so that no match hangs. When the cluster is back, new requests go there again.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import structlog

from millrace.engine.games import GAMES

from ...runtime import metrics
from ...runtime.cancellation import cancel_and_wait
from ..answering import AnsweringBots
from ..pool import BotPool, Progress, no_progress
from ..requests import BotRequest, BotStatus, RequestHandler
from ..worker_process import Answer, RequestMethod
from .messages import Status
from .scheduler_link import LinkLostError, SchedulerLink

log = structlog.get_logger()

FALLBACK_SECONDS = 5.0
"""Time without a cluster after which processes of this machine answer."""

RECONNECT_SECONDS = 0.5
"""Pause between two attempts to connect."""

NO_CLUSTER = Status(workers=0, is_busy=False)


class ClusterBots(AnsweringBots):
    """The bots of this server, in the worker processes of a Dask cluster."""

    def __init__(
        self, address: str, make_pool: Callable[[], BotPool], fallback_seconds: float = FALLBACK_SECONDS
    ) -> None:
        self._address = address
        self._make_pool = make_pool
        self._fallback_seconds = fallback_seconds
        self._link: SchedulerLink | None = None
        self._cluster = NO_CLUSTER
        self._pool: BotPool | None = None
        """The local pool; None until it is first needed, then kept, since it takes seconds to start."""
        self._can_answer = asyncio.Event()
        """Set while the cluster, or processes of this machine, can answer."""
        self._connecting: asyncio.Task[None] | None = None
        self._falling_back: asyncio.Task[None] | None = None
        """Waits for the cluster for a while, then starts the local pool. None while the cluster can answer."""

    @property
    def is_ready(self) -> bool:
        """Whether requests are answered at once. Earlier requests wait."""
        return self._can_answer.is_set()

    @property
    def is_busy(self) -> bool:
        """Whether a bot's move in a match with a human player waits for a worker."""
        return self._cluster.is_busy or (self._pool is not None and self._pool.is_busy)

    @property
    def status(self) -> BotStatus:
        """Where requests are answered."""
        if self._cluster.workers > 0:
            return BotStatus.READY
        if self.is_ready:
            return BotStatus.LOCAL
        return BotStatus.UNAVAILABLE if self.trouble else BotStatus.CONNECTING

    @property
    def waiting_games(self) -> tuple[str, ...]:
        """The games in which no bot can move yet."""
        if self._cluster.workers > 0:
            return ()
        return tuple(GAMES) if self._pool is None else self._pool.waiting_games

    @property
    def trouble(self) -> str:
        """What keeps processes of this machine from answering in place of the cluster; empty if nothing does."""
        return "" if self._pool is None or self._cluster.workers > 0 else self._pool.trouble

    @property
    def faulty_games(self) -> Mapping[str, str]:
        """The games without bots in processes of this machine, and why; those of the cluster are in its own logs."""
        return {} if self._pool is None or self._cluster.workers > 0 else self._pool.faulty_games

    async def start(self, progress: Progress = no_progress) -> None:
        """Connect, and return once the cluster, or else processes of this machine, answer requests."""
        # Dask reports each lost connection with a traceback; here that is routine, and logged in one line.
        logging.getLogger("distributed").setLevel(logging.WARNING)
        self._connecting = asyncio.create_task(self._stay_connected())
        self._note(NO_CLUSTER)
        await self._can_answer.wait()
        for number, game in enumerate(GAMES, 1):
            progress(game, number, len(GAMES))

    async def ask(self, method: RequestMethod[Answer], request: BotRequest) -> Answer:
        """Return the answer to a request; repeat it if the scheduler dies. Raises: BotError."""
        clock_ends_at = None if request.last_ms is None else time.monotonic() + request.last_ms / 1000
        while True:
            with metrics.BOT_REQUESTS_WAITING.labels(request.urgency.name.lower()).track_inprogress():
                await self._can_answer.wait()
            if clock_ends_at is not None:
                request = replace(request, last_ms=(clock_ends_at - time.monotonic()) * 1000)
            if self._cluster.workers == 0:
                assert self._pool is not None
                return await self._pool.ask(method, request)
            assert self._link is not None
            try:
                return await self._link.ask(method, request)
            except LinkLostError:
                metrics.BOT_REQUEST_RETRIES.inc()

    async def ponder(self, request: BotRequest) -> None:
        """Ponder while a processor of the cluster is idle; return when the search is complete or its time is over."""
        if self._link is not None and self._cluster.workers > 0:
            try:
                await self._link.ask(RequestHandler.ponder, request)
            except LinkLostError as error:
                log.info("pondering ended", reason=str(error))

    async def close(self) -> None:
        """End the connection, and the local pool."""
        await cancel_and_wait([task for task in (self._connecting, self._falling_back) if task is not None])
        if self._pool is not None:
            await self._pool.close()

    async def _stay_connected(self) -> None:
        """Connect to the scheduler, and reconnect whenever the connection ends."""
        reason = ""
        while True:
            try:
                self._link = await SchedulerLink.open(self._address)
                try:
                    await self._link.listen(self._note)
                finally:
                    link, self._link = self._link, None
                    self._note(NO_CLUSTER)
                    link.close()
            except LinkLostError as error:
                if str(error) != reason:
                    reason = str(error)
                    log.warning("no bots' cluster", address=self._address, reason=reason)
            await asyncio.sleep(RECONNECT_SECONDS)

    def _note(self, cluster: Status) -> None:
        """Note the current state of the cluster."""
        had_workers = self._cluster.workers > 0
        self._cluster = cluster
        if cluster.workers > 0:
            if not had_workers:
                log.info("bots' cluster ready", address=self._address, workers=cluster.workers)
            if self._falling_back is not None:
                self._falling_back.cancel()
                self._falling_back = None
            self._can_answer.set()
        elif self._falling_back is None:
            self._can_answer.clear()
            self._falling_back = asyncio.create_task(self._fall_back())

    async def _fall_back(self) -> None:
        """Wait for a while, then let processes of this machine answer, including requests sent to the scheduler."""
        await asyncio.sleep(self._fallback_seconds)
        log.warning("processes of this machine answer for bots, since no cluster does", address=self._address)
        if self._pool is None:
            self._pool = self._make_pool()
        if not self._pool.is_ready:
            await self._pool.start()
        self._can_answer.set()
        if self._link is not None:
            self._link.give_up()
