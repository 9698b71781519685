"""Who watches one match on other nodes: each node tells the others who comes and goes on it, and is told the same.

Only the first connection of an identity on a node and the last one count; changes are gathered for a moment.
"""

import asyncio
from collections.abc import Callable

from millrace.protocol import IdentityId, MatchId

from ..cluster.bus import Bus
from ..cluster.match_events import WatchersChanged, WatchersListed
from ..runtime.system_clock import NowMs
from .match_presence import MatchPresence

GATHER_SECONDS = 0.05
"""How long changes are gathered before they are sent."""


class SharedAudience:
    """The identities that watch one match, told to the other nodes and by them."""

    def __init__(
        self, match_id: MatchId, presence: MatchPresence, bus: Bus, now_ms: NowMs, changed: Callable[[], None]
    ) -> None:
        self._match_id = match_id
        self._presence = presence
        self._bus = bus
        self._now_ms = now_ms
        self._changed = changed
        """Called when who watches on another node has changed."""
        self._came: set[IdentityId] = set()
        self._left: dict[IdentityId, bool] = {}
        """Who watches here no longer, and whether they ended their connection on purpose."""
        self._timer: asyncio.TimerHandle | None = None

    def note(self, identity: IdentityId, is_here: bool, has_closed: bool) -> None:
        """Tell the other nodes, soon, that an identity has begun to watch here, or watches here no longer."""
        if is_here:
            self._came.add(identity)
            self._left.pop(identity, None)
        else:
            self._came.discard(identity)
            self._left[identity] = has_closed
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._send)

    def tell_all(self, *, is_answer_wanted: bool) -> None:
        """Tell the other nodes everyone who watches here, and ask them for the same."""
        here = tuple(self._presence.here)
        if here or is_answer_wanted:
            self._bus.publish(WatchersListed(self._match_id, self._bus.node, here, is_answer_wanted))

    def take_list(self, event: WatchersListed) -> None:
        """Take over who watches on another node, and answer if it asks."""
        self._presence.set_elsewhere(event.node, event.watchers, self._now_ms())
        if event.is_answer_wanted:
            self.tell_all(is_answer_wanted=False)
        self._changed()

    def take_change(self, event: WatchersChanged) -> None:
        """Take over who came and went on another node."""
        self._presence.change_elsewhere(event.node, event.came, dict(event.left), self._now_ms())
        self._changed()

    def forget(self, node: str) -> None:
        """Count nobody on a node that is gone."""
        if self._presence.set_elsewhere(node, (), self._now_ms()):
            self._changed()

    def close(self) -> None:
        """Tell the others that nobody watches here any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._send()

    def _send(self) -> None:
        self._timer = None
        came, self._came = tuple(self._came), set()
        left, self._left = tuple(self._left.items()), {}
        self._bus.publish(WatchersChanged(self._match_id, self._bus.node, came, left))
