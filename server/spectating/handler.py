"""The desk for watching: who follows the list of live matches, and who follows what is featured.

It looks once a second, while somebody follows either; what is looked at is in `server.spectating.live_pages` and
`server.spectating.channels`.
"""

import asyncio
from typing import get_args

from millrace.engine.game import UnknownGameError
from millrace.engine.games import GAMES, find_game

from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..protocol import Code, WatchFeatured, WatchingCommand, WatchLive
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .channels import Channels
from .exhibitions import Exhibitions
from .live_index import LiveIndex
from .live_pages import LivePages

INTERVAL_SECONDS = 1.0


class WatchingDesk:
    """What sessions ask for about watching."""

    commands = get_args(WatchingCommand)

    def __init__(self, index: LiveIndex, exhibitions: Exhibitions, now_ms: NowMs) -> None:
        self._pages = LivePages(index)
        self._exhibitions = exhibitions
        self._channels = Channels(index, now_ms)
        self._timer: asyncio.TimerHandle | None = None

    async def handle(self, command: WatchLive | WatchFeatured, caller: Caller) -> None:
        """Do what somebody asks for. Raises: Refusal."""
        _require_game(command.game)
        match command:
            case WatchLive(on=True):
                self._pages.follow(command, caller)
            case WatchLive():
                self._pages.leave(caller)
            case WatchFeatured(on=True):
                self._channels.follow(command, caller)
            case WatchFeatured(game=game):
                self._channels.unfollow(game, caller)
        self._schedule()

    def leave(self, caller: PlayerSession) -> None:
        """Note that a connection is over."""
        self._pages.leave(caller)
        self._channels.leave(caller)

    async def close(self) -> None:
        """Tell nobody anything more, and begin nothing."""
        self._pages.close()
        self._channels.close()
        await self._exhibitions.close()
        if self._timer is not None:
            self._timer.cancel()

    def _schedule(self) -> None:
        is_needed = self._pages.is_followed or self._channels.is_followed or self._exhibitions.are_on
        if self._timer is None and is_needed:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._look)

    def _look(self) -> None:
        self._timer = None
        self._pages.tell()
        self._channels.tell()
        for game in GAMES:
            channel = self._channels.find(game)
            is_wanted = channel is not None and any(channel.viewers.values())
            self._exhibitions.tend(game, is_wanted=is_wanted, featured=None if channel is None else channel.match)
        self._schedule()


def _require_game(game: str | None) -> None:
    """Refuse a game that there is not. Raises: Refusal."""
    try:
        if game is not None:
            find_game(game)
    except UnknownGameError as error:
        raise Refusal(Code.UNKNOWN_GAME, str(error)) from None
