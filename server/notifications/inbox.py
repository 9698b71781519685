"""The book of notices: what is to be given or taken away is stored, all that has gathered at once, and then told.

Nothing waits for it, least of all a ply.
"""

import asyncio
from collections.abc import Iterable

import structlog

from ..identity.presence import Presence, PlayerSession
from ..journal.store import StorageError
from ..protocol import IdentityId, NotificationAdded, Notifications
from ..protocol.frames import WireFrame, frame_of
from ..system_clock import NowMs
from .preferences import NotificationPreferences
from .store import AddNotification, InboxChange, NotificationStore

log = structlog.get_logger()

MOST_KEPT = 60
"""So many notices of somebody are kept, the latest."""
KEPT_MS = 30 * 86_400_000
"""A notice is forgotten after so long."""
SWEEP_SECONDS = 3600
MOST_PENDING = 20_000
"""Notices that wait to be stored; what comes while so many do is lost, since the database does not keep up."""


class Inbox:
    """Stores notices, and tells who watches theirs."""

    def __init__(
        self, store: NotificationStore, preferences: NotificationPreferences, presence: Presence, now_ms: NowMs
    ) -> None:
        self._store = store
        self._preferences = preferences
        self._presence = presence
        self._now_ms = now_ms
        self._watchers: dict[IdentityId, list[PlayerSession]] = {}
        self._pending: list[InboxChange] = []
        self._is_pending = asyncio.Event()
        self._turn = asyncio.Lock()

    def note(self, changes: Iterable[InboxChange]) -> None:
        """Take in what is to be given or taken away, without waiting."""
        for change in changes:
            if len(self._pending) < MOST_PENDING and self._is_wanted(change):
                self._pending.append(change)
                self._is_pending.set()

    async def watch(self, watcher: PlayerSession) -> None:
        """Tell somebody their notices, now and as they come. Raises: StorageError."""
        watchers = self._watchers.setdefault(watcher.identity, [])
        if watcher not in watchers:
            watchers.append(watcher)
        watcher.deliver([await self._list_frame(watcher.identity)])

    def unwatch(self, watcher: PlayerSession) -> None:
        """Tell somebody their notices no longer."""
        watchers = self._watchers.get(watcher.identity, [])
        if watcher in watchers:
            watchers.remove(watcher)
        if not watchers:
            self._watchers.pop(watcher.identity, None)

    async def read(self, identity: IdentityId, subject: str | None) -> None:
        """Note that somebody has seen their notices, all or those about something. Raises: StorageError."""
        await self._store.read(identity, subject)
        await self._tell_list(identity)

    async def keep(self) -> None:
        """Store and tell what comes, until cancelled."""
        while True:
            await self._is_pending.wait()
            await self.settle()

    async def sweep(self) -> None:
        """Forget what is old, again and again, until cancelled."""
        while True:
            try:
                await self._store.sweep(self._now_ms() - KEPT_MS)
            except StorageError as error:
                log.warning("old notices not forgotten", error=str(error))
            await asyncio.sleep(SWEEP_SECONDS)

    async def settle(self) -> None:
        """Store and tell what has gathered, and return when nothing of it is under way any more."""
        async with self._turn:
            self._is_pending.clear()
            changes, self._pending = self._pending, []
            if not changes:
                return
            try:
                await self._store.change(changes, MOST_KEPT)
                await self._tell(changes)
            except StorageError as error:
                log.warning("notices not stored", lost=len(changes), error=str(error))

    async def forget(self, identity: IdentityId) -> None:
        """Forget the notices of somebody and those about them, also what is not stored yet. Raises: StorageError."""
        await self.settle()
        await self._store.forget(identity)

    def _is_wanted(self, change: InboxChange) -> bool:
        if not isinstance(change, AddNotification):
            return True
        is_of_bot = any(session.player.bot for session in self._presence.sessions_of(change.recipient))
        return not is_of_bot and change.notification.kind in self._preferences.by(change.recipient)

    async def _tell(self, changes: Iterable[InboxChange]) -> None:
        reduced = set()
        for change in changes:
            if isinstance(change, AddNotification):
                self._deliver(change.recipient, frame_of(NotificationAdded(change.notification)))
            else:
                reduced.add(change.recipient)
        for identity in reduced:
            await self._tell_list(identity)

    async def _tell_list(self, identity: IdentityId) -> None:
        if identity in self._watchers:
            self._deliver(identity, await self._list_frame(identity))

    def _deliver(self, identity: IdentityId, frame: WireFrame) -> None:
        for watcher in tuple(self._watchers.get(identity, ())):
            watcher.deliver([frame])

    async def _list_frame(self, identity: IdentityId) -> WireFrame:
        return frame_of(Notifications(tuple(await self._store.latest(identity, MOST_KEPT))))
