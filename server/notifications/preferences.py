"""Which kinds of notifications each player wants: held in memory, stored first."""

from collections.abc import Iterable

from ..protocol import IdentityId, NotificationKind
from .store import NotificationStore

DEFAULT_KINDS = frozenset(set(NotificationKind) - {NotificationKind.FOLLOWED_ONLINE, NotificationKind.FOLLOWED_PLAYING})
"""The kinds that players get unless they choose otherwise."""


class NotificationPreferences:
    """The choices of all players who changed the defaults."""

    def __init__(self, store: NotificationStore) -> None:
        self._store = store
        self._toggled: dict[IdentityId, frozenset[NotificationKind]] = {}

    async def load(self) -> None:
        """Read the stored choices. Raises: StorageError."""
        self._toggled = {identity: frozenset(toggled) for identity, toggled in await self._store.toggles()}

    def kinds_for(self, identity: IdentityId) -> frozenset[NotificationKind]:
        """Return the kinds that a player wants."""
        return DEFAULT_KINDS ^ self._toggled.get(identity, frozenset())

    async def choose(self, identity: IdentityId, kinds: Iterable[NotificationKind]) -> None:
        """Set the kinds that a player wants. Raises: StorageError."""
        toggled = DEFAULT_KINDS ^ frozenset(kinds)
        await self._store.set_toggled(identity, sorted(toggled))
        self._toggled[identity] = toggled
        if not toggled:
            del self._toggled[identity]

    def forget(self, identity: IdentityId) -> None:
        """Drop the choices of a deleted account."""
        self._toggled.pop(identity, None)
