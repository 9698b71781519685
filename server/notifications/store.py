"""What is kept of notices, as the rest of the server sees it.

An interface only; `server.storage` keeps it in a database.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from ..protocol import IdentityId, Notification, NotificationKind


class AddNotification(NamedTuple):
    """A notice for somebody, in place of an earlier one of the same kind about the same."""

    recipient: IdentityId
    notification: Notification


class WithdrawNotification(NamedTuple):
    """A notice that is over: what it was about is settled."""

    recipient: IdentityId
    kind: NotificationKind
    subject: str


InboxChange: TypeAlias = AddNotification | WithdrawNotification


class NotificationStore(Protocol):
    """Everyone's notices. Every method raises StorageError."""

    async def change(self, changes: Sequence[InboxChange], most: int) -> None:
        """Store changes in order, all or none; of those to whom something is given the latest notices are kept, so
        many. One that is not later than what it would replace changes nothing."""

    async def latest(self, identity: IdentityId, most: int) -> Sequence[Notification]:
        """Return somebody's latest notices, the latest first."""

    async def read(self, identity: IdentityId, subject: str | None) -> None:
        """Note that somebody has seen their notices, all or those about something."""

    async def sweep(self, before_ms: int) -> None:
        """Forget all that are older."""

    async def toggles(self) -> Iterable[tuple[IdentityId, tuple[NotificationKind, ...]]]:
        """Return who has chosen other kinds than usual: which are on for them that are off, or the other way."""

    async def set_toggled(self, identity: IdentityId, toggled: Sequence[NotificationKind]) -> None:
        """Note which kinds are other than usual for somebody."""

    async def forget(self, identity: IdentityId) -> None:
        """Forget the notices of somebody and those about them."""
