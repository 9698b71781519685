"""The handler of notification messages: watching the inbox, marking it read, and choosing kinds."""

from collections.abc import Coroutine, Sequence

from millrace.protocol import (
    Done,
    GetNotificationKinds,
    MarkNotificationsRead,
    NotificationKinds,
    Scope,
    SetNotificationKinds,
    WatchNotifications,
)

from ..callers.caller import Caller, account_of
from ..callers.feature import Access, Feature, Route
from ..cluster.bus import Bus
from ..cluster.events import AccountDeleted
from ..journal.unavailable import refusing_failures
from .inbox import Inbox
from .preferences import NotificationPreferences


class NotificationHandler(Feature):
    """The inbox and the preferences of every player."""

    def __init__(self, preferences: NotificationPreferences, inbox: Inbox, bus: Bus) -> None:
        self._preferences = preferences
        self._inbox = inbox
        bus.subscribe(AccountDeleted, lambda event: self._preferences.forget(event.identity))
        bus.subscribe(AccountDeleted, lambda event: self._inbox.forget(event.identity))
        self.routes = (
            Route(WatchNotifications, self.watch, Scope.READ),
            Route(MarkNotificationsRead, self.mark_read, Access.SIGNED_IN),
            Route(GetNotificationKinds, self.get_kinds, Access.SIGNED_IN),
            Route(SetNotificationKinds, self.set_kinds, Access.SIGNED_IN),
        )

    async def load(self) -> None:
        """Read the preferences. Raises: StorageError."""
        await self._preferences.load()

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Store new notifications, send changes, and delete old ones."""
        return self._inbox.run(), self._inbox.read_changed(), self._inbox.delete_old()

    def disconnect(self, caller: Caller) -> None:
        """Stop sending to a closed connection."""
        self._inbox.unwatch(caller)

    async def close(self) -> None:
        """Store what is still queued."""
        await self._inbox.flush()

    async def watch(self, message: WatchNotifications, caller: Caller) -> None:
        """Send the inbox, now and after each change; or stop. Raises: Refusal."""
        if not message.on:
            self._inbox.unwatch(caller)
            return
        with refusing_failures("notifications not read", "do this"):
            await self._inbox.watch(caller)

    async def mark_read(self, message: MarkNotificationsRead, caller: Caller) -> None:
        """Mark notifications as read. Raises: Refusal."""
        with refusing_failures("notifications not stored", "do this"):
            await self._inbox.mark_read(caller.identity, message.subject)
        caller.send(Done(message.id))

    async def get_kinds(self, message: GetNotificationKinds, caller: Caller) -> None:
        """Answer with the kinds that the player gets."""
        caller.send(NotificationKinds(message.id, tuple(sorted(self._preferences.kinds_for(caller.identity)))))

    async def set_kinds(self, message: SetNotificationKinds, caller: Caller) -> None:
        """Set the kinds that the player gets. Raises: Refusal."""
        owner = account_of(caller)
        with refusing_failures("notification kinds not stored", "do this"):
            await self._preferences.choose(owner.id, message.kinds)
        caller.send(Done(message.id))
