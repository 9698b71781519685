"""The opponent of a bot that is checked: it challenges, plays at random, and says what the bot does wrong."""

import asyncio
import random
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from millrace.server.protocol import ChallengeRules, ClockSettings, Code, MatchId, OnlineBot, SeatPlan

from ..connection import Connection
from ..errors import RefusedError
from ..match_commands import ME, OPEN
from ..match_feed import MatchFeed, MyTurn
from .proxy import RecordingProxy

T = TypeVar("T")

FAULTS = (Code.BAD_MOVE, Code.ILLEGAL_MOVE, Code.REPETITION_REFUSED, Code.NOT_YOUR_SEAT)
"""Refusals of a ply that only a faulty bot gets; others come of plies that cross."""

Pick = Callable[[MyTurn], str]
"""Chooses a move of the opponent's."""


class FaultError(Exception):
    """Something that the bot does wrong; the text says what, for its author."""


class SkippedError(Exception):
    """A situation that cannot be brought about; the text says why."""


@dataclass
class Bench:
    """A bot that is checked, and what stands around it."""

    address: str
    """Of the server."""
    me: Connection
    relay: RecordingProxy
    bot: OnlineBot
    patience_s: float
    """A bot that has not answered after so long is late."""
    process: Process | None = None
    """The bot's program, if the run has started it."""
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    begun: list[MatchId] = field(default_factory=list)
    """Matches that this situation has made."""

    @property
    def rules(self) -> ChallengeRules:
        """What the bot has declared."""
        return self.bot.rules

    @property
    def name(self) -> str:
        """The bot's name."""
        return self.bot.player.name

    def clock(self, initial_ms: int = 60_000) -> ClockSettings | None:
        """Return a clock that the bot takes, of about so much time; None if it takes none."""
        rules = self.rules
        if rules.least_initial_ms > rules.most_initial_ms or rules.most_initial_ms < 1_000:
            return None
        bounded_ms = min(max(initial_ms, rules.least_initial_ms, 1_000), rules.most_initial_ms)
        return ClockSettings(bounded_ms, rules.least_increment_ms)

    async def wait(self, what: Awaitable[T], fault: str, times: float = 1) -> T:
        """Wait for something that the bot has to do, so many times as long as its patience is. Raises: FaultError."""
        try:
            async with asyncio.timeout(self.patience_s * times):
                return await what
        except TimeoutError:
            raise FaultError(f"{fault}{self._why()}") from None

    async def online(self, times: float = 1) -> OnlineBot:
        """Wait until the bot takes challenges. Raises: FaultError."""

        async def listed() -> OnlineBot:
            async for bots in self.me.lobby.online_bots():
                for line in bots:
                    if line.player.id == self.bot.player.id:
                        return line
            raise AssertionError("the list has no end")

        return await self.wait(listed(), "It did not say which challenges it takes", times)

    async def begin(
        self,
        game: str,
        bot_seat: int = 1,
        *,
        clock: ClockSettings | None = None,
        setup: str = "",
        me: Connection | None = None,
    ) -> MatchFeed:
        """Challenge the bot to a match for two, and return its feed once it has begun. Raises: FaultError."""
        await self.online(times=2)
        me = me or self.me
        if clock is None and not self.rules.untimed:
            clock = self.clock()
        seats: Sequence[SeatPlan] = (ME, OPEN) if bot_seat == 1 else (OPEN, ME)
        rated = not self.rules.casual
        made = await me.challenge(self.name, game, seats, setup=setup, clock=clock, shuffle=False, rated=rated)
        self.begun.append(made.match)
        feed = me.watch(made.match)
        await self.wait(
            until(feed, lambda: feed.view.to_move is not None), "It did not take a challenge that it allows"
        )
        if feed.view.result is not None:
            raise FaultError("It declined a challenge that its own rules allow.")
        return feed

    async def play(self, feed: MatchFeed, plies: int, pick: Pick | None = None) -> None:
        """Play until so many plies are made, or until the match is over. Raises: FaultError."""
        played_seq = 0
        while len(feed.view.moves) < plies and feed.view.result is None:
            if feed.turn is not None and feed.turn.seq > played_seq:
                played_seq = feed.turn.seq
                await feed.turn.play((pick or self._at_random)(feed.turn))
            late = f"It made no move at ply {len(feed.view.moves) + 1} of a match of {_game_of(feed)}"
            await self.wait(_news(feed, len(feed.view.moves), played_seq), late)
        self.look_for_faults(feed)

    def look_for_faults(self, feed: MatchFeed) -> None:
        """Find what the bot has done wrong so far. Raises: FaultError."""
        for refused in self.relay.refused:
            if refused.code in FAULTS:
                raise FaultError(f"It played {refused.move!r}, which is not allowed: {refused.message}")
        result = feed.view.result
        if result is None or result.seat is None or result.seat in feed.my_seats:
            return
        if result.reason in ("time", "no_show", "absence"):
            raise FaultError(f"It lost a match of {_game_of(feed)} by its clock: {result.explanation}.")
        if result.reason in ("resignation", "aborted"):
            raise FaultError(f"It gave up a match of {_game_of(feed)} at ply {len(feed.view.moves)}.")

    async def clear(self) -> None:
        """Give up whatever the situation has left, and forget what it has shown."""
        self.relay.refused.clear()
        for match in self.begun:
            for seat in (0, 1):
                for give_up in (self.me.abort, self.me.resign):
                    with suppress(RefusedError):
                        await give_up(match, seat)
        self.begun.clear()

    def _at_random(self, turn: MyTurn) -> str:
        return self.chance.choice(turn.moves)

    def _why(self) -> str:
        """Return what may be the reason that the bot does not answer, as the end of a sentence."""
        for refused in self.relay.refused:
            if refused.code in FAULTS:
                return f"; it tried {refused.move!r}, which is not allowed: {refused.message}"
        if self.process is not None and self.process.returncode is not None:
            return f": its program has ended with exit code {self.process.returncode}."
        if not self.relay.is_connected:
            rejection = (
                f" by the server: {self.relay.rejection}" if self.relay.rejection else ", and it has not come back"
            )
            return f": its connection was closed{rejection}."
        return f" within {self.patience_s:g} s, though it is connected: it answers late, or never."


async def until(feed: MatchFeed, holds: Callable[[], bool]) -> None:
    """Read the feed until something holds, or the match is over."""
    updates = feed.updates()
    while not holds() and feed.view.result is None:
        await anext(updates)


async def _news(feed: MatchFeed, ply: int, played_seq: int) -> None:
    """Read the feed until there is another ply, or until it is the opponent's turn anew."""
    await until(
        feed,
        lambda: len(feed.view.moves) != ply or (feed.turn is not None and feed.turn.seq > played_seq),
    )


def _game_of(feed: MatchFeed) -> str:
    return "" if feed.view.created is None else feed.view.created.game
