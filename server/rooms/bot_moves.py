"""Bots' moves in one match: a bot is asked when its turn begins, and its move is applied when it returns.

A search whose position is no longer on the board stops at once. The strongest bot also thinks during its opponent's
turn. Searching is `server.bots.pool`; storing a move and sending it is the room.
"""

import asyncio
import zlib
from collections.abc import Callable, Coroutine

import structlog

from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.time_management import Budget, plan_time
from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ..bots.requests import BotRequest, Bots, Urgency
from ..matches.built_in_bots import level_of_bot
from ..matches.match import Match
from ..matches.referee import Decision, decide_ply
from ..runtime.cancellation import cancel_and_wait
from ..runtime.system_clock import NowMs
from .background_tasks import ApplyDecision
from .event_log import EventLog
from .match_presence import MatchPresence

log = structlog.get_logger()

RETRY_SECONDS = 1
"""The pause after a failure, before a bot is asked again or its move is stored."""

MOVETIME_MS = 1_000
"""Maximum time for a move, whatever the clock has left."""

EXHIBITION_PLY_SECONDS = 1.7
"""Minimum time for a ply of an exhibition, so that spectators can follow it."""

PACE_SHARE_OF_CLOCK = 1 / 60
"""At most this share of the bot's remaining time is spent on keeping the pace."""


class BotMoves:
    """Asks the bots of one match for their moves."""

    def __init__(
        self,
        bots: Bots,
        now_ms: NowMs,
        log: EventLog,
        apply: ApplyDecision,
        presence: MatchPresence,
        stood_still: Callable[[], None],
        is_asked_here: Callable[[], bool],
        pace_seconds: float,
    ) -> None:
        self._bots = bots
        self._now_ms = now_ms
        self._log = log
        self._apply = apply
        self._presence = presence
        self._stood_still = stood_still
        """Called when the match stands still after a bot's move."""
        self._is_asked_here = is_asked_here
        """Returns whether this node asks the bots of the match."""
        self._pace_seconds = pace_seconds
        self.is_suspended = False
        """Whether no bot is asked because only bots play and nobody watches."""
        self._is_closed = False
        self._move: _Search | None = None
        self._pondering: _Search | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a bot is searching for a move."""
        return self._move is not None

    def update(self) -> None:
        """Stop searches that are out of date, and ask the bot whose turn it is, unless that has been done.

        In a match between bots none is asked while nobody watches.
        """
        match = self._log.match
        is_asked_here = self._is_asked_here()
        for search in (self._move, self._pondering):
            if search is not None and not (is_asked_here and search.is_current(match)):
                search.stop()
        if match.mover is None or self._is_closed or not is_asked_here:
            self.is_suspended = False
            return
        if match.mover.level is None:
            self._ponder(match)
        elif self._move is None and not self._suspend(match):
            self._move = _Search(match)
            self._move.begin(self._play(self._move, level_of_bot(match.mover)), self._move_returned)

    def _suspend(self, match: Match) -> bool:
        """Find out whether bots would play for nobody, and return it."""
        self.is_suspended = match.needs_spectators and not self._presence.identities
        return self.is_suspended

    async def close(self) -> None:
        """Stop all searches, and ask no more."""
        self._is_closed = True
        await cancel_and_wait([search.task for search in (self._move, self._pondering) if search is not None])

    async def _play(self, search: "_Search", level: int | str) -> None:
        asked = search.match
        seat = asked.state.seat
        budget = _budget_of(asked, self._now_ms())
        urgency = Urgency.EXHIBITION if asked.is_between_bots else Urgency.MOVE
        asked_at = asyncio.get_running_loop().time()
        move = await self._bots.choose(bot_request(asked, seat, level, urgency, budget))
        search_seconds = asyncio.get_running_loop().time() - asked_at
        await asyncio.sleep(self._ply_seconds(asked) - search_seconds)
        search.has_returned = True

        def decide_move(match: Match, now_ms: int) -> Decision:
            return decide_ply(match, seat, move, now_ms) if search.is_current(match) else Decision([])

        await self._apply_when_possible(decide_move)

    def _ply_seconds(self, match: Match) -> float:
        """Return the minimum time for a ply, so that moves do not overlap on the board.

        There is none where only programs are at the match: bots with accounts lose no time.
        """
        if match.created.exhibition:
            return EXHIBITION_PLY_SECONDS
        programs = {player.id for player in match.players if player is not None and player.bot}
        if programs.issuperset(self._presence.identities) or match.departure_of(match.state.seat) is not None:
            return 0
        clock = match.clock
        if clock is None:
            return self._pace_seconds
        left_ms = clock.time_to_spend_ms(match.state.seat, self._now_ms())
        return min(self._pace_seconds, left_ms * PACE_SHARE_OF_CLOCK / 1000)

    async def _apply_when_possible(self, decide: Callable[[Match, int], Decision]) -> None:
        """Apply a decision, again after a while if it cannot be stored: the bot need not search again."""
        while True:
            try:
                await self._apply(decide)
                return
            except Refusal as refusal:
                if refusal.code is not Code.UNAVAILABLE:
                    raise
            await asyncio.sleep(RETRY_SECONDS)

    def _move_returned(self, task: asyncio.Task[None]) -> None:
        self._move = None
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("bot move failed", match=self._log.match.id, exc_info=error)
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.update)
            return
        self.update()
        if self.is_suspended:
            self._stood_still()

    def _ponder(self, match: Match) -> None:
        """Have the strongest bot think during its opponent's turn, with two seats."""
        seat = 1 - match.state.seat
        bot = match.players[seat] if len(match.players) == 2 else None
        if self._pondering is None and bot is not None and bot.level == STRONGEST_LEVEL:
            self._pondering = _Search(match)
            request = bot_request(match, seat, STRONGEST_LEVEL, Urgency.PONDERING)
            self._pondering.begin(self._bots.ponder(request), self._pondering_ended)

    def _pondering_ended(self, task: asyncio.Task[None]) -> None:
        pondered, self._pondering = self._pondering, None
        if not task.cancelled() and task.exception() is not None:
            log.warning("bot pondering failed", match=self._log.match.id, error=repr(task.exception()))
        if pondered is not None and not pondered.is_current(self._log.match):
            self.update()


