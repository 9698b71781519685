"""The bus between the features of a server, on one node or on all: typed events for every subscriber of their type.

`LocalBus` stays within one process; `server.cluster.redis_bus` connects several. Nothing depends on an event's arrival:
the journal holds the truth, and an event only saves a query.
"""

import asyncio
import secrets
from collections.abc import Callable
from typing import Protocol, TypeVar

from .events import BusEvent
from .subscriptions import Subscriptions, Unsubscribe

E = TypeVar("E", bound=BusEvent)


class Bus(Protocol):
    """Where events are published and subscribed to."""

    @property
    def node(self) -> str:
        """The id of this node, new at each start. It is always followed as a topic."""

    @property
    def is_alone(self) -> bool:
        """Whether there are no other nodes and never will be."""

    @property
    def is_connected(self) -> bool:
        """Whether events reach all existing nodes."""

    @property
    def is_deaf(self) -> bool:
        """Whether this node has lost its connection to the others."""

    def note_deaf(self, nodes: frozenset[str]) -> None:
        """Note which other nodes say in the database that they are deaf; then the bus is not connected here either."""

    def publish(self, event: BusEvent) -> None:
        """Deliver an event to the subscribers on this node now, and to those on other nodes soon if it is shared.

        Never waits and never fails: while the bus is not connected, other nodes miss the event.
        """

    def subscribe(self, kind: type[E], subscriber: Callable[[E], None]) -> Unsubscribe:
        """Call a function in the event loop with each event of a type, until the returned function is called."""

    def subscribe_here(self, kind: type[E], subscriber: Callable[[E], None]) -> Unsubscribe:
        """Like `subscribe`, but only for events published on this node: for actions that must happen once in a
        cluster.
        """

    def subscribe_elsewhere(self, kind: type[E], subscriber: Callable[[E], None]) -> Unsubscribe:
        """Like `subscribe`, but only for events published on other nodes: for actions already done here."""

    async def follow(self, topic: str) -> None:
        """Receive the events of a topic; return once they arrive, so that data read afterwards has no gap.

        Returns at once while the bus is not connected; then `BusRestored` says when they arrive. A topic that is
        followed several times must be unfollowed as often.
        """

    def unfollow(self, topic: str) -> None:
        """Undo one `follow`."""

    async def run(self) -> None:
        """Maintain the connection to the other nodes until cancelled."""

    async def close(self) -> None:
        """Send what is queued, if the bus is connected, and disconnect."""


class LocalBus(Subscriptions):
    """A bus within one process: publishing calls the subscribers at once, in the order of subscription."""

    is_alone = True
    is_connected = True

    def __init__(self, node: str | None = None) -> None:
        super().__init__()
        self.node = new_node_id() if node is None else node

    def publish(self, event: BusEvent) -> None:
        """Deliver an event to the subscribers of its type."""
        self.deliver(event)

    async def follow(self, topic: str) -> None:
        """Do nothing: every event is published on this node."""

    def unfollow(self, topic: str) -> None:
        """Do nothing."""

    async def run(self) -> None:
        """Wait until cancelled."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Do nothing."""


def new_node_id() -> str:
    """Return a new id for a node: 8 hexadecimal digits."""
    return secrets.token_hex(4)
