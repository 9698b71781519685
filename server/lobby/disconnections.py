"""Who of those that wait for others has gone, and since when: a reload or a tunnel is no leaving.

It knows neither seeks nor searches; what becomes of those of somebody who has gone is decided in
`server.lobby.matchmaker` and `server.lobby.seeks`, which import it.
"""

from collections.abc import Iterable

from ..identity.presence import Presence
from ..protocol import IdentityId


class Disconnections:
    """Since when each of some people has had no connection, as of the latest look."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self._gone_since_ms: dict[IdentityId, int] = {}

    def look(self, identities: Iterable[IdentityId], now_ms: int) -> frozenset[IdentityId]:
        """Return who of these has no connection now; of all others nothing is remembered."""
        gone = frozenset(identity for identity in identities if not self._presence.is_online(identity))
        self._gone_since_ms = {identity: self._gone_since_ms.get(identity, now_ms) for identity in gone}
        return gone

    def gone_for(self, least_ms: int, now_ms: int) -> frozenset[IdentityId]:
        """Return who has had no connection for so long, of those of the latest look."""
        return frozenset(identity for identity, since in self._gone_since_ms.items() if now_ms - since >= least_ms)
