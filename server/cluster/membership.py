"""Membership: the nodes, and which of them owns a match or holds a lease.

When a node comes or goes, or was itself away for a while, `NodeJoined`, `NodeGone` or `NodeWasAway` is published on the
node's own bus. A server alone is a `LoneNode`; one of several is a `server.cluster.cluster_node.ClusterNode`.
"""

import asyncio
from collections.abc import Set
from typing import Protocol

from .leases import LastingLease, Lease


class Membership(Protocol):
    """The nodes on one database, as seen by one of them."""

    @property
    def node(self) -> str:
        """This node's id, which is new at each start."""

    @property
    def members(self) -> Set[str]:
        """The ids of all live nodes, including this one."""

    @property
    def clock_difference_ms(self) -> float:
        """How much this node's clock is ahead of the database's, which all nodes follow."""

    def owner_of(self, key: str) -> str:
        """Return the node that owns a key, such as a match; nodes that know the same members agree on it."""

    def owns(self, key: str) -> bool:
        """Return whether this node owns a key, and may act as its owner now.

        It may not while its own heartbeat is late: other nodes may have taken over. `NodeWasAway` is published when it
        may again.
        """

    def lease(self, name: str) -> Lease:
        """Return the lease with that name, and try from now on to hold it."""

    async def join(self) -> None:
        """Become a member. Raises: StorageError."""

    async def run(self) -> None:
        """Stay a member, and watch the others, until cancelled."""

    async def leave(self) -> None:
        """Stop being a member, so that other nodes take over at once. Raises: StorageError."""


class LoneNode:
    """The membership of a server alone: it owns everything, holds every lease, and costs nothing."""

    def __init__(self, node: str = "lone") -> None:
        self.node = node
        """The server's id."""
        self.members = frozenset({node})
        """The server itself."""
        self.clock_difference_ms = 0.0
        """Always 0: there is no other clock to agree with."""

    def owner_of(self, key: str) -> str:  # noqa: ARG002  # as several nodes ask
        """Return this server."""
        return self.node

    def owns(self, key: str) -> bool:  # noqa: ARG002  # as several nodes ask
        """Return True."""
        return True

    def lease(self, name: str) -> LastingLease:
        """Return a lease that is held forever."""
        return LastingLease(name)

    async def join(self) -> None:
        """Do nothing."""

    async def run(self) -> None:
        """Do nothing, until cancelled."""
        await asyncio.Event().wait()

    async def leave(self) -> None:
        """Do nothing."""
