"""How everyone stands in lists of people: with a country, whether they are online, and what they play.

Whoever does not want to be seen online is never shown to be, nor when they last were.
"""

from collections.abc import Iterator

from ..identity.presence import Presence
from ..protocol import IdentityId, Player, PlayerStatus
from .current_matches import CurrentMatches
from .last_seen import LastSeen
from .store import PlayerWithProfile, ProfileStore


class PlayerDirectory:
    """Everyone, as others see them."""

    def __init__(
        self, store: ProfileStore, presence: Presence, current_matches: CurrentMatches, seen: LastSeen
    ) -> None:
        self._store = store
        self._presence = presence
        self._current_matches = current_matches
        self._seen = seen
        self._countries: dict[IdentityId, str] = {}
        self._hidden: set[IdentityId] = set()

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        for identity, country, is_hidden in await self._store.marks():
            self.set_country(identity, country)
            self.set_hidden(identity, is_hidden)

    def set_country(self, identity: IdentityId, country: str | None) -> None:
        """Show a country, or none, beside somebody."""
        if country is None:
            self._countries.pop(identity, None)
        else:
            self._countries[identity] = country

    def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Hide that somebody is online, or hide it no longer."""
        (self._hidden.add if is_hidden else self._hidden.discard)(identity)

    def forget(self, identity: IdentityId) -> None:
        """Show nothing of somebody whose account is deleted."""
        self.set_country(identity, None)
        self.set_hidden(identity, False)
        self._seen.forget(identity)

    def is_hidden(self, identity: IdentityId) -> bool:
        """Return whether somebody does not want to be seen online."""
        return identity in self._hidden

    def is_online(self, identity: IdentityId) -> bool:
        """Return whether somebody is to be seen online."""
        return identity not in self._hidden and self._presence.is_online(identity)

    def online(self) -> Iterator[Player]:
        """Yield everyone who is to be seen online, guests too."""
        return (player for player in self._presence.players if player.id not in self._hidden)

    def of(self, player: Player) -> PlayerStatus:
        """Return somebody's line without when they were seen."""
        is_online = self.is_online(player.id)
        match = self._current_matches.match_of(player.id) if is_online else None
        country = self._countries.get(player.id)
        if match is None:
            return PlayerStatus(player, country, is_online)
        return PlayerStatus(player, country, is_online, None, match.id, match.created.game)

    def of_known(self, known: PlayerWithProfile) -> PlayerStatus:
        """Return the line of somebody of whom it is known when they were last seen."""
        player, profile = known
        status = self.of(player)
        if self.is_hidden(player.id):
            return status
        seen_ms = self._seen.of(player.id, profile.seen_ms)
        return PlayerStatus(player, status.country, status.online, seen_ms, status.match, status.game)
