"""The bots at one match: they are asked for a ply when it is their turn, and answer when a draw is offered to them.

Whoever thinks about what has passed, because the match ended, rests, or has gone another way, ceases at once; and the
strongest bot thinks in the opponent's time.

What they think is `server.bots.pool`'s business; what is stored and told is the room's, which is handed what they
decide.
"""

import asyncio
import zlib
from collections.abc import Callable, Coroutine

import structlog

from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.time_management import Budget, plan_time

from ..bots.requests import BotRequest, Bots, Urgency
from ..matches.automatic_events import and_what_follows
from ..matches.match import Match, level_of_bot
from ..matches.offers import answer_of_bot, bot_to_answer
from ..matches.referee import decide_ply
from ..protocol import Event
from ..system_clock import NowMs
from .background_tasks import Happen

log = structlog.get_logger()

RETRY_SECONDS = 1
"""After a failure a bot is asked again so much later."""

JUDGING_LEVEL = 6
"""Errs seldom and costs little. By what a bot of this level sees, a bot of any level answers the offer of a draw."""

MOVETIME_MS = 1_000
"""No bot thinks longer, whatever its clock has left."""

EXHIBITION_PLY_SECONDS = 1.7
"""A ply of an exhibition comes no sooner, so that one can follow it."""


class BotSeats:
    """The bots at one match."""

    def __init__(self, bots: Bots, now_ms: NowMs, match: Callable[[], Match], happen: Happen) -> None:
        self._bots = bots
        self._now_ms = now_ms
        self._match = match
        self._happen = happen
        self._is_closed = False
        self._ply: _Thinking | None = None
        self._pondering: _Thinking | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a bot thinks about its ply."""
        return self._ply is not None

    def ask(self) -> None:
        """Ask the bot whose turn it is, unless it is asked already; whoever thinks about what has passed ceases."""
        match = self._match()
        for thinking in (self._ply, self._pondering):
            if thinking is not None and not thinking.is_about(match):
                thinking.cease()
        if match.mover is None or self._is_closed:
            return
        if match.mover.level is None:
            self._ponder(match)
        elif self._ply is None:
            self._ply = _Thinking(match)
            self._ply.begin(self._play(self._ply, level_of_bot(match.mover)), self._has_played)

    async def answer(self) -> None:
        """Let a bot answer the draw that is offered to it, if one is, by the worth of the position."""
        asked = self._match()
        seat = bot_to_answer(asked)
        if seat is None:
            return
        value = await self._bots.evaluate(_request(asked, seat, JUDGING_LEVEL, Urgency.ANALYSIS))

        def decide_answer(match: Match, now_ms: int) -> list[Event]:
            if bot_to_answer(match) != seat or match.state is not asked.state:
                return []
            return and_what_follows(match, [answer_of_bot(match, seat, value)], now_ms)

        await self._happen(decide_answer)

    async def close(self) -> None:
        """Ask nobody any more."""
        self._is_closed = True
        tasks = [thinking.end() for thinking in (self._ply, self._pondering) if thinking is not None]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, thinking: "_Thinking", level: int | str) -> None:
        asked = thinking.match
        seat = asked.state.seat
        budget = _budget_of(asked, self._now_ms())
        urgency = Urgency.MOVE if asked.people else Urgency.EXHIBITION
        asked_at = asyncio.get_running_loop().time()
        move = await self._bots.choose(_request(asked, seat, level, urgency, budget))
        if asked.created.exhibition:
            thought_seconds = asyncio.get_running_loop().time() - asked_at
            await asyncio.sleep(EXHIBITION_PLY_SECONDS - thought_seconds)
        thinking.has_answer = True

        def decide_move(match: Match, now_ms: int) -> list[Event]:
            return decide_ply(match, seat, move, now_ms) if thinking.is_about(match) else []

        await self._happen(decide_move)

    def _has_played(self, task: asyncio.Task[None]) -> None:
        self._ply = None
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("bot ply failed", match=self._match().id, exc_info=error)
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.ask)
            return
        self.ask()

    def _ponder(self, match: Match) -> None:
        """Let the strongest bot think while a person is to move, where there are two seats."""
        seat = 1 - match.state.seat
        bot = match.players[seat] if len(match.players) == 2 else None
        if self._pondering is None and bot is not None and bot.level == STRONGEST_LEVEL:
            self._pondering = _Thinking(match)
            request = _request(match, seat, STRONGEST_LEVEL, Urgency.PONDERING)
            self._pondering.begin(self._bots.ponder(request), self._has_pondered)

    def _has_pondered(self, task: asyncio.Task[None]) -> None:
        pondered, self._pondering = self._pondering, None
        if not task.cancelled() and task.exception() is not None:
            log.warning("bot pondering failed", match=self._match().id, error=repr(task.exception()))
        if pondered is not None and not pondered.is_about(self._match()):
            self.ask()


class _Thinking:
    """A bot's thinking about the match as it stood when it was asked."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.has_answer = False
        """Whether there is nothing left to think: what was decided is being stored."""
        self._task: asyncio.Task[None] | None = None

    def is_about(self, match: Match) -> bool:
        """Return whether a match still waits for the same player's move in the same position."""
        return match.state is self.match.state and match.mover == self.match.mover

    def begin(self, think: Coroutine[None, None, None], has_ended: Callable[[asyncio.Task[None]], None]) -> None:
        """Begin to think, and tell when it has ended."""
        self._task = asyncio.create_task(think)
        self._task.add_done_callback(has_ended)

    def cease(self) -> None:
        """Think no more, unless there is an answer already."""
        if self._task is not None and not self.has_answer:
            self._task.cancel()

    def end(self) -> "asyncio.Task[None]":
        """Have it end, whatever it does, and return what ends."""
        assert self._task is not None
        self._task.cancel()
        return self._task


def _request(match: Match, seat: int, level: int | str, urgency: Urgency, budget: Budget | None = None) -> BotRequest:
    return BotRequest(
        game=match.created.game,
        setup=match.created.setup,
        moves=match.state.move_texts,
        level=level,
        seed=zlib.crc32(f"{match.id} {match.state.ply}".encode()),
        movetime_ms=None if budget is None else max(1.0, min(budget.hard_ms, MOVETIME_MS)),
        soft_ms=None if budget is None else budget.soft_ms,
        last_ms=None if budget is None else budget.last_ms,
        urgency=urgency,
        owner=min(match.people, default=match.id),
        table=f"{match.id} {seat}",
    )


def _budget_of(match: Match, now_ms: int) -> Budget | None:
    """Return what the clock of the seat to move allows, or None if no clock runs for it."""
    clock = match.clock
    if clock is None or match.departure_of(match.state.seat) is not None:
        return None
    left_ms = clock.left_ms(now_ms)[match.state.seat]
    free_ms = max(0, clock.since_ms - now_ms) if clock.running is not None else 0
    return plan_time(left_ms, clock.settings.increment_ms, free_ms, plies_to_go=1 if clock.settings.renews else None)