class _Search:
    """A bot's search in the match as it stood when the bot was asked."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.has_returned = False
        """Whether the move has come back and is being stored."""
        self._task: asyncio.Task[None] | None = None

    @property
    def task(self) -> "asyncio.Task[None]":
        """What searches, once it has begun."""
        assert self._task is not None
        return self._task

    def is_current(self, match: Match) -> bool:
        """Return whether the match still waits for the same player's move in the same position."""
        return match.state is self.match.state and match.mover == self.match.mover

    def begin(self, search: Coroutine[None, None, None], ended: Callable[[asyncio.Task[None]], None]) -> None:
        """Begin to search, and call `ended` when that is over."""
        self._task = asyncio.create_task(search)
        self._task.add_done_callback(ended)

    def stop(self) -> None:
        """Stop searching, unless the move has come back already."""
        if self._task is not None and not self.has_returned:
            self._task.cancel()


def bot_request(
    match: Match, seat: int, level: int | str, urgency: Urgency, budget: Budget | None = None
) -> BotRequest:
    """Return the request that asks a bot about the position of a match."""
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
    """Return the time for the move of the seat to move, or None if no clock runs for it."""
    clock = match.clock
    if clock is None or match.departure_of(match.state.seat) is not None:
        return None
    settings, left_ms = clock.settings, clock.time_to_spend_ms(match.state.seat, now_ms)
    free_ms = max(0, clock.since_ms - now_ms) if clock.running is not None else 0
    gained_ms = settings.increment_ms or settings.period_ms
    return plan_time(left_ms, gained_ms, free_ms, plies_to_go=1 if settings.renews else None)
