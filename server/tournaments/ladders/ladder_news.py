"""Sends pages of ladders to those who follow them, at most once a second."""

import asyncio
from collections.abc import Callable

from millrace.protocol import IdentityId, LadderView, TournamentId, WatchLadder
from millrace.protocol.frames import frame_of

from ...callers.caller import Caller
from ...cluster.bus import Bus
from ...runtime.slices import in_slices
from .ladders import LadderUpdated

UPDATE_SECONDS = 1.0
"""Minimum interval between two updates."""

View = Callable[[TournamentId, int | None, IdentityId], LadderView]
"""Returns a page of a ladder as a player sees it."""


class LadderNews:
    """The followers of ladders, each with the page."""

    def __init__(self, view: View, bus: Bus) -> None:
        self._view = view
        self._followers: dict[TournamentId, dict[Caller, int | None]] = {}
        self._changed: set[TournamentId] = set()
        self._has_changed = asyncio.Event()
        bus.subscribe(LadderUpdated, self._note)

    def follow(self, message: WatchLadder, caller: Caller) -> None:
        """Send a page of a ladder to a connection, now and after each change, or stop."""
        followers = self._followers.setdefault(message.ladder, {})
        if message.on:
            followers[caller] = message.page
            caller.send(self._view(message.ladder, message.page, caller.identity))
        else:
            followers.pop(caller, None)

    def disconnect(self, caller: Caller) -> None:
        """Forget a connection."""
        for followers in self._followers.values():
            followers.pop(caller, None)

    async def run(self) -> None:
        """Send changes, until cancelled."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            changed, self._changed = self._changed, set()
            for ladder in changed:
                async for caller, page in in_slices(tuple(self._followers.get(ladder, {}).items())):
                    caller.deliver((frame_of(self._view(ladder, page, caller.identity)),))
            await asyncio.sleep(UPDATE_SECONDS)

    def _note(self, event: LadderUpdated) -> None:
        self._changed.add(event.ladder)
        self._has_changed.set()
