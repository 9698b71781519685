"""Which kinds of notices everyone wants: kept in memory, stored first."""

from collections.abc import Iterable

from ..protocol import IdentityId, NotificationKind
from .store import NotificationStore

USUAL = frozenset(set(NotificationKind) - {NotificationKind.FOLLOWED_ONLINE, NotificationKind.FOLLOWED_PLAYING})
"""What everyone gets who has not chosen otherwise."""


class NotificationPreferences:
    """The choices of those who have made one."""

    def __init__(self, store: NotificationStore) -> None:
        self._store = store
        self._toggled: dict[IdentityId, frozenset[NotificationKind]] = {}

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        self._toggled = {identity: frozenset(toggled) for identity, toggled in await self._store.toggles()}

    def by(self, identity: IdentityId) -> frozenset[NotificationKind]:
        """Return the kinds that somebody wants."""
        return USUAL ^ self._toggled.get(identity, frozenset())

    async def choose(self, identity: IdentityId, kinds: Iterable[NotificationKind]) -> None:
        """Let somebody get these kinds and no others. Raises: StorageError."""
        toggled = USUAL ^ frozenset(kinds)
        await self._store.set_toggled(identity, sorted(toggled))
        self._toggled[identity] = toggled
        if not toggled:
            del self._toggled[identity]

    def forget(self, identity: IdentityId) -> None:
        """Forget what somebody has chosen whose account is deleted."""
        self._toggled.pop(identity, None)
