"""When a player was last online: known even while it is being stored."""

import asyncio
from collections.abc import Mapping

from millrace.protocol import IdentityId, Player
from millrace.server.cluster.bus import LocalBus
from millrace.server.cluster.events import PresenceChanged
from millrace.server.players.profiles.last_seen import HOUR_MS, LastSeen
from millrace.server.storage.errors import StorageError

ANN = Player(IdentityId("ann"), "Ann", registered=True)
NOON_MS = 12 * HOUR_MS


class SlowStore:
    """Waits until the test lets it store, or fail."""

    def __init__(self) -> None:
        self.may_store = asyncio.Event()
        self.is_broken = False

    async def set_last_seen(self, _seen_ms: Mapping[IdentityId, int]) -> None:
        await self.may_store.wait()
        if self.is_broken:
            raise StorageError("no disk")


async def test_last_seen_is_known_before_during_and_after_storing() -> None:
    store, bus = SlowStore(), LocalBus()
    seen = LastSeen(store, bus, lambda: NOON_MS + 5)  # type: ignore[arg-type]  # what it asks of them
    assert seen.of(ANN.id, None) is None
    bus.publish(PresenceChanged(ANN, False))
    assert seen.of(ANN.id, None) == NOON_MS
    storing = asyncio.create_task(seen.store())
    await asyncio.sleep(0)
    assert seen.of(ANN.id, None) == NOON_MS
    store.may_store.set()
    await storing
    assert seen.of(ANN.id, None) == NOON_MS, "a reader may have read the store just before"
    assert seen.of(ANN.id, NOON_MS + HOUR_MS) == NOON_MS + HOUR_MS, "another server knows better"
    seen.forget(ANN.id)
    assert seen.of(ANN.id, None) is None


async def test_times_that_were_not_stored_are_kept() -> None:
    store, bus = SlowStore(), LocalBus()
    seen = LastSeen(store, bus, lambda: NOON_MS)  # type: ignore[arg-type]  # what it asks of them
    bus.publish(PresenceChanged(ANN, False))
    store.is_broken = True
    store.may_store.set()
    await seen.store()
    assert seen.of(ANN.id, None) == NOON_MS
