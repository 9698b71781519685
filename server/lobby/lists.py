"""The lists of live matches, seeks and bots, sent at intervals to connections that watch them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from millrace.protocol import LiveMatches, OnlineBots, Player, Seeks, WaitingOpponent
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.presence import PlayerSession
from ..cluster.bus import Bus
from ..cluster.events import BotsChanged, MatchChanged, PlyMade, SeeksChanged
from ..spectating.live_index import LiveIndex
from .online_bots import OnlineBotList
from .seeks import SeekList

INTERVAL_SECONDS = 1.0
"""Minimum interval between two versions of the lists."""
SHOWN_MATCHES = 12
"""Length of the list of live matches; `server.spectating.live_pages` sends all of them, page by page."""


@dataclass(eq=False)
class LobbyLists:
    """The connections that watch the lists, and the lists last sent to each."""

    _live: LiveIndex
    _seeks: SeekList
    _bots: OnlineBotList
    _opponents_of: Callable[[Player], tuple[WaitingOpponent, ...]]
    """Returns the players waiting for an opponent like a given one."""
    _bus: Bus

    def __post_init__(self) -> None:
        self._sent: dict[PlayerSession, tuple[WireFrame, ...]] = {}
        self._timer: asyncio.TimerHandle | None = None
        for kind in (MatchChanged, PlyMade, SeeksChanged, BotsChanged):
            self._bus.subscribe(kind, lambda _: self._changed())

    def watch(self, watcher: PlayerSession) -> None:
        """Send a connection the lists, now and after each change."""
        frames = self._live_frame(), self._bots_frame(), self._seeks_frame(watcher)
        self._sent[watcher] = frames
        watcher.deliver(frames)

    def unwatch(self, watcher: PlayerSession) -> None:
        """Stop sending the lists to a connection."""
        self._sent.pop(watcher, None)

    def close(self) -> None:
        """Stop sending."""
        self._sent.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _changed(self) -> None:
        if self._sent and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._send)

    def _send(self) -> None:
        """Send each connection the lists that have changed since the last time."""
        self._timer = None
        live_frame, bots_frame = self._live_frame(), self._bots_frame()
        for watcher, sent in tuple(self._sent.items()):
            frames = live_frame, bots_frame, self._seeks_frame(watcher)
            self._sent[watcher] = frames
            watcher.deliver([frame for frame in frames if frame not in sent])

    def _live_frame(self) -> WireFrame:
        return frame_of(LiveMatches(tuple(line.summary for line in self._live.listed()[:SHOWN_MATCHES])))

    def _bots_frame(self) -> WireFrame:
        return frame_of(OnlineBots(self._bots.online()))

    def _seeks_frame(self, watcher: PlayerSession) -> WireFrame:
        return frame_of(Seeks(self._seeks.seeks_for(watcher.player), self._opponents_of(watcher.player)))
