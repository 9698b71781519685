"""Which waiting players are disconnected, and since when: a page reload must not end a search."""

from collections.abc import Callable, Iterable

from millrace.protocol import IdentityId


class Disconnections:
    """When each player was disconnected, as of the latest update."""

    def __init__(self, is_online: Callable[[IdentityId], bool]) -> None:
        self._is_online = is_online
        self._since_ms: dict[IdentityId, int] = {}

    def update(self, identities: Iterable[IdentityId], now_ms: int) -> frozenset[IdentityId]:
        """Check these players and forget all others; return those who are disconnected now."""
        disconnected = frozenset(identity for identity in identities if not self._is_online(identity))
        self._since_ms = {identity: self._since_ms.get(identity, now_ms) for identity in disconnected}
        return disconnected

    def lasting(self, least_ms: int, now_ms: int) -> frozenset[IdentityId]:
        """Return the players who had been disconnected for at least `least_ms` at the latest update."""
        return frozenset(identity for identity, since_ms in self._since_ms.items() if now_ms - since_ms >= least_ms)
