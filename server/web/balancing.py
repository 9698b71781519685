"""Balancing: a node with more connections than the others sends some of them to another node.

After a rolling restart, the node that was restarted last has none. The proxy sends new connections there, but open ones
stay where they are. So a node closes its excess in steps, each connection between two moves of its player: clients
connect again at once and miss nothing.
"""

import asyncio
import math
from collections.abc import Collection, Coroutine, Iterable, Sequence
from dataclasses import dataclass

import structlog

from millrace.protocol import IdentityId

from ..callers.feature import Feature
from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..cluster.shared_map import SharedMap
from ..matches.match import Match, Phase
from ..rooms.rooms import Rooms
from ..runtime import metrics

log = structlog.get_logger()

STEP_SECONDS = 5.0
"""Interval of the steps."""
STEPS = 6
"""Part of the excess that one step closes: a sixth."""
TOLERANCE = 1.1
"""A node may have a tenth more connections than the mean of all nodes."""
FEW = 10
"""A node may also have this many more."""
OLD_SECONDS = 60.0
"""Minimum age of a connection that is sent to another node."""
LONGEST_SECONDS = 600.0
"""Maximum interval of the steps. It doubles while a step is in vain, as when the proxy sends each connection back."""


def excess_of(own: int, others: Collection[int]) -> int:
    """Return how many connections a node has above the mean of all nodes; 0 if it has hardly more than that.

    >>> excess_of(300, [0, 0]), excess_of(110, [100, 90]), excess_of(12, [0])
    (200, 0, 0)
    """
    mean = (own + sum(others)) / (1 + len(others))
    return own - math.ceil(mean) if own > TOLERANCE * mean + FEW else 0


@dataclass(eq=False)
class Balancing(Feature):
    """Sends connections from this node to others that have fewer."""

    _presence: Presence
    _rooms: Rooms
    _bus: Bus

    def __post_init__(self) -> None:
        self._loads: SharedMap[int] = SharedMap(self._bus, "connections", int, lambda _: None)
        """The number of connections of each node."""

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Make a step from time to time; a server alone has nowhere to send connections."""
        return () if self._bus.is_alone else (self._run(),)

    async def _run(self) -> None:
        wait_s = STEP_SECONDS
        while True:
            before = len(self._presence.sessions_here)
            sent = self.step(asyncio.get_running_loop().time() - OLD_SECONDS)
            await asyncio.sleep(wait_s)
            is_in_vain = sent > 0 and len(self._presence.sessions_here) > before - sent / 2
            wait_s = min(2 * wait_s, LONGEST_SECONDS) if is_in_vain else STEP_SECONDS

    def step(self, before_s: float) -> int:
        """Close a part of the excess, of the connections opened before a time; return how many."""
        sessions = self._presence.sessions_here
        self._loads.put(self._bus.node, len(sessions))
        excess = excess_of(len(sessions), list(self._loads.all_elsewhere().values()))
        if not excess:
            return 0
        most, sent = math.ceil(excess / STEPS), 0
        busy = identities_to_move(room.match for room in self._rooms.loaded.values())
        for session in sessions:
            is_free = session.opened_s < before_s and session.identity not in busy
            sent += sent < most and is_free and session.send_elsewhere()
        metrics.DISCONNECTIONS.labels("balanced").inc(sent)
        log.info("connections sent to other nodes", number=sent, excess=excess)
        return sent


def identities_to_move(matches: Iterable[Match]) -> set[IdentityId]:
    """Return the people whose turn it is in some matches."""
    movers = (match.mover for match in matches if match.phase is Phase.PLAYING)
    return {mover.id for mover in movers if mover is not None}
