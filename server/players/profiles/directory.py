"""The directory of players: each player's country, online status and current match for lists.

Players who hide their online status never appear online, and the time when they were last seen is hidden.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from millrace.protocol import IdentityId, Player, PlayerStatus

from ...callers.presence import Presence
from ...cluster.bus import Bus
from ...cluster.events import SharedEvent
from ...journal.reloading import Reloading
from .current_matches import CurrentMatches
from .last_seen import LastSeen
from .profile_store import PlayerWithProfile, ProfileStore


class CountryChanged(SharedEvent, frozen=True):
    """A player shows another country, or none."""

    identity: IdentityId
    country: str | None


class VisibilityChanged(SharedEvent, frozen=True):
    """A player hid their online status, or shows it again."""

    identity: IdentityId
    is_hidden: bool


class Visibility:
    """The players who hide their online status."""

    def __init__(self) -> None:
        self._hidden: set[IdentityId] = set()

    def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Set whether a player hides their online status."""
        (self._hidden.add if is_hidden else self._hidden.discard)(identity)

    def replace(self, hidden: Iterable[IdentityId]) -> None:
        """Replace the set of players who hide their online status."""
        self._hidden = set(hidden)

    def is_hidden(self, identity: IdentityId) -> bool:
        """Return whether a player hides their online status."""
        return identity in self._hidden


@dataclass(eq=False)
class PlayerDirectory:
    """All players, as seen by others."""

    _store: ProfileStore
    _presence: Presence
    _visibility: Visibility
    _current_matches: CurrentMatches
    _last_seen: LastSeen
    _bus: Bus

    def __post_init__(self) -> None:
        self._countries: dict[IdentityId, str] = {}
        self._reloading = Reloading()
        self._bus.subscribe_elsewhere(CountryChanged, lambda event: self._set_country(event.identity, event.country))
        self._bus.subscribe_elsewhere(
            VisibilityChanged, lambda event: self._set_hidden(event.identity, event.is_hidden)
        )

    async def load(self) -> None:
        """Read the stored entries. Raises: StorageError."""
        with self._reloading.replacing():
            entries = tuple(await self._store.directory())
            self._countries = {entry.identity: entry.country for entry in entries if entry.country is not None}
            self._visibility.replace(entry.identity for entry in entries if entry.is_hidden)

    def set_country(self, identity: IdentityId, country: str | None) -> None:
        """Set a player's country, already stored, on every node; None for none."""
        self._set_country(identity, country)
        self._bus.publish(CountryChanged(identity, country))

    def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Set whether a player hides their online status, already stored, on every node."""
        self._set_hidden(identity, is_hidden)
        self._bus.publish(VisibilityChanged(identity, is_hidden))

    def forget(self, identity: IdentityId) -> None:
        """Drop the entry of a deleted account."""
        self._set_country(identity, None)
        self._set_hidden(identity, False)
        self._last_seen.forget(identity)

    def _set_country(self, identity: IdentityId, country: str | None) -> None:
        def change() -> None:
            self._countries.pop(identity, None)
            if country is not None:
                self._countries[identity] = country

        self._reloading.apply(change)

    def _set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        self._reloading.apply(lambda: self._visibility.set_hidden(identity, is_hidden))

    def is_hidden(self, identity: IdentityId) -> bool:
        """Return whether a player hides their online status."""
        return self._visibility.is_hidden(identity)

    def is_online(self, identity: IdentityId) -> bool:
        """Return whether a player is online and does not hide it."""
        return not self.is_hidden(identity) and self._presence.is_online(identity)

    def online(self) -> Iterator[Player]:
        """Yield all players who are online and do not hide it, including guests."""
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
        """Return a player's status with the time when they were last seen, unless hidden."""
        player, profile = found
        status = self.status_of(player)
        if self.is_hidden(player.id):
            return status
        seen_ms = self._last_seen.of(player.id, profile.seen_ms)
        return PlayerStatus(player, status.country, status.online, seen_ms, status.match, status.game)
