"""The handler of messages about live and featured matches.

Once a second, while anyone follows either, it updates the pages, the channels and the exhibitions; at once for a viewer
who has nothing to see yet, and when an exhibition has begun.
"""

import asyncio

from millrace.engine.games import GAMES
from millrace.protocol import Scope, WatchFeatured, WatchLive

from ..callers.caller import Caller
from ..callers.feature import Feature, Route
from ..cluster.bus import Bus
from ..matches.named_games import require_game
from ..runtime.system_clock import NowMs
from .channels import Channels
from .exhibitions import Exhibitions, ExhibitionsChanged
from .live_index import LiveIndex
from .live_pages import LivePages

UPDATE_SECONDS = 1.0


class SpectatingHandler(Feature):
    """Sends spectators the live matches and the featured ones."""

    def __init__(self, index: LiveIndex, exhibitions: Exhibitions, bus: Bus, now_ms: NowMs) -> None:
        self._pages = LivePages(index)
        self._exhibitions = exhibitions
        self._channels = Channels(index, now_ms)
        self._timer: asyncio.Handle | None = None
        bus.subscribe(ExhibitionsChanged, lambda _: self._update_soon())
        self.routes = (
            Route(WatchLive, self.watch_live, Scope.READ),
            Route(WatchFeatured, self.watch_featured, Scope.READ),
        )

    async def watch_live(self, command: WatchLive, caller: Caller) -> None:
        """Send a caller a page of the list of live matches, or stop. Raises: Refusal."""
        if command.game is not None:
            require_game(command.game)
        if command.on:
            self._pages.follow(command, caller)
        else:
            self._pages.leave(caller)
        self._schedule()

    async def watch_featured(self, command: WatchFeatured, caller: Caller) -> None:
        """Send a caller the featured match of a game, or stop. Raises: Refusal."""
        require_game(command.game)
        if command.on:
            self._channels.follow(command, caller)
        else:
            self._channels.unfollow(command.game, caller)
        channel = self._channels.find(command.game)
        if command.on and channel is not None and channel.match is None:
            self._update_soon()
        self._schedule()

    def disconnect(self, caller: Caller) -> None:
        """Forget a caller whose connection has ended."""
        self._pages.leave(caller)
        self._channels.leave(caller)

    async def close(self) -> None:
        """Stop updates and exhibitions."""
        self._pages.close()
        self._channels.close()
        await self._exhibitions.close()
        if self._timer is not None:
            self._timer.cancel()

    def _schedule(self) -> None:
        is_needed = self._pages.has_readers or self._channels.has_viewers or self._exhibitions.are_on
        if self._timer is None and is_needed:
            self._timer = asyncio.get_running_loop().call_later(UPDATE_SECONDS, self._update)

    def _update_soon(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_soon(self._update)

    def _update(self) -> None:
        self._timer = None
        self._pages.update()
        self._channels.update()
        for game in GAMES:
            channel = self._channels.find(game)
            is_wanted = channel is not None and any(channel.viewers.values())
            self._exhibitions.update(game, is_wanted=is_wanted, featured=None if channel is None else channel.match)
        self._schedule()
