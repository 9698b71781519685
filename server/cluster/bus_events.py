"""Events about the bus itself and its nodes."""

from .events import BusEvent, SharedEvent


class BusInterrupted(BusEvent, frozen=True):
    """Events no longer reach all other nodes, or theirs do not arrive. Followed by `BusRestored`."""


class BusRestored(BusEvent, frozen=True):
    """Events reach other nodes again and theirs arrive, but earlier ones may have been missed.

    Features that depend on events of other nodes read the stored truth again. Published whenever the bus has connected,
    also for the first time, and when another node could not send some of its events.
    """


class NodeJoined(BusEvent, frozen=True):
    """A node has joined the cluster, or is back after it was considered gone."""

    node: str


class NodeGone(BusEvent, frozen=True):
    """A node has left the cluster, crashed or fallen silent."""

    node: str
    beat_ms: int
    """Its last heartbeat, in ms since 1970 by the database's clock."""


class NodeLeaving(SharedEvent, frozen=True):
    """A node is about to stop; others take over its work."""

    node: str


class NodeSilent(SharedEvent, frozen=True):
    """The database does not answer a node, which asks the others to replace it if it answers them."""

    node: str


class NodeReplaced(SharedEvent, frozen=True):
    """A node has taken over from one that is silent."""

    node: str
    """The silent one."""

    @property
    def topic(self) -> str:
        """The silent node."""
        return self.node


class NodeCutOff(BusEvent, frozen=True):
    """The database answers other nodes but not this one, so its players must go to them. Followed by `NodeReturned`."""


class NodeReturned(BusEvent, frozen=True):
    """The database answers this node again."""


class NodeWasAway(BusEvent, frozen=True):
    """This node was suspended for so long that others may have taken over its work."""


class EventsDropped(SharedEvent, frozen=True):
    """The sender could not send some of its events. Sent by the bus itself, which turns it into a `BusRestored`."""
