"""Exhibitions: where nothing is on that is worth featuring, and somebody looks, two or more bots play each other.

At most one a game, at a pace that one can follow (`server.rooms.bot_seats`), begun only while no person waits for a
bot, whose plies come first in any case. It is called off when nobody has watched for a while, or when people play. It
is stored like any match.
"""

import asyncio
from collections.abc import Coroutine

import structlog

from ..bots.requests import Bots
from ..matches.match import Phase
from ..protocol import MatchId
from ..protocol.refusal import Refusal
from ..rooms.rooms import Rooms
from ..system_clock import NowMs
from .exhibition_pairs import Chance, line_up

log = structlog.get_logger()

IDLE_MS = 20_000
"""So long an exhibition goes on without anybody for whom it is played."""

NOBODY_WATCHED = "nobody watched the exhibition any more"
PEOPLE_PLAY = "the exhibition made room for a match of people"


class Exhibitions:
    """The exhibitions of this process."""

    def __init__(self, rooms: Rooms, bots: Bots, now_ms: NowMs, chance: Chance) -> None:
        self._rooms = rooms
        self._bots = bots
        self._now_ms = now_ms
        self._chance = chance
        self._played: dict[str, MatchId] = {}
        self._unwanted_since_ms: dict[str, int] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """What is being begun or called off, by game."""

    @property
    def are_on(self) -> bool:
        """Whether any exhibition has to be looked after."""
        return bool(self._played or self._tasks)

    def tend(self, game: str, *, is_wanted: bool, featured: MatchId | None) -> None:
        """Begin or call off the exhibition of a game, as it is wanted and by what is featured."""
        if game in self._tasks:
            return
        match = self._played.get(game)
        if match is not None and self._is_over(match):
            del self._played[game]
        elif match is not None:
            words = self._why_not(game, match, is_wanted=is_wanted, featured=featured)
            if words is not None:
                self._spawn(game, self._end(game, match, words))
        elif is_wanted and featured is None and self._bots.is_ready and not self._bots.is_pressed:
            self._spawn(game, self._begin(game))

    async def close(self) -> None:
        """Begin nothing more."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _is_over(self, match_id: MatchId) -> bool:
        match = self._rooms.peek(match_id)
        return match is None or match.phase is Phase.OVER

    def _why_not(self, game: str, match: MatchId, *, is_wanted: bool, featured: MatchId | None) -> str | None:
        """Return why an exhibition is to go on no longer, or None."""
        if featured not in (None, match):
            return PEOPLE_PLAY
        if is_wanted:
            self._unwanted_since_ms.pop(game, None)
            return None
        now_ms = self._now_ms()
        is_idle = now_ms - self._unwanted_since_ms.setdefault(game, now_ms) >= IDLE_MS
        return NOBODY_WATCHED if is_idle else None

    async def _begin(self, game: str) -> None:
        self._played[game] = await self._rooms.open_exhibition(game, line_up(game, self._chance))
        self._unwanted_since_ms.pop(game, None)

    async def _end(self, game: str, match: MatchId, words: str) -> None:
        await (await self._rooms.find(match)).call_off(words)
        self._played.pop(game, None)

    def _spawn(self, game: str, work: Coroutine[None, None, None]) -> None:
        self._tasks[game] = asyncio.create_task(self._run(game, work))

    async def _run(self, game: str, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except Refusal as refusal:
            log.warning("exhibition put off", game=game, error=str(refusal))
        finally:
            del self._tasks[game]
