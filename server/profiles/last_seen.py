"""When everyone with an account was last online, stored a minute's worth at a time: nothing rests on it."""

import asyncio

import structlog

from ..bus.bus import Bus
from ..bus.events import PresenceChanged
from ..journal.store import StorageError
from ..protocol import IdentityId, Player
from ..system_clock import NowMs
from .store import ProfileStore

log = structlog.get_logger()

STORE_SECONDS = 60
HOUR_MS = 3_600_000


class LastSeen:
    """Notes who comes and goes."""

    def __init__(self, store: ProfileStore, bus: Bus, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms
        self._unstored: dict[IdentityId, int] = {}
        self._latest: dict[IdentityId, int] = {}
        """What was given to the store last: whoever reads that meanwhile may not find it there yet."""
        bus.subscribe(PresenceChanged, lambda event: self._note(event.player, event.online))

    def of(self, identity: IdentityId, stored_ms: int | None) -> int | None:
        """Return when somebody was last online by what is stored and what is not yet, to the hour."""
        known = (self._unstored.get(identity), self._latest.get(identity), stored_ms)
        seen_ms = max((moment for moment in known if moment is not None), default=None)
        return None if seen_ms is None else seen_ms // HOUR_MS * HOUR_MS

    async def keep(self) -> None:
        """Store what was noted, again and again, until cancelled."""
        while True:
            await asyncio.sleep(STORE_SECONDS)
            await self.store()

    async def store(self) -> None:
        """Store what was noted."""
        noted, self._unstored = self._unstored, {}
        if not noted:
            return
        self._latest = noted
        try:
            await self._store.set_last_seen(noted)
        except StorageError as error:
            log.warning("last seen not stored", error=str(error))
            self._unstored = {**noted, **self._unstored}

    def forget(self, identity: IdentityId) -> None:
        """Note nothing of somebody whose account is deleted."""
        self._unstored.pop(identity, None)
        self._latest.pop(identity, None)

    def _note(self, player: Player, _is_here: bool) -> None:
        if player.registered:
            self._unstored[player.id] = self._now_ms()
