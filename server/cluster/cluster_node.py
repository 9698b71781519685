"""A node among others on the same database: implements `server.cluster.membership.Membership`.

Every node sends a heartbeat to the database twice a second. It considers another node gone if that node's heartbeat is
too old, but only after its own heartbeats have been stored steadily: after a pause of the database, all are old. A node
whose own heartbeat is too old owns nothing until the next one is stored.

With its heartbeat a node says whether it is deaf, so that the others look into the database for what it stores. A node
that the database does not answer asks the others, over the bus, to replace it. If the database answers one of them, or
if nothing answers this node at all, it is cut off: it sends its players away until the database answers steadily.
"""

import asyncio
import math
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress

import structlog

from ..runtime import metrics
from ..runtime.system_clock import NowSeconds
from ..storage.errors import StorageError
from .bus import Bus
from .bus_events import (
    BusInterrupted,
    BusRestored,
    NodeCutOff,
    NodeGone,
    NodeJoined,
    NodeLeaving,
    NodeReplaced,
    NodeReturned,
    NodeSilent,
    NodeWasAway,
)
from .cluster_clock import MOST_DIFFERENCE_MS, ClusterClock
from .leases import SharedLease, SharedLeases
from .node_store import CUT_OFF, DEAF, NodeStore, SeenNode
from .rendezvous import Owners

BEAT_SECONDS = 0.5
"""Interval of a node's heartbeats."""

GONE_SECONDS = 2.5
"""Age of the last heartbeat at which a node counts as gone: others take over within 3 s after its death."""

GAP_SECONDS = 1.25
"""Time between two heartbeats at which they are not steady: the database, or this node, may have been suspended."""

TICK_SECONDS = 0.1
SILENT_TICKS = 20
"""Ticks without a stored heartbeat after which a node asks to be replaced. Unlike time, ticks stop when this process is
suspended."""
LONELY_TICKS = 40
"""Ticks without a stored heartbeat after which a node gives up that cannot ask the others."""
FRESH_TICKS = 10
"""Ticks after which a node is no longer sure enough of the database to replace another."""

log = structlog.get_logger()


