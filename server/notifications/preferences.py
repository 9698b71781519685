"""The kinds of notifications that each player wants: held in memory, stored first."""

from collections.abc import Iterable

from millrace.protocol import IdentityId, NotificationKind

from ..cluster.bus import Bus
from ..cluster.events import SharedEvent
from ..journal.reloading import Reloading
from .notification_store import NotificationStore

DEFAULT_KINDS = frozenset(set(NotificationKind) - {NotificationKind.FOLLOWED_ONLINE, NotificationKind.FOLLOWED_PLAYING})
"""The default kinds."""


class KindsChosen(SharedEvent, frozen=True):
    """A player chose kinds of notifications."""

    identity: IdentityId
    toggled: frozenset[NotificationKind]
    """The kinds that differ from the default."""


class NotificationPreferences:
    """The choices of all players who changed the defaults."""

    def __init__(self, store: NotificationStore, bus: Bus) -> None:
        self._store = store
        self._bus = bus
        self._toggled: dict[IdentityId, frozenset[NotificationKind]] = {}
        self._reloading = Reloading()
        bus.subscribe_elsewhere(KindsChosen, lambda event: self._set(event.identity, event.toggled))

    async def load(self) -> None:
        """Read the stored choices. Raises: StorageError."""
        with self._reloading.replacing():
            self._toggled = {identity: frozenset(toggled) for identity, toggled in await self._store.toggles()}

    def kinds_for(self, identity: IdentityId) -> frozenset[NotificationKind]:
        """Return the kinds that a player wants."""
        return DEFAULT_KINDS ^ self._toggled.get(identity, frozenset())

    async def choose(self, identity: IdentityId, kinds: Iterable[NotificationKind]) -> None:
        """Set the kinds that a player wants. Raises: StorageError."""
        toggled = DEFAULT_KINDS ^ frozenset(kinds)
        await self._store.set_toggled(identity, sorted(toggled))
        self._set(identity, toggled)
        self._bus.publish(KindsChosen(identity, toggled))

    def forget(self, identity: IdentityId) -> None:
        """Drop the choices of a deleted account."""
        self._set(identity, frozenset())

    def _set(self, identity: IdentityId, toggled: frozenset[NotificationKind]) -> None:
        def change() -> None:
            self._toggled.pop(identity, None)
            if toggled:
                self._toggled[identity] = toggled

        self._reloading.apply(change)
