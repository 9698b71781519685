"""Presence at one match: which identities have a connection that watches it, and since when a player has none.

It knows identities and times, no sockets and no events, and lasts as long as the room. Connections to other nodes count
too, at most one of each identity for each node: `server.rooms.watching` tells of them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from millrace.protocol import IdentityId

from ..matches.absence import Absence, wait_ms
from ..matches.match import Match, Phase
from ..matches.speed import speed_of

RESERVED_MS = 600_000
"""How long a visitor may keep an open seat."""


class MatchPresence:
    """Who is present at one match."""

    def __init__(self, opened_ms: int, patience: float) -> None:
        self._opened_ms = opened_ms
        """Since when a player who never came counts as absent, at the earliest."""
        self._patience = patience
        """Factor for the waits before absence can be claimed."""
        self._connections: Counter[IdentityId] = Counter()
        """The connections of each identity, here and elsewhere."""
        self._here: Counter[IdentityId] = Counter()
        self._elsewhere: dict[str, set[IdentityId]] = {}
        """Who watches on each other node."""
        self._absences: dict[IdentityId, Absence] = {}
        self._reserved_until_ms: dict[IdentityId, int] = {}
        """Who has asked for an open seat to be kept, in this order."""

    def add(self, identity: IdentityId) -> bool:
        """Count a connection that begins to watch; return whether it is the identity's first one here."""
        self._count(identity)
        self._here[identity] += 1
        return self._here[identity] == 1

    def remove(self, identity: IdentityId, has_closed: bool, now_ms: int) -> bool:
        """Discount a connection that watches no longer; return whether it was the identity's last one here.

        `has_closed` says that it ended on purpose. With the last one on all nodes, the identity becomes absent.
        """
        self._discount(identity, has_closed, now_ms)
        self._here[identity] -= 1
        if self._here[identity] > 0:
            return False
        del self._here[identity]
        return True

    def set_elsewhere(self, node: str, identities: Iterable[IdentityId], now_ms: int) -> bool:
        """Replace who watches on another node; return whether anything has changed."""
        before, after = self._elsewhere.get(node, set()), set(identities)
        self.change_elsewhere(node, after - before, dict.fromkeys(before - after, False), now_ms)
        return before != after

    def change_elsewhere(
        self, node: str, came: Iterable[IdentityId], left: Mapping[IdentityId, bool], now_ms: int
    ) -> None:
        """Change who watches on another node; `left` says of each whether they ended their connection on purpose."""
        watchers = self._elsewhere.setdefault(node, set())
        for identity in set(came) - watchers:
            watchers.add(identity)
            self._count(identity)
        for identity, has_closed in left.items():
            if identity in watchers:
                watchers.discard(identity)
                self._discount(identity, has_closed, now_ms)
        if not watchers:
            del self._elsewhere[node]

    @property
    def here(self) -> Collection[IdentityId]:
        """Everyone who watches by a connection to this node."""
        return self._here.keys()

    @property
    def is_watched_elsewhere(self) -> bool:
        """Whether anyone watches on another node."""
        return bool(self._elsewhere)

    def identities_on(self, node: str) -> frozenset[IdentityId]:
        """Return who watches on another node."""
        return frozenset(self._elsewhere.get(node, ()))

    @property
    def identities(self) -> Collection[IdentityId]:
        """Everyone who is present, players and spectators."""
        return self._connections.keys()

    def is_present(self, identity: IdentityId) -> bool:
        """Return whether a connection of the identity watches."""
        return identity in self._connections

    def _count(self, identity: IdentityId) -> None:
        self._connections[identity] += 1
        self._absences.pop(identity, None)

    def _discount(self, identity: IdentityId, has_closed: bool, now_ms: int) -> None:
        self._connections[identity] -= 1
        if self._connections[identity] <= 0:
            del self._connections[identity]
            self._absences[identity] = Absence(now_ms, has_closed)

    def reserve(self, identity: IdentityId, now_ms: int) -> bool:
        """Keep an open seat for an identity while it is present; return whether it had not asked before."""
        is_new = identity not in self._reserved_until_ms
        self._reserved_until_ms.setdefault(identity, now_ms + RESERVED_MS)
        return is_new

    def reservations_before(self, identity: IdentityId, now_ms: int) -> int:
        """Return how many others keep an open seat and asked for it before an identity."""
        kept = [each for each in self._reserved_until_ms if self.is_reserving(each, now_ms)]
        return kept.index(identity) if identity in kept else len(kept)

    def is_reserving(self, identity: IdentityId, now_ms: int) -> bool:
        """Return whether an open seat is kept for an identity, which is present."""
        return now_ms < self._reserved_until_ms.get(identity, 0) and self.is_present(identity)

    def seats_present(self, match: Match) -> tuple[bool, ...]:
        """Return for each seat whether its player is present; bots always are."""
        return tuple(
            player is not None and (player.level is not None or player.id in self._connections)
            for player in match.players
        )

    def claimable_at_ms(self, match: Match) -> tuple[int | None, ...]:
        """Return for each seat from when its player's absence can be claimed, None while it cannot.

        It cannot before every seat has made a ply, when a match can still be called off, nor during a pause. The host
        of a simul is never absent.
        """
        is_played = match.phase is Phase.PLAYING and match.pause is None
        is_under_way = is_played and match.state.ply >= len(match.players)
        return tuple(self._claimable_at_ms(match, seat) if is_under_way else None for seat in range(len(match.players)))

    def _claimable_at_ms(self, match: Match, seat: int) -> int | None:
        player = match.players[seat]
        if player is None or player.level is not None or match.departure_of(seat) is not None:
            return None
        if player.id in self._connections or seat == match.created.host:
            return None
        absence = self._absences.get(player.id, Absence(self._opened_ms))
        waited_ms = wait_ms(speed_of(match.created.clock), absence, is_guest=not player.registered)
        if waited_ms is None:
            return None
        return max(absence.since_ms, match.present_from_ms) + int(waited_ms * self._patience)
