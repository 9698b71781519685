"""The interface of the stored notifications and preferences; `server.storage` implements it in a database."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from ..protocol import IdentityId, Notification, NotificationKind


class AddNotification(NamedTuple):
    """Put a notification into an inbox, replacing one of the same kind and subject."""

    recipient: IdentityId
    notification: Notification


class WithdrawNotification(NamedTuple):
    """Remove a notification whose subject is settled."""

    recipient: IdentityId
    kind: NotificationKind
    subject: str


InboxChange: TypeAlias = AddNotification | WithdrawNotification


class NotificationStore(Protocol):
    """The notifications and preferences of all players. Every method raises StorageError."""

    async def change(self, changes: Sequence[InboxChange], most: int) -> None:
        """Apply changes in order, all or none, and keep the newest `most` of each kind of each recipient.

        A notification that is not newer than the one that it would replace changes nothing.
        """

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

    async def delete_player(self, identity: IdentityId) -> None:
        """Delete the notifications of a player, and those about the player."""
