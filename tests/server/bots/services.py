"""Services that answer for bots, with real workers that tests can kill or stop: the pool, and a cluster of Dask's.

The cluster's scheduler is in the test's process, so that its metrics are too; its one worker is a process.
"""

import contextlib
import os
import signal
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from multiprocessing import forkserver
from typing import TypeAlias

from distributed import Nanny, Scheduler

from millrace.server.bots.dask.cluster_bots import ClusterBots
from millrace.server.bots.dask.queue_plugin import BotQueue
from millrace.server.bots.dask.slot_counts import LONG, PROCESSORS, SHORT
from millrace.server.bots.pool import BotPool
from tests.processes import children_of

PRELOAD = "tests.server.bots.bookless_worker"
HOST = "127.0.0.1"

StoppableBots: TypeAlias = BotPool | ClusterBots


class Service(ABC):
    """A service and its workers."""

    def __init__(self, bots: StoppableBots) -> None:
        self.bots = bots

    @abstractmethod
    def workers(self) -> list[int]:
        """Return the worker processes."""

    def signal_workers(self, how: signal.Signals) -> None:
        """Send a signal to every worker."""
        for worker in self.workers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, how)


class PoolService(Service):
    """The pool, with two processes."""

    def workers(self) -> list[int]:
        """Return the children of this process's fork server."""
        fork_server = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]  # nothing public names it
        return children_of(fork_server)


class ClusterService(Service):
    """A cluster with one worker process, for one long and one short search at a time."""

    def __init__(self, bots: ClusterBots, nanny: Nanny) -> None:
        super().__init__(bots)
        self._nanny = nanny

    def workers(self) -> list[int]:
        """Return the process of the nanny, if there is one just now."""
        return [self._nanny.pid] if self._nanny.pid else []


def no_pool() -> BotPool:
    raise AssertionError("the cluster is there")


@contextlib.asynccontextmanager
async def serving(kind: str, answer_seconds: float) -> AsyncIterator[Service]:
    """Run the service of a kind, `pool` or `cluster`, whose workers count as hung after some seconds."""
    if kind == "pool":
        pool = BotPool(workers=1, answer_seconds=answer_seconds)
        await pool.start()
        yield PoolService(pool)
        await pool.close()
        return
    async with Scheduler(
        host=HOST, port=0, dashboard_address="127.0.0.1:0", plugins=[BotQueue(answer_seconds)]
    ) as scheduler:
        counts = {LONG: 1, SHORT: 1, PROCESSORS: 1}
        async with Nanny(
            scheduler.address, nthreads=1, host=HOST, memory_limit=0, resources=counts, preload=[PRELOAD]
        ) as nanny:
            bots = ClusterBots(scheduler.address, no_pool, fallback_seconds=1_000)
            await bots.start()
            yield ClusterService(bots, nanny)
            await bots.close()
