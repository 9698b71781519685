"""The players of a run. They keep playing through faults, and report to a witness what they have seen."""

import asyncio
import itertools
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from millrace.client import ME, OPEN, ClockSettings, Connection, MatchFeed, MatchId, RefusedError, bot, connect
from millrace.protocol import Code, Ended, MatchEvent
from tests.chaos.witness import Wait, Witness

GAMES = ("mingmang", "morris")
THINKING_S = (0.02, 0.2)
"""Least and most time for a ply."""
LONG = ClockSettings(3_600_000, 1_000)
SHORT = ClockSettings(4_000, 200)
"""For matches that end on time."""
MOST_TURNS = 30
"""Turns of a player before resigning."""
TRANSIENT = {Code.UNAVAILABLE, Code.TOO_BUSY, Code.TOO_MANY}
"""Refusals after which a command is tried again."""

RETRY_S = 0.2
LAST_SEARCH_S = 10.0

T = TypeVar("T")


def short_delays() -> Iterator[float]:
    """Return pauses between attempts to connect again."""
    return itertools.repeat(0.2)


@contextmanager
def suppress_over() -> Iterator[None]:
    """Ignore a refusal of a command because the match has ended meanwhile."""
    try:
        yield
    except RefusedError as refusal:
        if refusal.code is not Code.MATCH_OVER:
            raise


class Players:
    """People who play at one address until told to stop; then each finishes their match."""

    def __init__(
        self,
        address: str,
        seed: int,
        witness: Witness,
        clocks: Sequence[ClockSettings] = (LONG, LONG, SHORT),
        thinking_s: tuple[float, float] = THINKING_S,
    ) -> None:
        self._address = address
        self._clocks = itertools.cycle(clocks)
        self._thinking_s = thinking_s
        self._chance = random.Random(seed)
        self._witness = witness
        self.is_enough = asyncio.Event()

    async def pair(self, tokens: Sequence[str], is_rated: bool) -> None:
        """Let two players play one match after another, with a spectator; a rated match follows a challenge."""
        async with (
            connect(self._address, token=tokens[0], delays_s=short_delays) as ann,
            connect(self._address, token=tokens[1], delays_s=short_delays) as ben,
            connect(self._address, delays_s=short_delays) as spectator,
        ):
            while not self.is_enough.is_set():
                clock = next(self._clocks)
                match = await (self._challenge if is_rated else self._open)(ann, ben, clock)
                self._witness.between_people.add(match)
                await asyncio.gather(
                    self._play(ann, match, clock), self._play(ben, match, clock), self._watch(spectator, match)
                )

    async def bot_player(self) -> None:
        """Play bots one match after another."""
        async with connect(self._address, delays_s=short_delays) as ann:
            while not self.is_enough.is_set():
                await self._play(ann, await self._against_bot(ann), LONG)

    async def pairing_player(self) -> None:
        """Search for quick pairings one after another."""
        async with connect(self._address, delays_s=short_delays) as guest:
            while not self.is_enough.is_set():
                search = asyncio.create_task(self._insist("", lambda: guest.lobby.find_match("mingmang", clock=LONG)))
                enough = asyncio.create_task(self.is_enough.wait())
                await asyncio.wait((search, enough), return_when=asyncio.FIRST_COMPLETED)
                enough.cancel()
                if not search.done():
                    # The others may have stopped searching: it may lead to a match, or not.
                    await asyncio.wait((search,), timeout=LAST_SEARCH_S)
                    search.cancel()
                    await asyncio.wait((search,))
                if search.cancelled():
                    self._witness.cancelled_searches.add(guest.player.id)
                    return
                match = search.result()
                self._witness.paired[guest.player.id].append(match)
                self._witness.between_people.add(match)
                await self._play(guest, match, LONG, most_turns=self._chance.randrange(1, 6))

    async def _against_bot(self, player: Connection) -> MatchId:
        game = self._chance.choice(GAMES)
        return (await self._insist("a new match", lambda: player.create(game, [ME, bot(1)], clock=LONG))).match

    async def _open(self, ann: Connection, ben: Connection, clock: ClockSettings) -> MatchId:
        game = self._chance.choice(GAMES)
        match = (await self._insist("a new match", lambda: ann.create(game, [ME, OPEN], clock=clock))).match
        await self._insist("joining", lambda: ben.join(match))
        return match

    async def _challenge(self, ann: Connection, ben: Connection, clock: ClockSettings) -> MatchId:
        game = self._chance.choice(GAMES)
        name = ben.player.name
        match = (await self._insist("a new match", lambda: ann.challenge(name, game, clock=clock, rated=True))).match
        await self._insist("joining", lambda: ben.join(match))
        self._witness.accepted_challenges[ann.player.id].append(match)
        return match

    async def _play(
        self, player: Connection, match: MatchId, clock: ClockSettings, most_turns: int = MOST_TURNS
    ) -> None:
        """Play a player's turns at random to the end of a match; after a while resign, or let the time run out."""
        events, turns, answered_seq = list[MatchEvent](), 0, -1
        while True:
            feed = player.watch(match, len(events))
            try:
                async for update in feed.updates():
                    if isinstance(update, MatchEvent):
                        events.append(update)
                        self._witness.see(match, update.seq)
                        if isinstance(update.event, Ended):
                            feed.close()
                            self._witness.seen[match].append(events)
                            return
                    turn = feed.open_turn
                    if turn is None or turn.seq == answered_seq:
                        continue
                    answered_seq = turn.seq
                    turns += 1
                    await asyncio.sleep(self._chance.uniform(*self._thinking_s))
                    if turns > most_turns or self.is_enough.is_set():
                        if clock is SHORT and turns > 2:
                            continue  # the flag falls
                        await self._resign(player, match, turn.seat)
                    else:
                        await self._move(player, feed, turn.seat, self._chance.choice(turn.moves))
            except RefusedError as refusal:
                self._note_transient(refusal)
                await asyncio.sleep(RETRY_S)
                answered_seq = -1

    async def _move(self, player: Connection, feed: MatchFeed, seat: int, move: str) -> None:
        with suppress_over():
            accepted = await self._insist("a ply", lambda: player.play(feed.match, seat, move))
            self._witness.acknowledge(feed.match, accepted.seq)

    async def _resign(self, player: Connection, match: MatchId, seat: int) -> None:
        with suppress_over():
            await self._insist("resigning", lambda: player.resign(match, seat))

    async def _watch(self, spectator: Connection, match: MatchId) -> None:
        events = list[MatchEvent]()
        while True:
            try:
                async for event in spectator.watch(match, len(events)):
                    events.append(event)
                    self._witness.see(match, event.seq)
                spectator.watch(match, len(events)).close()
                self._witness.seen[match].append(events)
                return
            except RefusedError as refusal:
                self._note_transient(refusal)
                await asyncio.sleep(RETRY_S)

    async def _insist(self, what: str, command: Callable[[], Awaitable[T]]) -> T:
        """Send a command until it is accepted, or refused for another reason than a fault.

        `what` names the wait; a wait without a name is not noted.

        Raises: RefusedError.
        """
        began_s = time.monotonic()
        while True:
            try:
                accepted = await command()
                if what:
                    self._witness.waits.append(Wait(what, began_s, time.monotonic()))
                return accepted
            except RefusedError as refusal:
                self._note_transient(refusal)
                await asyncio.sleep(RETRY_S)

    def _note_transient(self, refusal: RefusedError) -> None:
        """Note a refusal by a fault. Raises: RefusedError if it is another one."""
        if refusal.code not in TRANSIENT:
            raise refusal
        self._witness.refusals[refusal.code] += 1
