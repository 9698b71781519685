"""The players of a soak: they play at random, against each other and bots, watch, chat and reconnect."""

import asyncio
import random
from contextlib import suppress

from millrace.client import (
    ME,
    OPEN,
    ClientError,
    ClockSettings,
    Connection,
    MatchFeed,
    MatchId,
    RefusedError,
    bot,
    connect,
)
from millrace.protocol import Code

GAMES = ("morris", "mingmang", "battlesheep")
THINKING_SECONDS = 0.05
MATCHES_FOR_A_CONNECTION = 5
PLIES_WITH_A_BOT = 12
MOST_TURNS = 60
"""Turns of a player before resigning: random play may go on for thousands."""


class Crowd:
    """Pairs of players, and spectators of what they play."""

    def __init__(self, address: str, seed: int) -> None:
        self._address = address
        self._chance = random.Random(seed)
        self._live: list[MatchId] = []
        self._is_played = asyncio.Event()
        """Set while there are live matches."""
        self.plies = 0
        self.matches = 0
        self.acknowledged: dict[MatchId, list[tuple[int, int]]] = {}
        """Of each match, the number of the event and the seat of each ply that the server has acknowledged."""

    async def pair(self) -> None:
        """Play match after match; connect anew after some of them."""
        while True:
            async with connect(self._address) as ann, connect(self._address) as ben:
                for number in range(MATCHES_FOR_A_CONNECTION):
                    await self._play(ann, ben, greeting=number == 0)
                    await self._play_bot(ann)

    async def spectator(self) -> None:
        """Watch one match after the other, some of them only for a moment."""
        while True:
            async with connect(self._address) as eve:
                for _ in range(MATCHES_FOR_A_CONNECTION):
                    await self._is_played.wait()
                    await self._watch(eve, self._chance.choice(self._live))

    async def _play(self, ann: Connection, ben: Connection, *, greeting: bool) -> None:
        """Play a match. Only the first of a connection has a greeting: guests may say little."""
        clock = self._chance.choice((None, ClockSettings(300_000, 1_000)))
        match = (await ann.create(self._chance.choice(GAMES), [ME, OPEN], clock=clock)).match
        await ben.join(match)
        self._live.append(match)
        self._is_played.set()
        async with ann.watch(match) as anns, ben.watch(match) as bens:
            if greeting:
                await ann.chat.say(match, f"Have a good game, the {self.matches}th!")
            await asyncio.gather(self._take_seat(ann, anns), self._take_seat(ben, bens))
        self._live.remove(match)
        if not self._live:
            self._is_played.clear()
        self.matches += 1

    async def _play_bot(self, ann: Connection) -> None:
        match = (await ann.create("morris", [ME, bot(1)])).match
        async with ann.watch(match) as feed:
            for _ in range(PLIES_WITH_A_BOT):
                if not await self._move(feed):
                    return
        with suppress(RefusedError):
            await ann.resign(match, 0)

    async def _take_seat(self, player: Connection, feed: MatchFeed) -> None:
        for _ in range(MOST_TURNS):
            await asyncio.sleep(THINKING_SECONDS)
            if not await self._move(feed):
                return
        with suppress(RefusedError):
            await player.resign(feed.match, feed.my_seats[0])

    async def _move(self, feed: MatchFeed) -> bool:
        turn = await feed.my_turn()
        if turn is None:
            return False
        try:
            accepted = await turn.play(self._chance.choice(turn.moves))
        except RefusedError as refusal:
            if refusal.code is not Code.MATCH_OVER:
                raise
            return False  # The opponent has just resigned.
        self.plies += 1
        self.acknowledged.setdefault(feed.match, []).append((accepted.seq, turn.seat))
        return True

    async def _watch(self, eve: Connection, match: MatchId) -> None:
        with suppress(ClientError, TimeoutError):
            async with asyncio.timeout(self._chance.random() * 20), eve.watch(match) as feed:
                async for _ in feed.updates():
                    pass
