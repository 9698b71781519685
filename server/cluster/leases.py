"""Leases: the holder of a lease does what must happen only once.

A suspended holder may believe that it still holds the lease after another node has taken it. Everything that it stores
therefore carries the lease's number as a `Fence`, which the database compares with the current one.
"""

from typing import Protocol

from ..runtime.system_clock import NowSeconds
from ..storage.fences import Fence
from .node_store import NodeStore

LEASE_MS = 2_500
"""Duration of a lease after it was taken or renewed."""

MARGIN_SECONDS = 0.5
"""How much earlier the holder considers it over."""


class Lease(Protocol):
    """Lets one node at a time do something; renewed automatically once requested."""

    @property
    def fence(self) -> Fence | None:
        """The fence to store with all work under the lease; None unless this node holds it now.

        Read it once before some work, and use it for everything that the work stores: meanwhile the lease may be lost,
        and even taken again under another number.
        """


class LastingLease:
    """A lease of a server alone: always held, and never checked."""

    def __init__(self, name: str) -> None:
        self.fence: Fence | None = Fence(name)
        """The same forever."""


class SharedLease:
    """A lease that one of several nodes holds at a time."""

    def __init__(self, name: str, now_s: NowSeconds) -> None:
        self._fence = Fence(name)
        self._until_s: float | None = None
        self._now_s = now_s

    @property
    def fence(self) -> Fence | None:
        """The fence to store with all work under the lease; None unless this node holds it now."""
        return self._fence if self._until_s is not None and self._now_s() < self._until_s else None

    def hold(self, number: int, until_s: float) -> None:
        """Hold the lease until then."""
        self._fence = self._fence._replace(number=number)
        self._until_s = until_s

    def lose(self) -> None:
        """Stop holding the lease."""
        self._until_s = None


class SharedLeases:
    """The leases that a node tries to hold."""

    def __init__(self, node: str, store: NodeStore, now_s: NowSeconds) -> None:
        self._node = node
        self._store = store
        self._now_s = now_s
        self._leases: dict[str, SharedLease] = {}

    def lease(self, name: str) -> SharedLease:
        """Return the lease with that name, and try to hold it from now on."""
        return self._leases.setdefault(name, SharedLease(name, self._now_s))

    async def renew(self) -> None:
        """Take or renew every lease that no other node holds. Raises: StorageError."""
        if not self._leases:
            return
        until_s = self._now_s() + LEASE_MS / 1000 - MARGIN_SECONDS
        numbers = await self._store.take_leases(self._node, tuple(self._leases), LEASE_MS)
        for name, lease in self._leases.items():
            if (number := numbers.get(name)) is not None:
                lease.hold(number, until_s)
            else:
                lease.lose()

    def lose(self) -> None:
        """Stop holding all leases."""
        for lease in self._leases.values():
            lease.lose()
