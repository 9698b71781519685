"""A cluster within a test's process: whole servers on one database, connected by a network that may fail.

The others learn at once of nodes that come and go; a real membership takes up to three seconds.
"""

from collections.abc import Set
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

from millrace.protocol import MatchId
from millrace.server.cluster.bus_events import NodeGone, NodeJoined
from millrace.server.cluster.membership import LoneNode
from millrace.server.cluster.rendezvous import choose_owner
from millrace.server.runtime.system_clock import NowMs, steady_clock
from tests.server.cluster.loopback import LoopbackBus, LoopbackNetwork
from tests.server.in_process_server import FirstMoveBots, Served
from tests.server.starting import Started, start_server


class KnownMembership(LoneNode):
    """The membership of a node in a cluster that knows its members."""

    def __init__(self, cluster: "Cluster", node: str) -> None:
        self.node = node
        self.clock_difference_ms = 0.0
        self._cluster = cluster

    @property
    def members(self) -> Set[str]:  # type: ignore[override]
        """The nodes that the test has started and not stopped, and this one."""
        return frozenset(self._cluster.nodes) | {self.node}

    def owner_of(self, key: str) -> str:
        return choose_owner(key, self.members)

    def owns(self, key: str) -> bool:
        return self.owner_of(key) == self.node


class Node(NamedTuple):
    """A server of the cluster."""

    started: Started
    bus: LoopbackBus
    served: Served

    @property
    def bots(self) -> FirstMoveBots:
        return self.started.bots


class Cluster:
    """Servers on one database."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self._url = url
        self._stack = stack
        clock = steady_clock()
        self.ahead_ms = 0
        """How far the test has set the nodes' clock forward."""
        self.now_ms: NowMs = lambda: clock() + self.ahead_ms
        self.network = LoopbackNetwork()
        self.nodes: dict[str, Node] = {}

    async def start(self, name: str, **settings: Any) -> Served:
        """Start a node and let the others know it."""
        bus = self.network.connect(name)
        started = await start_server(self._url, self.now_ms, bus, KnownMembership(self, name), **settings)
        node = self.nodes[name] = Node(started, bus, Served(started.port, started.bots, self._stack))
        self._stack.push_async_callback(self.stop, name)
        for other in self.nodes.values():
            if other is not node:
                other.bus.deliver(NodeJoined(name))
        return node.served

    async def stop(self, name: str) -> None:
        """Stop a node as if it had crashed: the others find it gone, and receive nothing more from it."""
        node = self.nodes.pop(name, None)
        if node is None:
            return
        self.network.disconnect(node.bus)
        await node.started.close()
        for other in self.nodes.values():
            other.bus.deliver(NodeGone(name, self.now_ms()))

    @property
    def first(self) -> Served:
        """The node that was started first."""
        return next(iter(self.nodes.values())).served

    @property
    def second(self) -> Served:
        """The node that was started second."""
        return [*self.nodes.values()][1].served

    def cut(self) -> None:
        """Cut the second node off the bus: neither receives events from the other."""
        self.network.cut([*self.nodes.values()][1].bus)

    def restore(self) -> None:
        """Connect the second node again, and let all know that they may have missed something."""
        self.network.heal()

    def owner_of(self, match: str) -> Node:
        """Return the node that owns a match."""
        return self.nodes[choose_owner(match, self.nodes)]

    def others_than_owner(self, match: str) -> list[Node]:
        """Return the nodes that do not own a match."""
        owner = self.owner_of(match)
        return [node for node in self.nodes.values() if node is not owner]

    async def find(self, node: Node, match: str) -> Any:
        """Return a match as a node knows it."""
        return (await node.started.application.rooms.find(MatchId(match))).match
