"""A server's place in its cluster: the bus, the membership, and the tasks that maintain them."""

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext

from ..cluster import node_store
from ..cluster.bus import Bus
from ..cluster.cluster_clock import ClusterClock
from ..cluster.cluster_node import ClusterNode
from ..cluster.membership import LoneNode, Membership
from ..cluster.opening import open_bus
from ..runtime.cancellation import cancel_and_wait
from ..runtime.settings import Settings


class Cluster:
    """The bus and the membership of a server, in use."""

    def __init__(self, bus: Bus, membership: Membership) -> None:
        self.bus = bus
        self.membership = membership
        self._connecting = asyncio.create_task(bus.run())
        self._staying: asyncio.Task[None] | None = None

    async def join(self) -> None:
        """Become a member. Raises: StorageError."""
        await self.membership.join()
        self._staying = asyncio.create_task(self.membership.run())

    async def watch(self) -> None:
        """Never return. Raises an error that ends the bus or the membership."""
        assert self._staying is not None
        # Neither task is cancelled with this one: leaving the cluster cleanly needs both.
        done, _ = await asyncio.wait((self._connecting, self._staying), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def leave(self) -> None:
        """Let the other nodes take over. Raises: StorageError."""
        if self._staying is not None:
            await cancel_and_wait([self._staying])
            await self.membership.leave()

    async def disconnect(self) -> None:
        """Send pending events, and leave the bus."""
        await self.bus.close()
        await cancel_and_wait([self._connecting])


def open_cluster(settings: Settings, clock: ClusterClock) -> Cluster:
    """Return a server's place in its cluster, which sets its clock. Raises: BusAddressError, StorageError."""
    bus = open_bus(settings.bus or None)
    if not settings.bus:
        return Cluster(bus, LoneNode(bus.node))
    return Cluster(bus, ClusterNode(bus, node_store.NodeStore(settings.database_url), clock=clock))


def start_turn(settings: Settings) -> AbstractAsyncContextManager[None]:
    """Return a context in which no other node of the cluster starts. Raises: StorageError, when it is entered."""
    return node_store.start_turn(settings.database_url) if settings.bus else nullcontext()
