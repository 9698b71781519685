"""What happens to the bus itself and to the nodes that it connects."""

from .events import BusEvent, SharedEvent


class BusInterrupted(BusEvent, frozen=True):
    """Events reach no other node, and none of theirs arrives. Followed by `BusRestored`."""


class BusRestored(BusEvent, frozen=True):
    """Events reach other nodes and theirs arrive, but earlier ones may have been missed.

    Features that depend on events of other nodes read the stored truth again. Published whenever the bus has connected,
    also for the first time, and when another node could not send some of its events.
    """


class NodeJoined(BusEvent, frozen=True):
    """A node has joined the cluster, or is back after it was thought to be gone."""

    node: str


class NodeGone(BusEvent, frozen=True):
    """A node has left the cluster, crashed or fallen silent."""

    node: str
    beat_ms: int
    """When it last gave a sign of life, in ms since 1970 by the database's clock."""


class NodeLeaving(SharedEvent, frozen=True):
    """A node is about to stop; others take over what it does."""

    node: str


class NodeWasAway(BusEvent, frozen=True):
    """This node stood still for so long that the others may have taken over what it does."""


class EventsDropped(SharedEvent, frozen=True):
    """The sender could not send some of its events. Sent by the bus itself, which makes it a `BusRestored`."""
