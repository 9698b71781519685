"""The interface of the stored notifications and preferences; `server.storage` implements it in a database.

Those that follow from an event of a match are stored with it, by the journal.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from millrace.protocol import IdentityId, Notification, NotificationKind

from ..journal.inbox import AddNotification


class NotificationStore(Protocol):
    """The notifications and preferences of all players. Every method raises StorageError."""

    async def add(self, added: Sequence[AddNotification]) -> None:
        """Add notifications, all or none.

        One that is not newer than the one that it would replace changes nothing.
        """

    async def trim(self, inboxes: Collection[tuple[IdentityId, NotificationKind]], most: int) -> None:
        """Keep the newest `most` notifications of each of these players and kinds."""

    async def latest(self, identity: IdentityId, most: int) -> Sequence[Notification]:
        """Return a player's newest notifications, the newest first."""

    async def mark_read(self, identity: IdentityId, subject: str | None) -> None:
        """Mark a player's notifications as read: all, or those about one subject."""

    async def delete_before(self, before_ms: int) -> None:
        """Delete older notifications."""

    async def toggles(self) -> Iterable[tuple[IdentityId, tuple[NotificationKind, ...]]]:
        """Return, for each player who changed the defaults, the kinds that differ from the default."""

    async def set_toggled(self, identity: IdentityId, toggled: Sequence[NotificationKind]) -> None:
        """Replace the kinds that differ from the default for a player."""
