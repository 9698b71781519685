"""Exhibitions: bots play each other for viewers of a channel that has nothing else to feature.

There is at most one per game, at a pace that viewers can follow. It starts only while no player waits for a bot. It is
called off when nobody has watched for a while, or when people play. It is stored like any other match.

Of several nodes, the holder of the lease starts and ends them, for the viewers of all.
"""

import asyncio
from collections.abc import Coroutine

import structlog

from millrace.protocol import MatchId
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..cluster.bus import Bus
from ..cluster.events import BusEvent
from ..cluster.membership import Membership
from ..cluster.shared_map import SharedMap
from ..matches.match import Phase
from ..rooms.rooms import Rooms
from ..runtime.system_clock import NowMs
from ..storage.fences import Fence
from .exhibition_pairs import RandomBelow, choose_bots

log = structlog.get_logger()

IDLE_MS = 20_000
"""Time for which an exhibition continues without viewers."""

NOBODY_WATCHED = "nobody is watching the exhibition"
PEOPLE_PLAY = "the exhibition ended to make room for a match between people"


LEASE = "exhibitions"
"""The name of the lease for exhibitions."""


class ExhibitionsChanged(BusEvent, frozen=True):
    """An exhibition has started or ended here, or viewers on another node want one or no longer do."""


class Exhibitions:
    """The exhibitions run by this node."""

    def __init__(
        self, rooms: Rooms, bots: Bots, bus: Bus, membership: Membership, now_ms: NowMs, random_below: RandomBelow
    ) -> None:
        self._lease = membership.lease(LEASE)
        self._wishes = SharedMap(bus, "exhibition_wishes", str, lambda _: bus.publish(ExhibitionsChanged()))
        """The featured match, or "", in each game in which viewers want an exhibition."""
        self._bus = bus
        self._rooms = rooms
        self._bots = bots
        self._now_ms = now_ms
        self._random_below = random_below
        self._played: dict[str, MatchId] = {}
        self._unwanted_since_ms: dict[str, int] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """The exhibitions being started or called off, by game."""

    @property
    def are_on(self) -> bool:
        """Whether any exhibition is being played, started, called off, or wanted on another node."""
        return bool(self._played or self._tasks or self._wishes.all_elsewhere())

    def update(self, game: str, *, is_wanted: bool, featured: MatchId | None) -> None:
        """Start or call off the exhibition of a game, depending on its viewers and on the featured match.

        Viewers on other nodes count too.
        """
        if is_wanted:
            self._wishes.put(game, featured or "")
        else:
            self._wishes.remove(game)
        elsewhere = self._wishes.elsewhere(game)
        if elsewhere is not None:
            is_wanted, featured = True, featured or MatchId(elsewhere) or None
        fence = self._lease.fence
        if game in self._tasks:
            return
        if fence is None:
            self._played.pop(game, None)  # the holder of the lease runs it from now on
            return
        if game not in self._played and featured is not None and self._is_exhibition(featured):
            self._played[game] = featured  # the former holder started it
        match = self._played.get(game)
        if match is not None and self._is_over(match):
            del self._played[game]
        elif match is not None:
            explanation = self._why_ended(game, match, is_wanted=is_wanted, featured=featured)
            if explanation is not None:
                self._spawn(game, self._end(game, match, explanation))
        elif is_wanted and featured is None and self._bots.is_ready and not self._bots.is_busy:
            self._spawn(game, self._begin(game, fence))

    async def close(self) -> None:
        """Start no more exhibitions."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _is_exhibition(self, match_id: MatchId) -> bool:
        match = self._rooms.peek(match_id)
        return match is not None and match.created.exhibition

    def _is_over(self, match_id: MatchId) -> bool:
        match = self._rooms.peek(match_id)
        return match is None or match.phase is Phase.OVER

    def _why_ended(self, game: str, match: MatchId, *, is_wanted: bool, featured: MatchId | None) -> str | None:
        """Return why an exhibition ends, or None if it continues."""
        if featured not in (None, match):
            return PEOPLE_PLAY
        if is_wanted:
            self._unwanted_since_ms.pop(game, None)
            return None
        now_ms = self._now_ms()
        is_idle = now_ms - self._unwanted_since_ms.setdefault(game, now_ms) >= IDLE_MS
        return NOBODY_WATCHED if is_idle else None

    async def _begin(self, game: str, fence: Fence) -> None:
        self._played[game] = await self._rooms.new.open_exhibition(game, choose_bots(game, self._random_below), fence)
        self._unwanted_since_ms.pop(game, None)

    async def _end(self, game: str, match: MatchId, explanation: str) -> None:
        await self._rooms.call_off(match, explanation)
        self._played.pop(game, None)

    def _spawn(self, game: str, work: Coroutine[None, None, None]) -> None:
        self._tasks[game] = asyncio.create_task(self._run(game, work))

    async def _run(self, game: str, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except Refusal as refusal:
            log.warning("exhibition not changed", game=game, error=str(refusal))
        finally:
            del self._tasks[game]
            self._bus.publish(ExhibitionsChanged())
