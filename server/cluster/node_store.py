"""The interface for storing heartbeats and leases. `server.storage.nodes` implements it.

All times are from the database's clock, so the clocks of the nodes may differ.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol


class SeenNode(NamedTuple):
    """A node with a heartbeat within the last hour that has not left."""

    id: str
    beat_ms: int
    """Its last heartbeat, in milliseconds since 1970."""
    age_ms: int
    """The age of that heartbeat."""


class Beat(NamedTuple):
    """The result of a heartbeat."""

    now_ms: int
    """When it was stored, in milliseconds since 1970."""
    others: Sequence[SeenNode]
    """The other nodes."""


class NodeStore(Protocol):
    """The nodes on a database. Every method raises StorageError, and soon if the database does not answer."""

    async def beat(self, node: str) -> Beat:
        """Store a heartbeat; return the time, and the other nodes."""

    async def forget_old(self) -> None:
        """Delete nodes that have been gone for an hour."""

    async def take_leases(self, node: str, names: Collection[str], length_ms: int) -> Mapping[str, int]:
        """Take or renew those of the given leases that no other node holds; return the number of each.

        They last at least `length_ms` after the call.
        """

    async def leave(self, node: str) -> None:
        """Forget a node, and give up its leases."""

    async def close(self) -> None:
        """Disconnect."""
