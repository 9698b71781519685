"""The bus of several nodes, over channels of a Redis or Valkey server; messages are lost if nobody listens.

One channel reaches every node, and each topic has its own. A sender's events arrive in order, each once or never;
missed events are followed by `BusRestored`.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import msgspec
import structlog

from ..runtime import metrics
from .bus import new_node_id
from .bus_events import BusInterrupted, BusRestored, EventsDropped
from .events import BusEvent, SharedEvent
from .outgoing import Message, Outgoing
from .redis_address import RedisAddress
from .redis_connection import ConnectionLostError, RedisConnection
from .subscriptions import Subscriptions
from .wire import Envelope, decode, encode, open_envelope

log = structlog.get_logger()

SHORTEST_WAIT_SECONDS = 0.05
LONGEST_WAIT_SECONDS = 0.5
"""Maximum time before the bus reconnects; it doubles with each attempt."""
GATHER_SECONDS = 0.2
"""Delay after another node has dropped events, to cover further drops too."""
CLOSE_SECONDS = 1.0
"""Maximum time to send queued events."""


class RedisBus(Subscriptions):
    """A node's bus. It is connected while `run` runs and Redis answers."""

    is_alone = False

    def __init__(self, address: RedisAddress, node: str | None = None) -> None:
        super().__init__()
        self.node = new_node_id() if node is None else node
        self._address = address
        self._outgoing = Outgoing(lambda: self._message(EventsDropped()))
        self._connection: RedisConnection | None = None
        self._number = 0
        """The number of the connection; it marks messages of an earlier connection that Redis delivers late."""
        self._numbers: dict[str, int] = {}
        """The number of every node's latest connection."""
        self._unknown_kinds: set[str] = set()
        """The ignored kinds of events from newer releases; each is logged once."""
        self._followed: Counter[str] = Counter()
        self._is_connected: bool | None = None
        """None until the first attempt to connect has ended."""
        self._deaf: frozenset[str] = frozenset()
        """The other nodes that are not connected, as they say in the database."""
        self._restoring: asyncio.TimerHandle | None = None

    @property
    def is_connected(self) -> bool:
        """Whether events reach all other nodes, as far as this node knows."""
        return bool(self._is_connected) and not self._deaf

    @property
    def is_deaf(self) -> bool:
        """Whether this node has no connection, and could not get one."""
        return self._is_connected is False

    def note_deaf(self, nodes: frozenset[str]) -> None:
        """Note which other nodes say, in the database, that they are deaf."""
        before, self._deaf = self._deaf, nodes
        if nodes != before and self._is_connected:
            if before - nodes:
                self._note_restored()
            else:
                self._deliver(BusInterrupted(), self.deliver)

    def publish(self, event: BusEvent) -> None:
        """Deliver an event to the subscribers on this node, and queue it for the other nodes if it is shared."""
        if isinstance(event, SharedEvent):
            self._outgoing.add(self._message(event))
        self.deliver(event)

    async def follow(self, topic: str) -> None:
        """Receive the events of a topic; return once they arrive, or at once while the bus is not connected."""
        self._followed[topic] += 1
        if self._connection is None:
            return
        channel = self._channel(topic)
        if self._followed[topic] == 1:
            self._connection.channels.want([channel])
        if self._is_connected:
            try:
                await self._connection.channels.wait_for(channel)
            except asyncio.CancelledError:
                self.unfollow(topic)
                raise

    def unfollow(self, topic: str) -> None:
        """Undo one `follow`."""
        self._followed[topic] -= 1
        if not self._followed[topic]:
            del self._followed[topic]
            if self._connection is not None:
                self._connection.channels.unwant(self._channel(topic))

    async def run(self) -> None:
        """Stay connected to Redis until cancelled."""
        wait = SHORTEST_WAIT_SECONDS
        try:
            while True:
                wait = min(2 * wait, LONGEST_WAIT_SECONDS)
                if await self._run_connection():
                    wait = SHORTEST_WAIT_SECONDS
                await asyncio.sleep(wait)
        finally:
            self._disconnect()

    async def close(self) -> None:
        """Send queued events, if the bus is connected; then `run` is cancelled."""
        if self._is_connected:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._outgoing.wait_until_empty()

    async def _run_connection(self) -> bool:
        """Connect, send and receive until the connection is lost; return whether there was one."""
        self._number += 1
        connection = RedisConnection(self._address, self._channel(self.node), self._outgoing)
        connection.channels.want(map(self._channel, ("", *self._followed)))
        self._connection = connection
        was_connected = False
        try:
            await connection.run(self._receive, self._note_connected)
        except ConnectionLostError as error:
            was_connected = bool(self._is_connected)
            self._connection = None
            self._note_interrupted(error)
        finally:
            self._connection = None
            await connection.close()
        return was_connected

    def _note_connected(self) -> None:
        self._is_connected = True
        metrics.BUS_CONNECTED.set(1)
        log.info("bus connected", address=self._address.shown)
        self._outgoing.open()
        self._note_restored()

    def _note_interrupted(self, error: ConnectionLostError) -> None:
        if self._is_connected is not False:
            log.warning("bus interrupted", address=self._address.shown, error=str(error))
            self._disconnect()
            self._deliver(BusInterrupted(), self.deliver)

    def _note_restored(self) -> None:
        self._cancel_restored()
        self._deliver(BusRestored(), self.deliver)
        if self._deaf:
            self._deliver(BusInterrupted(), self.deliver)

    def _disconnect(self) -> None:
        self._is_connected = False
        metrics.BUS_CONNECTED.set(0)
        self._outgoing.close()
        self._cancel_restored()

    def _cancel_restored(self) -> None:
        if self._restoring is not None:
            self._restoring.cancel()
            self._restoring = None

    def _receive(self, payload: bytes) -> None:
        try:
            envelope = decode(payload)
            if envelope.node == self.node or envelope.connection < self._numbers.get(envelope.node, 0):
                return
            # Grows by one entry with each start of a node.
            self._numbers[envelope.node] = envelope.connection
            event = open_envelope(envelope)
        except msgspec.DecodeError as error:
            metrics.BUS_EVENTS_DROPPED.inc()
            log.warning("event of another node not readable", error=str(error))
            return
        if isinstance(event, EventsDropped):
            if self._restoring is None:
                self._restoring = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._note_restored)
        elif event is None:
            self._note_unknown(envelope)
        else:
            metrics.BUS_EVENTS_RECEIVED.inc()
            self._deliver(event, self.deliver_from_elsewhere)

    def _note_unknown(self, envelope: Envelope) -> None:
        if envelope.kind not in self._unknown_kinds:
            self._unknown_kinds.add(envelope.kind)
            log.info("events of an unknown kind are ignored", kind=envelope.kind, sender=envelope.node)

    def _deliver(self, event: BusEvent, deliver: Callable[[BusEvent], None]) -> None:
        """Call subscribers; their failures must not end the connection."""
        try:
            deliver(event)
        except Exception:
            log.exception("subscriber failed", event_kind=type(event).__name__)

    def _message(self, event: SharedEvent) -> Message:
        return self._channel(event.topic), encode(event, self.node, self._number)

    def _channel(self, topic: str) -> str:
        return f"{self._address.prefix}topic:{topic}" if topic else f"{self._address.prefix}all"
