"""When players with an account were last online; stored once a minute, so a crash may lose a minute."""

import asyncio

import structlog

from millrace.protocol import IdentityId

from ...cluster.bus import Bus
from ...cluster.events import PresenceChanged
from ...runtime.system_clock import NowMs
from ...storage.errors import StorageError
from .profile_store import ProfileStore

log = structlog.get_logger()

STORE_SECONDS = 60
"""Interval at which the times are stored."""
HOUR_MS = 3_600_000


class LastSeen:
    """Records when players come and go."""

    def __init__(self, store: ProfileStore, bus: Bus, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms
        self._unstored: dict[IdentityId, int] = {}
        self._latest: dict[IdentityId, int] = {}
        """The latest stored times; a concurrent read of the store may not see them yet."""
        bus.subscribe(PresenceChanged, self._presence_changed)

    def of(self, identity: IdentityId, stored_ms: int | None) -> int | None:
        """Return when a player was last online, given the stored time, rounded down to the hour."""
        known = (self._unstored.get(identity), self._latest.get(identity), stored_ms)
        seen_ms = max((moment for moment in known if moment is not None), default=None)
        return None if seen_ms is None else seen_ms // HOUR_MS * HOUR_MS

    async def run(self) -> None:
        """Store the times at intervals, until cancelled."""
        while True:
            await asyncio.sleep(STORE_SECONDS)
            await self.store()

    async def store(self) -> None:
        """Store the times; keep them if that fails."""
        recorded, self._unstored = self._unstored, {}
        if not recorded:
            return
        self._latest = recorded
        try:
            await self._store.set_last_seen(recorded)
        except StorageError as error:
            log.warning("last seen not stored", error=str(error))
            self._unstored = {**recorded, **self._unstored}

    def forget(self, identity: IdentityId) -> None:
        """Drop the time of a deleted account."""
        self._unstored.pop(identity, None)
        self._latest.pop(identity, None)

    def _presence_changed(self, event: PresenceChanged) -> None:
        if event.player.registered and event.is_here:
            self._unstored[event.player.id] = self._now_ms()
