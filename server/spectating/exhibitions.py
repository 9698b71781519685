"""Exhibitions: bots play each other for viewers of a channel that has nothing else to feature.

There is at most one per game, at a pace that viewers can follow (`server.rooms.bot_moves`). It begins only while no
player waits for a bot. It is called off when nobody has watched for a while, or when people play. It is stored like
any other match.
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
from .exhibition_pairs import RandomBelow, choose_bots

log = structlog.get_logger()

IDLE_MS = 20_000
"""How long an exhibition continues without viewers."""

NOBODY_WATCHED = "nobody watches the exhibition anymore"
PEOPLE_PLAY = "the exhibition makes way for a match between people"


class Exhibitions:
    """The exhibitions of this process."""

    def __init__(self, rooms: Rooms, bots: Bots, now_ms: NowMs, random_below: RandomBelow) -> None:
        self._rooms = rooms
        self._bots = bots
        self._now_ms = now_ms
        self._random_below = random_below
        self._played: dict[str, MatchId] = {}
        self._unwanted_since_ms: dict[str, int] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """What is being started or called off, by game."""

    @property
    def are_on(self) -> bool:
        """Whether any exhibition is being played, started or called off."""
        return bool(self._played or self._tasks)

    def update(self, game: str, *, is_wanted: bool, featured: MatchId | None) -> None:
        """Start or call off the exhibition of a game, depending on its viewers and on what is featured."""
        if game in self._tasks:
            return
        match = self._played.get(game)
        if match is not None and self._is_over(match):
            del self._played[game]
        elif match is not None:
            explanation = self._why_ended(game, match, is_wanted=is_wanted, featured=featured)
            if explanation is not None:
                self._spawn(game, self._end(game, match, explanation))
        elif is_wanted and featured is None and self._bots.is_ready and not self._bots.is_busy:
            self._spawn(game, self._begin(game))

    async def close(self) -> None:
        """Start no more exhibitions."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

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

    async def _begin(self, game: str) -> None:
        self._played[game] = await self._rooms.open_exhibition(game, choose_bots(game, self._random_below))
        self._unwanted_since_ms.pop(game, None)

    async def _end(self, game: str, match: MatchId, explanation: str) -> None:
        await (await self._rooms.find(match)).call_off(explanation)
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
