"""Several nodes of a cluster within one test: each has its own bus, store and simulated clock."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from millrace.server.cluster.bus import LocalBus
from millrace.server.cluster.bus_events import NodeGone, NodeJoined, NodeLeaving, NodeWasAway
from millrace.server.cluster.cluster_clock import ClusterClock
from millrace.server.cluster.cluster_node import BEAT_SECONDS, GAP_SECONDS, GONE_SECONDS, ClusterNode
from millrace.server.cluster.events import BusEvent
from millrace.server.cluster.node_store import NodeStore
from tests.server.cluster.loopback import LoopbackBus


class TestedNode:
    """A node, and the events that it has published since the last check."""

    __test__ = False

    def __init__(
        self, url: str, clock_s: float, machine_ahead_s: float = 0, bus: LocalBus | LoopbackBus | None = None
    ) -> None:
        """`clock_s` is the start of its monotonic clock; its machine's clock is ahead by `machine_ahead_s`."""
        self.now_s = clock_s
        self.clock = ClusterClock(lambda: self.now_s, lambda: time.time() + machine_ahead_s)
        self.bus = bus or LocalBus()
        self.store = NodeStore(url)
        self.membership = ClusterNode(self.bus, self.store, lambda: self.now_s, self.clock)
        self.id = self.bus.node
        self._news: list[BusEvent] = []
        for kind in (NodeJoined, NodeGone, NodeLeaving, NodeWasAway):
            self.bus.subscribe(kind, self._news.append)

    def news(self) -> list[BusEvent]:
        """Return what was published since the last call."""
        news, self._news[:] = list(self._news), []
        return news

    async def beat(self, after_s: float = BEAT_SECONDS) -> list[BusEvent]:
        """Send a heartbeat after some time by the node's clock; return the published events."""
        self.now_s += after_s
        await self.membership.beat()
        return self.news()

    async def beat_steadily(self, seconds: float = GONE_SECONDS) -> list[BusEvent]:
        """Send heartbeats for some time by the node's clock; return the published events."""
        assert BEAT_SECONDS < GAP_SECONDS
        return [event for _ in range(round(seconds / BEAT_SECONDS)) for event in await self.beat()]


@asynccontextmanager
async def joined(url: str, *clocks_s: float) -> AsyncIterator[Sequence[TestedNode]]:
    """Give nodes that have joined and know each other, one for each clock."""
    nodes = [TestedNode(url, clock_s) for clock_s in clocks_s]
    async with AsyncExitStack() as stack:
        for node in nodes:
            stack.push_async_callback(node.store.close)
            await node.membership.join()
        await asyncio.gather(*(node.beat() for node in nodes))
        assert all(len(node.membership.members) == len(nodes) for node in nodes)
        for node in nodes:
            node.news()
        yield nodes
