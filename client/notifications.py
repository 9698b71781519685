"""Notifications for this player. The server keeps each until it is read."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing

from millrace import protocol

from .errors import ClientError
from .requests import Requests, new_id
from .subscriptions import ListSubscription


class NotificationsClient:
    """This player's inbox; `Connection.notifications` is one.

    Every method raises RefusedError and ConnectionLostError.
    """

    receives = (protocol.Notifications, protocol.NotificationAdded)

    def __init__(self, requests: Requests, post: Callable[[protocol.Message], None]) -> None:
        self._ask = requests.ask
        self._list = ListSubscription(
            post, protocol.WatchNotifications(), protocol.WatchNotifications(on=False), protocol.Notifications
        )
        self._latest = protocol.Notifications(())

    async def follow(self) -> AsyncGenerator[tuple[protocol.Notification, ...], None]:
        """Yield the notifications, the newest first, now and after each change; a slow reader gets only the latest
        list."""
        async with aclosing(self._list.read(protocol.Notifications)) as lists:
            async for message in lists:
                yield message.notifications

    async def mark_read(self, subject: str | None = None) -> None:
        """Mark notifications as read: all of them, or those about one match or player."""
        await self._ask(protocol.MarkNotificationsRead(new_id(), subject), protocol.Done)

    async def kinds(self) -> tuple[protocol.NotificationKind, ...]:
        """Return the kinds of notifications that this player gets."""
        return (await self._ask(protocol.GetNotificationKinds(new_id()), protocol.NotificationKinds)).kinds

    async def set_kinds(self, kinds: Iterable[protocol.NotificationKind]) -> None:
        """Choose the kinds of notifications to get; for the owner of an account."""
        await self._ask(protocol.SetNotificationKinds(new_id(), tuple(kinds)), protocol.Done)

    async def push_key(self) -> str:
        """Return the server's public key, with which a program subscribes at its push service (RFC 8292)."""
        return (await self._ask(protocol.GetPushKey(new_id()), protocol.PushKey)).key

    async def subscribe_to_push(self, endpoint: str, key: str, secret: str) -> None:
        """Push notifications to an endpoint while no page of the player is open, until the session ends.

        `key` and `secret` are those of the subscription, `p256dh` and `auth`, in base64 for addresses (RFC 8291).
        Raises: RefusedError, with `Code.SUBSCRIPTION_ENDED` if the push service has ended the subscription.
        """
        await self._ask(protocol.SubscribeToPush(new_id(), endpoint, key, secret), protocol.Done)

    async def unsubscribe_from_push(self, endpoint: str) -> None:
        """Stop pushing to an endpoint."""
        await self._ask(protocol.UnsubscribeFromPush(new_id(), endpoint), protocol.Done)

    # For the connection

    def receive(self, message: protocol.Notifications | protocol.NotificationAdded) -> None:
        """Receive the list, or a notification that replaces the one of its kind and subject."""
        if isinstance(message, protocol.NotificationAdded):
            new = message.notification
            old = self._latest.notifications
            others = (each for each in old if (each.kind, each.subject) != (new.kind, new.subject))
            message = protocol.Notifications((new, *others))
        self._latest = message
        self._list.receive(message)

    def resume(self) -> None:
        """Ask for the notifications on a new socket, if they are being read."""
        self._list.resume()

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        self._list.fail(error)
