"""The bots at one match: they are asked for a ply when it is their turn, and answer when a draw is offered to them.

What they think is `server.bots.pool`'s business; what is stored and told is the room's, which is handed what they
decide. Imported by `server.rooms.room`.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable

import structlog

from server.bots.pool import BotRequest, Bots
from server.matches.agreements import answer_of_bot, bot_to_answer
from server.matches.consequences import and_what_follows
from server.matches.match import Match
from server.matches.referee import decide_ply
from server.protocol import Event
from server.timekeeper import NowMs

log = structlog.get_logger()

RETRY_SECONDS = 1
"""After a failure a bot is asked again so much later."""

JUDGING_LEVEL = 5
"""By what a bot of this level sees, a bot of any level answers the offer of a draw."""

MOVETIME_MS = 1_000
"""No bot thinks longer, whatever its clock has left."""

Happen = Callable[[Callable[[Match, int], list[Event]]], Awaitable[None]]
"""Have a room decide something of its match as it stands then, at a time in milliseconds, and store and tell it."""


class BotSeats:
    """The bots at one match."""

    def __init__(self, bots: Bots, now_ms: NowMs, match: Callable[[], Match], happen: Happen) -> None:
        self._bots = bots
        self._now_ms = now_ms
        self._match = match
        self._happen = happen
        self._is_closed = False
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a bot thinks about its ply."""
        return self._task is not None

    def ask(self) -> None:
        """Ask the bot whose turn it is, unless it is asked already."""
        match = self._match()
        if match.mover is None or match.mover.level is None or self._is_closed or self._task is not None:
            return
        self._task = asyncio.create_task(self._play(match, match.state.seat, match.mover.level))
        self._task.add_done_callback(self._has_played)

    async def answer(self) -> None:
        """Let a bot answer the draw that is offered to it, if one is, by the worth of the position."""
        asked = self._match()
        seat = bot_to_answer(asked)
        if seat is None:
            return
        value = await self._bots.evaluate(_request(asked, JUDGING_LEVEL, None))

        def decide_answer(match: Match, now_ms: int) -> list[Event]:
            if bot_to_answer(match) != seat or match.state is not asked.state:
                return []
            return and_what_follows(match, [answer_of_bot(match, seat, value)], now_ms)

        await self._happen(decide_answer)

    async def close(self) -> None:
        """Ask nobody any more."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _play(self, asked: Match, seat: int, level: int) -> None:
        movetime_ms = _movetime_ms(asked, self._now_ms())
        move = await self._bots.choose(_request(asked, level, movetime_ms))

        def decide_move(match: Match, now_ms: int) -> list[Event]:
            is_awaited = match.state is asked.state and match.mover is not None and match.mover.level is not None
            return decide_ply(match, seat, move, now_ms) if is_awaited else []

        await self._happen(decide_move)

    def _has_played(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            log.error("bot ply failed", match=self._match().id, exc_info=error)
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.ask)
            return
        self.ask()


def _request(match: Match, level: int, movetime_ms: int | None) -> BotRequest:
    return BotRequest(
        game=match.created.game,
        setup=match.created.setup,
        moves=match.state.move_texts,
        level=level,
        seed=zlib.crc32(f"{match.id} {match.state.ply}".encode()),
        movetime_ms=movetime_ms,
    )


def _movetime_ms(match: Match, now_ms: int) -> int | None:
    """Return the most that a bot may think: a thirtieth of what its clock has left, and most of its increment."""
    if match.clock is None or match.departure_of(match.state.seat) is not None:
        return None
    left_ms = match.clock.left_ms(now_ms)[match.state.seat]
    share_ms = min(left_ms // 2, left_ms // 30 + match.clock.settings.increment_ms * 4 // 5)
    return max(10, min(MOVETIME_MS, share_ms))
