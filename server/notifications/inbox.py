"""The inboxes of all players: changes are collected, and sent to players who watch.

Notifications from a match's event are stored with the event (`server.notifications.match_notifier`); the others are
stored here, in batches. Callers never wait, so notifications do not slow a ply down.

The node that stores a change informs the other nodes, which send it to their watching players.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import structlog

from millrace.protocol import IdentityId, NotificationAdded, NotificationKind, Notifications
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.presence import PlayerSession, Presence
from ..cluster.bus import Bus
from ..cluster.bus_events import BusRestored
from ..cluster.events import SharedEvent
from ..journal.rereading import Rereading
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError
from .match_notifications import AddNotification, InboxChange
from .notification_store import NotificationStore
from .preferences import NotificationPreferences

log = structlog.get_logger()

MOST_OF_KIND = 30
"""Maximum notifications of one kind in one inbox, so that a flood of one does not displace the others."""
MOST_SHOWN = MOST_OF_KIND * len(NotificationKind)
FLUSH_SECONDS = 0.2
"""Minimum interval between two writes, so that a flood of changes is stored and sent together."""
KEPT_MS = 30 * 86_400_000
"""Age at which a notification is deleted."""
SWEEP_SECONDS = 3600
"""Interval at which old notifications are deleted."""
MOST_PENDING = 20_000
"""Maximum changes waiting to be stored or sent; further changes are dropped if the database is too slow."""


class InboxesChanged(SharedEvent, frozen=True):
    """Notifications were stored, marked as read or withdrawn."""

    added: tuple[AddNotification, ...] = ()
    changed: tuple[IdentityId, ...] = ()
    """The players whose other notifications have changed."""


@dataclass(eq=False)
class Inbox:
    """Stores notifications and sends them to watching connections."""

    _store: NotificationStore
    _preferences: NotificationPreferences
    _presence: Presence
    _bus: Bus
    _now_ms: NowMs
    _announce_stored: Callable[[], None] = lambda: None
    """Called when notifications have been stored on any node."""

    def __post_init__(self) -> None:
        self._watchers: dict[IdentityId, list[PlayerSession]] = {}
        self._unstored: list[AddNotification] = []
        self._unsent: list[InboxChange] = []
        self._told: list[AddNotification] = []
        """Stored notifications of which the other nodes already know."""
        self._changed: Rereading[IdentityId] = Rereading(self._send_list)
        self._is_pending = asyncio.Event()
        self._storing = asyncio.Lock()
        """Held while changes are stored or sent, or an inbox is read, so that no older inbox is sent after a change."""
        self._bus.subscribe_elsewhere(InboxesChanged, self._inboxes_changed)
        self._bus.subscribe(BusRestored, lambda _: self._changed.ask(self._watchers))

    def wants(self, recipient: IdentityId, kind: NotificationKind) -> bool:
        """Return whether a player wants notifications of a kind; bots want none."""
        player = self._presence.find(recipient)
        is_of_bot = player is not None and player.bot
        return not is_of_bot and kind in self._preferences.kinds_for(recipient)

    def add(self, added: Iterable[AddNotification]) -> None:
        """Queue notifications that their recipients want, without waiting."""
        for each in added:
            if len(self._unstored) < MOST_PENDING and self.wants(each.recipient, each.notification.kind):
                self._unstored.append(each)
                self._is_pending.set()

    def announce(self, changes: Iterable[InboxChange]) -> None:
        """Queue changes that are already stored, to be sent, without waiting."""
        for change in changes:
            if len(self._unsent) < MOST_PENDING:
                self._unsent.append(change)
                self._is_pending.set()

    def announce_here(self, added: Iterable[AddNotification]) -> None:
        """Queue stored notifications, which every node receives, to be sent to watchers on this node."""
        for each in added:
            if len(self._told) < MOST_PENDING:
                self._told.append(each)
                self._is_pending.set()

    async def watch(self, watcher: PlayerSession) -> None:
        """Send a connection its player's inbox, now and after each change. Raises: StorageError."""
        watchers = self._watchers.setdefault(watcher.identity, [])
        if watcher not in watchers:
            watchers.append(watcher)
        async with self._storing:
            watcher.deliver([await self._list_frame(watcher.identity)])

    def unwatch(self, watcher: PlayerSession) -> None:
        """Stop sending notifications to a connection."""
        watchers = self._watchers.get(watcher.identity, [])
        if watcher in watchers:
            watchers.remove(watcher)
        if not watchers:
            self._watchers.pop(watcher.identity, None)

    async def mark_read(self, identity: IdentityId, subject: str | None) -> None:
        """Mark a player's notifications as read: all, or those about one subject. Raises: StorageError."""
        await self._store.mark_read(identity, subject)
        self._bus.publish(InboxesChanged(changed=(identity,)))
        await self._send_list(identity)

    async def read_changed(self) -> None:
        """Send inboxes with changes other than new notifications, until cancelled."""
        await self._changed.run()

    async def run(self) -> None:
        """Store and send changes as they come, until cancelled."""
        while True:
            await self._is_pending.wait()
            await self.flush()
            await asyncio.sleep(FLUSH_SECONDS)

    async def delete_old(self) -> None:
        """Delete old notifications at intervals, until cancelled."""
        while True:
            try:
                await self._store.delete_before(self._now_ms() - KEPT_MS)
            except StorageError as error:
                log.warning("old notifications not deleted", error=str(error))
            await asyncio.sleep(SWEEP_SECONDS)

    async def flush(self) -> None:
        """Store and send all queued changes; return when all are done."""
        async with self._storing:
            self._is_pending.clear()
            unsent, self._unsent = self._unsent, []
            unstored, self._unstored = self._unstored, []
            told, self._told = self._told, []
            self._send(told)
            try:
                if unstored:
                    await self._store.add(unstored)
                added = [each for each in (*unsent, *unstored) if isinstance(each, AddNotification)]
                withdrawn = {each.recipient for each in unsent if not isinstance(each, AddNotification)}
                if added or withdrawn:
                    self._bus.publish(InboxesChanged(tuple(added), tuple(withdrawn)))
                    self._send(added)
                    self._changed.ask(withdrawn)
                if grown := {(each.recipient, each.notification.kind) for each in added}:
                    await self._store.trim(grown, MOST_OF_KIND)
            except StorageError as error:
                log.warning("notifications not stored", lost=len(unstored), error=str(error))

    def forget(self, identity: IdentityId) -> None:
        """Drop the queued notifications for and about a deleted account; stored ones are already deleted."""

        def is_about(change: InboxChange) -> bool:
            player = change.notification.player if isinstance(change, AddNotification) else None
            return change.recipient == identity or (player is not None and player.id == identity)

        self._unstored = [each for each in self._unstored if not is_about(each)]
        self._unsent = [each for each in self._unsent if not is_about(each)]
        self._told = [each for each in self._told if not is_about(each)]

    def _inboxes_changed(self, event: InboxesChanged) -> None:
        self.announce_here(event.added)
        self._changed.ask(event.changed)

    def _send(self, added: Collection[AddNotification]) -> None:
        for recipient, notification in added:
            self._deliver(recipient, frame_of(NotificationAdded(notification)))
        if added:
            self._announce_stored()

    async def _send_list(self, identity: IdentityId) -> None:
        """Send a player the whole inbox. Raises: StorageError."""
        if identity in self._watchers:
            async with self._storing:
                self._deliver(identity, await self._list_frame(identity))

    def _deliver(self, identity: IdentityId, frame: WireFrame) -> None:
        for watcher in tuple(self._watchers.get(identity, ())):
            watcher.deliver([frame])

    async def _list_frame(self, identity: IdentityId) -> WireFrame:
        return frame_of(Notifications(tuple(await self._store.latest(identity, MOST_SHOWN))))
