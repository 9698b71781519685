"""Where nodes sign on and share out their leases: the interface. `server.storage.nodes` implements it.

All times are by the clock of the database, so the clocks of the nodes may differ.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol


class SeenNode(NamedTuple):
    """A node that has given a sign of life within the last hour, and has not left."""

    id: str
    beat_ms: int
    """When it last gave one, in milliseconds since 1970."""
    age_ms: int
    """How long ago that was."""


class Beat(NamedTuple):
    """What a node learns when it gives a sign of life."""

    now_ms: int
    """When it was stored, in milliseconds since 1970."""
    others: Sequence[SeenNode]
    """The other nodes."""


class NodeStore(Protocol):
    """The nodes that serve a database. Every method raises StorageError, soon if the database does not answer."""

    async def beat(self, node: str) -> Beat:
        """Note that a node is alive; return the time, and the other nodes."""

    async def forget_old(self) -> None:
        """Delete nodes that have been gone for an hour."""

    async def take_leases(self, node: str, names: Collection[str], length_ms: int) -> Mapping[str, int]:
        """Take or renew those of some leases that no other node holds; return the number of each of these.

        They last for at least `length_ms` after the call.
        """

    async def leave(self, node: str) -> None:
        """Forget a node, and give up its leases."""

    async def close(self) -> None:
        """Disconnect."""