class ClusterNode:
    """One of several nodes, as `server.cluster.membership` describes them."""

    def __init__(
        self, bus: Bus, store: NodeStore, now_s: NowSeconds = time.monotonic, clock: ClusterClock | None = None
    ) -> None:
        """`clock` follows the database's clock."""
        self.node = bus.node
        """This node's id."""
        self._bus = bus
        self._store = store
        self._now_s = now_s
        self._clock = clock or ClusterClock(now_s)
        self._is_clock_right = True
        self._leases = SharedLeases(self.node, store, now_s)
        self._others: dict[str, SeenNode] = {}
        """The other members, as last seen."""
        self._owners = Owners(frozenset({self.node}))
        self._left: dict[str, float] = {}
        """The nodes that said that they leave or are silent, with the heartbeat beyond which they count as back."""
        self._silent_ticks = 0
        """Ticks since the last stored heartbeat."""
        self.is_cut_off = False
        """Whether the database answers other nodes, but not this one."""
        self._beaten_s: float | None = None
        """When this node sent its last stored heartbeat; None before it joins and after it leaves."""
        self._steady_since_s = now_s()
        self._is_failing = False
        self._is_hurried = asyncio.Event()
        self._subscriptions = (
            bus.subscribe(NodeLeaving, lambda event: self._replace(event.node, math.inf)),
            bus.subscribe_elsewhere(NodeSilent, self._on_silent),
            bus.subscribe_elsewhere(NodeReplaced, lambda _: self._cut_off()),
            bus.subscribe(BusInterrupted, lambda _: self._is_hurried.set()),
            bus.subscribe(BusRestored, lambda _: self._is_hurried.set()),
        )

    @property
    def members(self) -> frozenset[str]:
        """The ids of all live nodes, including this one."""
        return self._owners.members

    def owner_of(self, key: str) -> str:
        """Return the node that owns a key; nodes that know the same members agree on it."""
        return self._owners.of(key)

    def owns(self, key: str) -> bool:
        """Return whether this node owns a key, and may act as its owner now."""
        return self._is_current and self.owner_of(key) == self.node

    def lease(self, name: str) -> SharedLease:
        """Return the lease with that name, and try from now on to hold it."""
        self._is_hurried.set()
        return self._leases.lease(name)

    async def join(self) -> None:
        """Become a member. Raises: StorageError."""
        await self._store.forget_old()
        await self.beat()

    async def run(self) -> None:
        """Stay a member, and watch the others, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._beat_steadily())
            tasks.create_task(self._watch())

    async def _beat_steadily(self) -> None:
        while True:
            self._is_hurried.clear()
            try:
                await self.beat()
            except StorageError as error:
                self._note_failure(error)
            else:
                self._is_failing = False
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._is_hurried.wait()

    async def leave(self) -> None:
        """Stop being a member, so that other nodes take over at once. Raises: StorageError."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        self._beaten_s = None
        self._leases.lose()
        try:
            await self._store.leave(self.node)
        finally:
            self._bus.publish(NodeLeaving(self.node))
            await self._store.close()

    async def beat(self) -> None:
        """Send a heartbeat, read those of the others, and renew the leases. Raises: StorageError."""
        began_s = self._now_s()
        beat = await self._store.beat(self.node, CUT_OFF if self.is_cut_off else DEAF if self._bus.is_deaf else None)
        stored_s, self._silent_ticks = self._now_s(), 0
        self._clock.correct(began_s, stored_s, beat.now_ms)
        self._note_clock()
        was_away = self._note_beat(began_s, stored_s)
        present = (each for each in beat.others if each.trouble != CUT_OFF)
        seen = {each.id: each for each in present if each.beat_ms > self._left.get(each.id, 0)}
        self._note_others(seen, was_away)
        self._bus.note_deaf(frozenset(node for node, each in self._others.items() if each.trouble == DEAF))
        if self.is_cut_off:
            self._note_return()
        else:
            await self._leases.renew()

    @property
    def clock_difference_ms(self) -> float:
        """How much this node's clock is ahead of the database's."""
        return self._clock.difference_ms

    @property
    def _is_current(self) -> bool:
        is_beating = self._beaten_s is not None and self._now_s() - self._beaten_s < GONE_SECONDS
        return is_beating and not self.is_cut_off

    @property
    def _is_steady(self) -> bool:
        return self._now_s() - self._steady_since_s >= GONE_SECONDS

    def _note_beat(self, began_s: float, stored_s: float) -> bool:
        """Note that a heartbeat was stored; return whether others may have considered this node gone before."""
        last_s, self._beaten_s = self._beaten_s, began_s
        silence_s = 0.0 if last_s is None else stored_s - last_s
        if silence_s > GAP_SECONDS:
            self._steady_since_s = stored_s
        return silence_s >= GONE_SECONDS

    def _note_clock(self) -> None:
        difference_ms = self._clock.difference_ms
        metrics.CLOCK_DIFFERENCE.set(difference_ms / 1000)
        was_right, self._is_clock_right = self._is_clock_right, abs(difference_ms) <= MOST_DIFFERENCE_MS
        if was_right and not self._is_clock_right:
            log.warning("clock differs from the database's", node=self.node, difference_ms=round(difference_ms))
        elif self._is_clock_right and not was_right:
            log.info("clock agrees with the database's again", node=self.node)

    def _note_others(self, seen: Mapping[str, SeenNode], was_away: bool) -> None:
        """Update the members, then publish the changes."""
        alive = {each.id for each in seen.values() if each.age_ms < GONE_SECONDS * 1000}
        silent = self._others.keys() & seen.keys() - alive
        gone = self._others.keys() - seen.keys() | (silent if self._is_steady else set())
        joined = alive - self._others.keys()
        lost = [seen.get(node, self._others[node]) for node in sorted(gone)]
        self._others = {node: seen[node] for node in self._others.keys() - gone | joined}
        self._update_members()
        if was_away:
            log.warning("this node was away", node=self.node)
            self._bus.publish(NodeWasAway())
        self._tell_of(joined, lost)

    def _update_members(self) -> None:
        members = frozenset({self.node, *self._others})
        metrics.MEMBERS.set(len(members))
        if members != self._owners.members:
            self._owners = Owners(members)

    def _tell_of(self, joined: Iterable[str], lost: Iterable[SeenNode]) -> None:
        for node in sorted(joined):
            log.info("node joined", node=node)
            self._bus.publish(NodeJoined(node))
        for each in lost:
            log.warning("node gone", node=each.id)
            self._bus.publish(NodeGone(each.id, each.beat_ms))

    def _replace(self, node: str, until_ms: float) -> None:
        """Take over from a node at once, before the database is asked again; it is back with a later heartbeat."""
        self._left[node] = until_ms
        if (other := self._others.pop(node, None)) is not None:
            self._update_members()
            self._tell_of((), (other,))
        self._is_hurried.set()

    # Silence of the database

    async def _watch(self) -> None:
        """Ask to be replaced while no heartbeat is stored."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self._silent_ticks += 1
            if self.is_cut_off or not self._others:
                continue
            if self._silent_ticks >= LONELY_TICKS and self._bus.is_deaf:
                self._cut_off()
            elif self._silent_ticks >= SILENT_TICKS:
                self._bus.publish(NodeSilent(self.node))

    def _on_silent(self, event: NodeSilent) -> None:
        """Replace another node, if the database answers this one."""
        if self._is_current and self._silent_ticks < FRESH_TICKS:
            if (other := self._others.get(event.node)) is not None:
                self._replace(event.node, other.beat_ms)
            self._bus.publish(NodeReplaced(event.node))

    def _cut_off(self) -> None:
        if self._silent_ticks >= SILENT_TICKS and not self.is_cut_off:
            log.warning("cut off from the database", node=self.node)
            self.is_cut_off = True
            self._leases.lose()
            self._bus.publish(NodeCutOff())

    def _note_return(self) -> None:
        """Go on when heartbeats have been stored steadily."""
        if self._is_steady:
            log.info("the database answers again", node=self.node)
            self.is_cut_off = False
            self._is_hurried.set()
            self._bus.publish(NodeReturned())
            self._bus.publish(NodeWasAway())

    def _note_failure(self, error: StorageError) -> None:
        if not self._is_failing:
            log.warning("node's heartbeat not stored", node=self.node, error=str(error))
        self._is_failing = True
