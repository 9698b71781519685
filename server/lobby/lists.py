"""The lists of live matches, seeks and bots, sent at intervals to connections that watch them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from millrace.protocol import LiveMatches, OnlineBots, Player, Seeks, WaitingOpponent
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.presence import PlayerSession
from ..cluster.bus import Bus
from ..cluster.events import BotsChanged, MatchChanged, PlyMade, SeeksChanged
from ..runtime.slices import in_slices
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
        """Begins the next round, or has begun the present one."""
        self._round: asyncio.Future[None] | None = None
        """Sends the lists to one connection after another."""
        self._has_changed = False
        """Whether a list has changed since the present round began."""
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
        for waiting in (self._timer, self._round):
            if waiting is not None:
                waiting.cancel()

    def _changed(self) -> None:
        self._has_changed = True
        if self._sent and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._begin)

    def _begin(self) -> None:
        self._round = asyncio.ensure_future(self._send())

    async def _send(self) -> None:
        """Send each connection the lists that have changed since the last time."""
        self._has_changed = False
        try:
            live_frame, bots_frame = self._live_frame(), self._bots_frame()
            async for watcher in in_slices(tuple(self._sent)):
                if (sent := self._sent.get(watcher)) is not None:
                    frames = live_frame, bots_frame, self._seeks_frame(watcher)
                    self._sent[watcher] = frames
                    watcher.deliver([frame for frame in frames if frame not in sent])
        finally:
            self._timer = None
            if self._has_changed:
                self._changed()

    def _live_frame(self) -> WireFrame:
        return frame_of(LiveMatches(tuple(line.summary for line in self._live.listed()[:SHOWN_MATCHES])))

    def _bots_frame(self) -> WireFrame:
        return frame_of(OnlineBots(self._bots.online()))

    def _seeks_frame(self, watcher: PlayerSession) -> WireFrame:
        return frame_of(Seeks(self._seeks.seeks_for(watcher.player), self._opponents_of(watcher.player)))
