"""Who is at a match: who watches it, which players do, and since when one of them does not.

It knows identities and times, no sockets and no events; it lasts as long as the room.
"""

from collections import Counter

from ..matches.absence import Away, patience_ms
from ..matches.match import Match, Phase
from ..matches.speed import speed_of
from ..protocol import AudienceUpdate, IdentityId


class Attendance:
    """The people at one match, by identity."""

    def __init__(self, opened_ms: int, patience: float) -> None:
        self._opened_ms = opened_ms
        """From when one who never came counts as away, at the earliest."""
        self._patience = patience
        """So many times as long as usual one who is away is waited for."""
        self._connections: Counter[IdentityId] = Counter()
        self._away: dict[IdentityId, Away] = {}

    def came(self, identity: IdentityId) -> None:
        """Note that a connection of somebody watches."""
        self._connections[identity] += 1
        self._away.pop(identity, None)

    def went(self, identity: IdentityId, has_closed: bool, now_ms: int) -> None:
        """Note that a connection of somebody watches no longer."""
        self._connections[identity] -= 1
        if self._connections[identity] <= 0:
            del self._connections[identity]
            self._away[identity] = Away(now_ms, has_closed)

    def is_there(self, identity: IdentityId) -> bool:
        """Return whether somebody is there."""
        return identity in self._connections

    def audience(self, match: Match, *, tells_claims: bool = True) -> AudienceUpdate:
        """Return who is there, and what may be claimed; of a match that is shown with a delay not to everybody."""
        present = tuple(
            player is not None and (player.level is not None or player.id in self._connections)
            for player in match.players
        )
        claimable_at_ms = self.claimable_at_ms(match) if tells_claims or not match.created.delay_plies else ()
        return AudienceUpdate(match.id, self.spectators(match), present, claimable_at_ms)

    def spectators(self, match: Match) -> int:
        """Return how many watch who hold no seat."""
        return len(self._connections) - sum(identity in self._connections for identity in match.people)

    def claimable_at_ms(self, match: Match) -> tuple[int | None, ...]:
        """Return for each seat from when the others may claim that its player is away; None where nobody is.

        Only once every seat has made a ply, before which a match can be called off, and not during a pause.
        """
        is_played = match.phase is Phase.PLAYING and match.pause is None
        is_under_way = is_played and match.state.ply >= len(match.players)
        return tuple(self._claimable_at_ms(match, seat) if is_under_way else None for seat in range(len(match.players)))

    def _claimable_at_ms(self, match: Match, seat: int) -> int | None:
        player = match.players[seat]
        if player is None or player.level is not None or match.departure_of(seat) is not None:
            return None
        if player.id in self._connections:
            return None
        away = self._away.get(player.id, Away(self._opened_ms))
        waited_ms = patience_ms(speed_of(match.created.clock), away, is_guest=not player.registered)
        if waited_ms is None:
            return None
        return max(away.since_ms, match.present_from_ms) + int(waited_ms * self._patience)
