"""The directory of players: how each appears in lists, with country, online status and current match.

Players who hide when they are online never appear online, nor does the time when they were last seen.
"""

from collections.abc import Iterator

from ..identity.presence import Presence
from ..protocol import IdentityId, Player, PlayerStatus
from .current_matches import CurrentMatches
from .last_seen import LastSeen
from .store import PlayerWithProfile, ProfileStore
from .visibility import Visibility


class PlayerDirectory:
    """All players, as others see them."""

    def __init__(
        self,
        store: ProfileStore,
        presence: Presence,
        visibility: Visibility,
        current_matches: CurrentMatches,
        last_seen: LastSeen,
    ) -> None:
        self._store = store
        self._presence = presence
        self._visibility = visibility
        self._current_matches = current_matches
        self._last_seen = last_seen
        self._countries: dict[IdentityId, str] = {}

    async def load(self) -> None:
        """Read the stored entries. Raises: StorageError."""
        for entry in await self._store.directory():
            self.set_country(entry.identity, entry.country)
            self.set_hidden(entry.identity, entry.is_hidden)

    def set_country(self, identity: IdentityId, country: str | None) -> None:
        """Set the country that a player shows; None for none."""
        if country is None:
            self._countries.pop(identity, None)
        else:
            self._countries[identity] = country

    def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Set whether a player hides when they are online."""
        self._visibility.set_hidden(identity, is_hidden)

    def forget(self, identity: IdentityId) -> None:
        """Drop the entry of a deleted account."""
        self.set_country(identity, None)
        self.set_hidden(identity, False)
        self._last_seen.forget(identity)

    def is_hidden(self, identity: IdentityId) -> bool:
        """Return whether a player hides when they are online."""
        return self._visibility.is_hidden(identity)

    def is_online(self, identity: IdentityId) -> bool:
        """Return whether a player is online and does not hide it."""
        return not self.is_hidden(identity) and self._presence.is_online(identity)

    def online(self) -> Iterator[Player]:
        """Yield all players who are online and do not hide it, guests too."""
        return (player for player in self._presence.players if not self.is_hidden(player.id))

    def status_of(self, player: Player) -> PlayerStatus:
        """Return a player's status without the time when they were last seen."""
        is_online = self.is_online(player.id)
        match = self._current_matches.match_of(player.id) if is_online else None
        country = self._countries.get(player.id)
        if match is None:
            return PlayerStatus(player, country, is_online)
        return PlayerStatus(player, country, is_online, None, match.id, match.created.game)

    def status_with_last_seen(self, found: PlayerWithProfile) -> PlayerStatus:
        """Return a player's status with the time when they were last seen, unless they hide it."""
        player, profile = found
        status = self.status_of(player)
        if self.is_hidden(player.id):
            return status
        seen_ms = self._last_seen.of(player.id, profile.seen_ms)
        return PlayerStatus(player, status.country, status.online, seen_ms, status.match, status.game)
