"""Uses of limits on other nodes, exchanged with a short delay.

Uses over time are sent in batches. Uses held at a time are entries of their node (`server.cluster.shared_map`), so they
vanish with the node.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable

from ..cluster.bus import Bus
from ..cluster.events import SharedEvent
from ..cluster.shared_map import SharedMap

BATCH_SECONDS = 0.5
"""Time to collect uses before they are sent to the other nodes."""

USES_TOLD = 500
"""Maximum uses in one event."""

Key = tuple[str, str, str]
"""A limit, one of its bounds, and whose uses are counted together."""


class LimitsUsed(SharedEvent, frozen=True):
    """Limits were used on a node."""

    uses: tuple[tuple[str, str, str, float], ...]
    """The limit, the bound, whose uses are counted, and the amount; negative if uses were undone."""


class SharedUse:
    """Sends the uses on this node to the others, and knows what they hold."""

    def __init__(self, bus: Bus, spend: Callable[[Key, float], None]) -> None:
        """`spend` is called with each use on another node."""
        self._bus = bus
        self._spend = spend
        self._unsent: defaultdict[Key, float] = defaultdict(float)
        self._timer: asyncio.TimerHandle | None = None
        self._holds: SharedMap[int] = SharedMap(bus, "holds", int, self._holds_changed)
        self._known: dict[str, int] = {}
        """The counted entries of other nodes."""
        self._held: Counter[Key] = Counter()
        bus.subscribe_elsewhere(LimitsUsed, self._used_elsewhere)

    def note_use(self, key: Key, amount: float) -> None:
        """Send a use to the other nodes soon."""
        self._unsent[key] += amount
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BATCH_SECONDS, self._send)

    def note_held(self, key: Key, count: int) -> None:
        """Tell the other nodes the number held on this node."""
        entry = "\n".join((self._bus.node, *key))
        if count:
            self._holds.put(entry, count)
        else:
            self._holds.remove(entry)

    def held_elsewhere(self, key: Key) -> int:
        """Return the number held on other nodes."""
        return self._held[key]

    def _send(self) -> None:
        self._timer = None
        uses = [(*key, amount) for key, amount in self._unsent.items() if amount]
        self._unsent.clear()
        for start in range(0, len(uses), USES_TOLD):
            self._bus.publish(LimitsUsed(tuple(uses[start : start + USES_TOLD])))

    def _used_elsewhere(self, event: LimitsUsed) -> None:
        for *key, amount in event.uses:
            self._spend((key[0], key[1], key[2]), amount)

    def _holds_changed(self, entry: str) -> None:
        _, name, bound, whose = entry.split("\n", 3)
        count = self._holds.elsewhere(entry) or 0
        self._held[name, bound, whose] += count - self._known.pop(entry, 0)
        if count:
            self._known[entry] = count
        if not self._held[name, bound, whose]:
            del self._held[name, bound, whose]
