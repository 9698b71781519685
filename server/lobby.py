"""The list of live matches, told to whoever follows it.

Imported by `server.session` and `server.house`.
"""

import asyncio
from collections.abc import Callable

from server.bus import Bus
from server.protocol import LiveMatches, MatchSummary
from server.room import Listener
from server.rooms import LIVE_TOPIC
from server.wire import WireFrame, frame_of

INTERVAL_SECONDS = 1.0
"""The list is told at most so often."""

SHOWN_MATCHES = 50
"""The list ends after so many."""


class Lobby:
    """Who follows the list of live matches."""

    def __init__(self, bus: Bus, live: Callable[[], list[MatchSummary]]) -> None:
        self._live = live
        self._listeners: set[Listener] = set()
        self._timer: asyncio.TimerHandle | None = None
        bus.subscribe(LIVE_TOPIC, lambda _: self._changed())

    def watch(self, listener: Listener) -> None:
        """Tell a listener the list, now and whenever it changes."""
        self._listeners.add(listener)
        listener.deliver([self._frame()])

    def unwatch(self, listener: Listener) -> None:
        """Tell a listener the list no longer."""
        self._listeners.discard(listener)

    def close(self) -> None:
        """Tell nobody anything more."""
        self._listeners.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _changed(self) -> None:
        if self._listeners and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        frame = self._frame()
        for listener in tuple(self._listeners):
            listener.deliver([frame])

    def _frame(self) -> WireFrame:
        return frame_of(LiveMatches(tuple(self._live()[:SHOWN_MATCHES])))
