"""A network of buses within one process: events use their real encoding, and may be late, lost or cut off."""

import asyncio
import random
from collections import Counter, deque
from collections.abc import Iterable

from millrace.server.cluster.bus import new_node_id
from millrace.server.cluster.bus_events import BusInterrupted, BusRestored
from millrace.server.cluster.events import BusEvent, SharedEvent
from millrace.server.cluster.subscriptions import Subscriptions
from millrace.server.cluster.wire import decode, encode, open_envelope


class LoopbackNetwork:
    """Connects buses. Each receiver gets the events of one sender in order, those of several in any order.

    network = LoopbackNetwork()
    first, second = network.connect("first"), network.connect("second")
    second.subscribe(ReportsChanged, ...)
    first.publish(ReportsChanged())
    await network.settle()
    """

    def __init__(self, chance: random.Random | None = None, *, loss: float = 0.0, delay_seconds: float = 0.0) -> None:
        """Lose events with the probability `loss`, and delay each by up to `delay_seconds`."""
        self.loss = loss
        self.delay_seconds = delay_seconds
        self._chance = random.Random(0) if chance is None else chance
        self._buses: list[LoopbackBus] = []
        self._in_flight: dict[tuple[str, str], deque[bytes]] = {}
        """The events on their way from one node to another."""
        self._failures: list[Exception] = []
        """What went wrong when events arrived."""

    def connect(self, node: str | None = None) -> "LoopbackBus":
        """Return the bus of a new node."""
        bus = LoopbackBus(self, new_node_id() if node is None else node)
        self._buses.append(bus)
        return bus

    def disconnect(self, bus: "LoopbackBus") -> None:
        """Take a node away for good, as if it had crashed: what it has sent still arrives."""
        self._buses.remove(bus)
        bus.is_connected = False
        self._lose(bus, sent=False)

    def cut(self, bus: "LoopbackBus") -> None:
        """Cut a node off; what is on its way from and to it is lost."""
        bus.is_connected = False
        self._lose(bus)
        bus.deliver(BusInterrupted())

    def restore(self, bus: "LoopbackBus") -> None:
        """Connect a node that was cut off. If it has missed sending something, others look for it as well."""
        bus.is_connected = True
        bus.deliver(BusRestored())
        if bus.has_dropped:
            bus.has_dropped = False
            for other in self._connected_except(bus):
                other.deliver(BusRestored())

    def heal(self) -> None:
        """End all faults, and let every node know that it may have missed something."""
        self.loss = 0.0
        for bus in self._buses:
            bus.is_connected, bus.has_dropped = True, False
        for bus in tuple(self._buses):
            bus.deliver(BusRestored())

    async def settle(self, seconds: float = 0.0) -> None:
        """Wait until nothing has been on its way for as long as the receivers themselves wait.

        Raises what a subscriber raised since the network began.
        """
        loop = asyncio.get_running_loop()
        busy_at = loop.time()
        while (is_busy := any(self._in_flight.values())) or loop.time() - busy_at < seconds:
            if is_busy:
                busy_at = loop.time()
            await asyncio.sleep(0.001)
        for failure in self._failures:
            raise failure

    def send(self, sender: "LoopbackBus", event: SharedEvent) -> None:
        """Send an event to every node that is to have it."""
        payload = encode(event, sender.node, 1)
        for receiver in self._connected_except(sender):
            if receiver.follows(event.topic) and self._chance.random() >= self.loss:
                way = self._in_flight.setdefault((sender.node, receiver.node), deque())
                way.append(payload)
                delay = self._chance.uniform(0, self.delay_seconds)
                asyncio.get_running_loop().call_later(delay, self._arrive, way, receiver)

    def _arrive(self, way: deque[bytes], receiver: "LoopbackBus") -> None:
        if way:
            try:
                event = open_envelope(decode(way.popleft()))
                if event is not None:
                    receiver.deliver_from_elsewhere(event)
            except Exception as error:
                self._failures.append(error)

    def _connected_except(self, sender: "LoopbackBus") -> Iterable["LoopbackBus"]:
        return [bus for bus in self._buses if bus is not sender and bus.is_connected]

    def _lose(self, bus: "LoopbackBus", *, sent: bool = True) -> None:
        """Lose what is on its way to a node and, if `sent`, from it."""
        for (sender, receiver), way in self._in_flight.items():
            if receiver == bus.node or (sent and sender == bus.node):
                way.clear()


class LoopbackBus(Subscriptions):
    """The bus of one node in a `LoopbackNetwork`."""

    is_alone = False

    def __init__(self, network: LoopbackNetwork, node: str) -> None:
        super().__init__()
        self.node = node
        self.is_connected = True
        self.has_dropped = False
        """Whether an event was published while the node was cut off."""
        self.deaf = frozenset[str]()
        """The nodes that are deaf by the database."""
        self._network = network
        self._followed: Counter[str] = Counter()

    def publish(self, event: BusEvent) -> None:
        if isinstance(event, SharedEvent):
            if self.is_connected:
                self._network.send(self, event)
            else:
                self.has_dropped = True
        self.deliver(event)

    @property
    def is_deaf(self) -> bool:
        return not self.is_connected

    def note_deaf(self, nodes: frozenset[str]) -> None:
        self.deaf = nodes

    def follows(self, topic: str) -> bool:
        return topic in ("", self.node) or self._followed[topic] > 0

    async def follow(self, topic: str) -> None:
        self._followed[topic] += 1
        await asyncio.sleep(0)

    def unfollow(self, topic: str) -> None:
        self._followed[topic] -= 1

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Do nothing: `LoopbackNetwork.disconnect` takes the node away."""
