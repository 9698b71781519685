"""Bots on a Dask cluster whose scheduler and workers come and go: servers keep answering.

What the cluster and the pool have in common is tested in `test_bots`.
"""

import asyncio
import json
import logging
import signal
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from distributed import Scheduler, Worker
from structlog.testing import capture_logs

from millrace.client import ME, bot, connect
from millrace.server.bots.dask import scheduler_link
from millrace.server.bots.dask.cluster_bots import ClusterBots
from millrace.server.bots.dask.messages import VERSION
from millrace.server.bots.dask.queue_plugin import BotQueue
from millrace.server.bots.dask.scheduler_link import LinkLostError, SchedulerLink
from millrace.server.bots.pool import BotPool
from millrace.server.bots.requests import BotRequest, BotStatus, Urgency
from millrace.server.runtime import metrics
from tests.proxies import FaultyProxy, Way
from tests.server.bots.cluster_processes import ClusterProcesses
from tests.server.bots.services import no_pool
from tests.server.metric_values import value_of
from tests.serving import PATIENCE_S, ServerProcess
from tests.waiting import until

pytestmark = [
    pytest.mark.usefixtures("processes"),
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(sys.platform != "linux", reason="stops processes"),
]

HOURS_MS = 10_000_000
"""Longer than any test: a search of this length must be stopped."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterProcesses]:
    with ClusterProcesses(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@asynccontextmanager
async def connected(address: str, fallback_seconds: float = 1_000) -> AsyncIterator[ClusterBots]:
    """The bots of a server; local ones only after `fallback_seconds`."""
    bots = ClusterBots(address, no_pool if fallback_seconds == 1_000 else lambda: BotPool(1), fallback_seconds)
    starting = asyncio.create_task(bots.start())
    yield bots
    starting.cancel()
    await bots.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bots(cluster: ClusterProcesses) -> AsyncIterator[ClusterBots]:
    async with connected(cluster.address) as bots:
        yield bots


def request(movetime_ms: float, urgency: Urgency = Urgency.ANALYSIS) -> BotRequest:
    """Return a request for an analysis, which takes all of its time: no opening book spares it the search."""
    return BotRequest("morris", "", (), 8, seed=1, movetime_ms=movetime_ms, urgency=urgency)


def weak_move() -> BotRequest:
    return BotRequest("morris", "", (), 1, seed=1, movetime_ms=None)


async def asked(bots: ClusterBots, request: BotRequest) -> "asyncio.Task[Any]":
    """Send a request for an analysis, and return when the scheduler has received it."""
    await until(lambda: bots.status is BotStatus.READY)
    asking = asyncio.create_task(bots.analyse(request))
    waiting = metrics.BOT_REQUESTS_WAITING.labels(request.urgency.name.lower())
    await asyncio.sleep(0)
    await until(lambda: value_of(waiting) == 0)
    return asking


def status_of_bots(server: ServerProcess) -> object:
    with urllib.request.urlopen(f"{server.url}/health") as answer:
        return json.load(answer)["bots"]


@pytest.mark.usefixtures("bots")
async def test_dask_prints_no_traceback_of_a_connection_that_has_ended() -> None:
    assert not logging.getLogger("distributed.batched").isEnabledFor(logging.INFO)


async def test_requests_wait_for_a_scheduler_and_a_worker(cluster: ClusterProcesses, bots: ClusterBots) -> None:
    asking = asyncio.create_task(bots.choose(weak_move()))
    assert str(bots.status) == "connecting"
    assert not bots.is_ready
    cluster.start_scheduler()
    cluster.start_worker()
    async with asyncio.timeout(PATIENCE_S):
        assert await asking
    assert str(bots.status) == "ready"
    assert bots.is_ready


async def test_a_search_on_one_server_is_cut_short_for_a_player_on_another(
    cluster: ClusterProcesses, bots: ClusterBots
) -> None:
    async with connected(cluster.address) as other, asyncio.timeout(PATIENCE_S):
        shown = await asked(other, request(60_000, Urgency.EXHIBITION))
        await bots.analyse(request(300, Urgency.MOVE))
        found = await shown
        assert found.is_cut
        assert found.elapsed_ms < 60_000


async def test_the_requests_of_a_server_that_goes_are_withdrawn(cluster: ClusterProcesses, bots: ClusterBots) -> None:
    async with connected(cluster.address) as other:
        endless = await asked(other, request(HOURS_MS))
    async with asyncio.timeout(PATIENCE_S):
        await bots.analyse(request(300))
    endless.cancel()


async def test_a_scheduler_that_dies_costs_a_retry(cluster: ClusterProcesses, bots: ClusterBots) -> None:
    before = value_of(metrics.BOT_REQUEST_RETRIES)
    asking = await asked(bots, request(2_000))
    cluster.signal_scheduler(signal.SIGKILL)
    await until(lambda: bots.status is BotStatus.CONNECTING)
    assert not asking.done()
    cluster.start_scheduler()
    async with asyncio.timeout(PATIENCE_S):
        assert (await asking).best
    assert value_of(metrics.BOT_REQUEST_RETRIES) == before + 1


async def test_a_scheduler_that_receives_nothing_counts_as_dead(
    cluster: ClusterProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler_link, "SILENCE_SECONDS", 1.0)
    with FaultyProxy(cluster.address) as proxy:
        async with connected(proxy.url) as bots:
            endless = await asked(bots, request(HOURS_MS))
            proxy.silent = Way.THERE
            lost = asyncio.create_task(bots.choose(weak_move()))
            await until(lambda: bots.status is BotStatus.CONNECTING)
            proxy.break_off()
            endless.cancel()
            proxy.silent = None
            proxy.is_broken.clear()
            async with asyncio.timeout(PATIENCE_S):
                assert await lost


async def test_a_server_plays_from_the_cluster(cluster: ClusterProcesses, tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--bots", cluster.address) as server:
        await asyncio.to_thread(server.wait_for_bots)
        assert await asyncio.to_thread(status_of_bots, server) == "ready"
        async with asyncio.timeout(PATIENCE_S), connect(server.address) as player:
            match = (await player.create("morris", [ME, bot(1)])).match
            async for turn in player.watch(match).turns():
                if turn.seq > 2:
                    break
                await turn.play(turn.moves[0])


async def test_processes_of_this_machine_answer_while_the_cluster_cannot(
    cluster: ClusterProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler_link, "SILENCE_SECONDS", 1.5)
    async with connected(cluster.address, fallback_seconds=0.2) as bots, asyncio.timeout(PATIENCE_S):
        await until(lambda: bots.status is BotStatus.READY)
        cluster.signal_scheduler(signal.SIGSTOP)
        try:
            assert await bots.choose(weak_move())
            assert bots.status is BotStatus.LOCAL
        finally:
            cluster.signal_scheduler(signal.SIGCONT)
        await until(lambda: bots.status is BotStatus.READY)
        # Without workers, the scheduler gives back what it was asked.
        endless = await asked(bots, request(2_000))
        cluster.kill_worker()
        assert (await endless).best
        assert bots.status is BotStatus.LOCAL


async def test_a_server_of_another_version_is_refused(
    cluster: ClusterProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler_link, "VERSION", VERSION + 1)
    link = await SchedulerLink.open(cluster.address)
    with pytest.raises(LinkLostError, match=f"This server has version {VERSION + 1} of requests to bots"):
        await link.listen(lambda _: None)
    link.close()


async def test_a_worker_of_another_version_is_refused() -> None:
    async def describe() -> dict[str, int]:
        return {"version": VERSION + 1}

    with capture_logs() as logs:
        async with (
            Scheduler(host="127.0.0.1", port=0, dashboard_address="127.0.0.1:0", plugins=[BotQueue()]) as scheduler,
            Worker(scheduler.address, nthreads=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as worker,
        ):
            worker.handlers["millrace_describe"] = describe
            await until(lambda: any(line["event"] == "bot worker refused" for line in logs))
    (refused,) = (line for line in logs if line["event"] == "bot worker refused")
    assert f"This worker has version {VERSION + 1}" in refused["reason"]
