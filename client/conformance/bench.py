"""The test bench for a bot: challenges it, plays at random against it, and reports its faults."""

import asyncio
import random
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from millrace.protocol import ChallengeRules, ClockSettings, Code, MatchId, OnlineBot, SeatPlan

from ..connection import Connection
from ..errors import RefusedError
from ..match_commands import ME, OPEN
from ..match_feed import MatchFeed, MyTurn
from .proxy import RecordingProxy

T = TypeVar("T")

FAULTS = (Code.BAD_MOVE, Code.ILLEGAL_MOVE, Code.REPETITION_REFUSED, Code.NOT_YOUR_SEAT)
"""Refusals that only a faulty bot gets. Others can result from moves sent at the same time."""

Pick = Callable[[MyTurn], str]
"""Chooses the opponent's move."""


class FaultError(Exception):
    """A fault of the bot. The message is for its author."""


class SkippedError(Exception):
    """The scenario cannot be run with this bot. The message says why."""


@dataclass
class Bench:
    """A bot under test, with its server, proxy and opponent."""

    address: str
    """The server's address."""
    me: Connection
    """The opponent's connection."""
    proxy: RecordingProxy
    bot: OnlineBot
    patience_s: float
    """Time that the bot has for each answer."""
    process: Process | None = None
    """The bot's program, if the run started it."""
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    begun: list[MatchId] = field(default_factory=list)
    """The matches of the running scenario."""

    @property
    def rules(self) -> ChallengeRules:
        """The challenges that the bot accepts."""
        return self.bot.rules

    @property
    def name(self) -> str:
        """The bot's name."""
        return self.bot.player.name

    def clock(self, initial_ms: int = 60_000) -> ClockSettings | None:
        """Return a clock that the bot accepts, close to `initial_ms`; None if it accepts none."""
        rules = self.rules
        if rules.least_initial_ms > rules.most_initial_ms or rules.most_initial_ms < 1_000:
            return None
        bounded_ms = min(max(initial_ms, rules.least_initial_ms, 1_000), rules.most_initial_ms)
        return ClockSettings(bounded_ms, rules.least_increment_ms)

    async def wait(self, what: Awaitable[T], fault: str, times: float = 1) -> T:
        """Wait until the bot does something, at most `times` its usual time. Raises: FaultError."""
        try:
            async with asyncio.timeout(self.patience_s * times):
                return await what
        except TimeoutError:
            raise FaultError(f"{fault}{self._why()}") from None

    async def online(self, times: float = 1) -> OnlineBot:
        """Wait until the bot accepts challenges. Raises: FaultError."""

        async def listed() -> OnlineBot:
            async for bots in self.me.lobby.online_bots():
                for line in bots:
                    if line.player.id == self.bot.player.id:
                        return line
            raise AssertionError("the list never ends")

        return await self.wait(listed(), "It did not say which challenges it accepts", times)

    async def begin(
        self,
        game: str,
        bot_seat: int = 1,
        *,
        clock: ClockSettings | None = None,
        setup: str = "",
        me: Connection | None = None,
        others: Sequence[SeatPlan] = (),
    ) -> MatchFeed:
        """Challenge the bot to a match, and return its feed once it has begun.

        It is for two, or also for the seats of `others`, which come last. Raises: FaultError.
        """
        await self.online(times=2)
        me = me or self.me
        if clock is None and not self.rules.untimed:
            clock = self.clock()
        seats = (*((ME, OPEN) if bot_seat == 1 else (OPEN, ME)), *others)
        rated = not self.rules.casual
        made = await me.challenge(self.name, game, seats, setup=setup, clock=clock, shuffle=False, rated=rated)
        self.begun.append(made.match)
        feed = me.watch(made.match)
        await self.wait(
            until(feed, lambda: feed.view.to_move is not None), "It did not accept a challenge that its own rules allow"
        )
        if feed.view.result is not None:
            raise FaultError("It declined a challenge that its own rules allow.")
        return feed

    async def play(self, feed: MatchFeed, plies: int, pick: Pick | None = None) -> None:
        """Play until the match has `plies` plies, or is over. Raises: FaultError."""
        played_seq = 0
        while len(feed.view.moves) < plies and feed.view.result is None:
            if feed.turn is not None and feed.turn.seq > played_seq:
                played_seq = feed.turn.seq
                await feed.turn.play((pick or self._at_random)(feed.turn))
            late = f"It did not move at ply {len(feed.view.moves) + 1} of a match of {_game_of(feed)}"
            await self.wait(_next_ply(feed, len(feed.view.moves), played_seq), late)
        self.look_for_faults(feed)

    def look_for_faults(self, feed: MatchFeed) -> None:
        """Raise FaultError if the bot has done anything wrong so far."""
        for refused in self.proxy.refused:
            if refused.code in FAULTS:
                raise FaultError(f"It played {refused.move!r}, which is not a legal move: {refused.message}")
        result = feed.view.result
        if result is None or result.seat is None or result.seat in feed.my_seats:
            return
        if result.reason in ("time", "no_show", "absence"):
            raise FaultError(f"It lost a match of {_game_of(feed)} on time: {result.explanation}.")
        if result.reason in ("resignation", "aborted"):
            raise FaultError(f"It gave up a match of {_game_of(feed)} at ply {len(feed.view.moves)}.")

    async def clear(self) -> None:
        """End the matches of the scenario, and forget the recorded refusals."""
        self.proxy.refused.clear()
        for match in self.begun:
            for seat in (0, 1):
                for give_up in (self.me.abort, self.me.resign):
                    with suppress(RefusedError):
                        await give_up(match, seat)
        self.begun.clear()

    def _at_random(self, turn: MyTurn) -> str:
        return self.chance.choice(turn.moves)

    def _why(self) -> str:
        """Return the probable reason why the bot does not answer, as the end of a sentence."""
        for refused in self.proxy.refused:
            if refused.code in FAULTS:
                return f"; it tried {refused.move!r}, which is not a legal move: {refused.message}"
        if self.process is not None and self.process.returncode is not None:
            return f": its program ended with exit code {self.process.returncode}."
        if not self.proxy.is_connected:
            rejection = (
                f" by the server: {self.proxy.rejection}" if self.proxy.rejection else ", and it did not reconnect"
            )
            return f": its connection was closed{rejection}."
        return f" within {self.patience_s:g} s, although it is connected."


async def until(feed: MatchFeed, holds: Callable[[], bool]) -> None:
    """Read the feed until a condition holds, or the match is over."""
    updates = feed.updates()
    while not holds() and feed.view.result is None:
        await anext(updates)


async def _next_ply(feed: MatchFeed, ply: int, played_seq: int) -> None:
    """Read the feed until there is another ply, or the opponent's turn comes again."""
    await until(
        feed,
        lambda: len(feed.view.moves) != ply or (feed.turn is not None and feed.turn.seq > played_seq),
    )


def _game_of(feed: MatchFeed) -> str:
    return "" if feed.view.created is None else feed.view.created.game
