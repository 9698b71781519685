"""The lists of live matches, of seeks and of bots, told to whoever follows them."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from ..bus.bus import Bus
from ..bus.events import BotsChanged, MatchChanged, SeeksChanged
from ..identity.presence import Recipient
from ..protocol import LiveMatches, OnlineBot, OnlineBots, Player, Seek, Seeks
from ..protocol.frames import WireFrame, frame_of
from ..spectating.live_index import LiveIndex

INTERVAL_SECONDS = 1.0
"""The lists are told at most so often."""

SHOWN_MATCHES = 12
"""The list of live matches ends after so many; all of them are told by pages (`server.spectating.live_pages`)."""


class Reader(Recipient, Protocol):
    """Someone connected who follows the lists."""

    @property
    def player(self) -> Player:
        """Who it is."""


class LobbyLists:
    """Who follows the lists."""

    def __init__(
        self,
        bus: Bus,
        live: LiveIndex,
        seeks_for: Callable[[Player], tuple[Seek, ...]],
        online_bots: Callable[[], tuple[OnlineBot, ...]],
    ) -> None:
        self._live = live
        self._seeks_for = seeks_for
        self._online_bots = online_bots
        self._told: dict[Reader, tuple[WireFrame, ...]] = {}
        self._timer: asyncio.TimerHandle | None = None
        for kind in (MatchChanged, SeeksChanged, BotsChanged):
            bus.subscribe(kind, lambda _: self._changed())

    def watch(self, listener: Reader) -> None:
        """Tell a listener the lists, now and whenever they change."""
        frames = self._live_frame(), self._bots_frame(), self._seeks_frame(listener)
        self._told[listener] = frames
        listener.deliver(frames)

    def unwatch(self, listener: Reader) -> None:
        """Tell a listener the lists no longer."""
        self._told.pop(listener, None)

    def close(self) -> None:
        """Tell nobody anything more."""
        self._told.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _changed(self) -> None:
        if self._told and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._tell)

    def _tell(self) -> None:
        """Tell each listener those of the lists that are other than they were."""
        self._timer = None
        live_frame, bots_frame = self._live_frame(), self._bots_frame()
        for listener, told in tuple(self._told.items()):
            frames = live_frame, bots_frame, self._seeks_frame(listener)
            self._told[listener] = frames
            listener.deliver([frame for frame in frames if frame not in told])

    def _live_frame(self) -> WireFrame:
        return frame_of(LiveMatches(tuple(line.summary for line in self._live.listed()[:SHOWN_MATCHES])))

    def _bots_frame(self) -> WireFrame:
        return frame_of(OnlineBots(self._online_bots()))

    def _seeks_frame(self, listener: Reader) -> WireFrame:
        return frame_of(Seeks(self._seeks_for(listener.player)))
