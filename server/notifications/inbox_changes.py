"""Changes of the inboxes of players, which are stored with the events that they follow from.

`server.notifications` decides them.
"""

from typing import NamedTuple, TypeAlias

from millrace.protocol import IdentityId, Notification, NotificationKind


class AddNotification(NamedTuple):
    """Put a notification into an inbox, replacing an older one of the same kind and subject."""

    recipient: IdentityId
    notification: Notification


class WithdrawNotification(NamedTuple):
    """Remove a notification whose subject is settled."""

    recipient: IdentityId
    kind: NotificationKind
    subject: str


InboxChange: TypeAlias = AddNotification | WithdrawNotification
