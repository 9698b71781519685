"""The interface of what is stored for push messages; `server.storage` implements it in a database."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import IdentityId, Notification

from ...callers.presence import Credential


class PushSubscription(NamedTuple):
    """A browser that wants push messages."""

    endpoint: str
    identity: IdentityId
    credential: Credential | None
    """The session of its player, with which the subscription ends; None for a guest."""
    key: str
    secret: str
    """The browser's keys, in base64."""
    created_ms: int


class DueNotification(NamedTuple):
    """A notification that has not been pushed."""

    recipient: IdentityId
    notification: Notification


class PushStore(Protocol):
    """Subscriptions, and which notifications are to be pushed. Every method raises StorageError."""

    async def server_key(self, new: bytes) -> bytes:
        """Return the stored private key of the server; store `new` if there is none yet."""

    async def subscribe(self, subscription: PushSubscription, most: int) -> None:
        """Store a browser's subscription in place of an earlier one; of a player's, keep the newest `most`."""

    async def unsubscribe(self, endpoint: str) -> None:
        """Delete the subscription of an endpoint."""

    async def subscriptions_of(self, identity: IdentityId, now_ms: int) -> Sequence[PushSubscription]:
        """Return a player's subscriptions, but for those whose session has ended."""

    async def due(self, since_ms: int, most: int, skipped: int) -> Sequence[DueNotification]:
        """Return unread notifications since a time that were not pushed, the oldest first: `most` after `skipped`.

        Only those of players who have subscribed, and since they have.
        """

    async def settle(self, pushed: Sequence[DueNotification]) -> None:
        """Note that notifications were pushed, or need not be."""

    async def delete_ended(self, now_ms: int) -> None:
        """Delete the subscriptions whose session has ended."""
