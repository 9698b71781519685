"""Players, a spectator and a bot who play while servers come and go, and what they must finally have seen."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from millrace.client import ME, OPEN, Connection, bot, connect
from millrace.protocol import ClockSettings, Ended, Event, MatchEvent, MatchId, Moved, SeatPlan, Termination
from tests.serving import PATIENCE_S

GAME = "mingmang"
"""Its matches last long with random moves."""
HOUR = ClockSettings(3_600_000)
UNDISTURBED = {Termination.RESIGNATION, Termination.REPETITION, Termination.QUIET_LIMIT}
"""How a match may end, beside what the rules of its game define."""


class Seen(NamedTuple):
    """What someone at a match has seen."""

    events: Sequence[MatchEvent]
    """From the first to the end of the match."""
    acknowledged: frozenset[int] = frozenset()
    """The numbers of their own plies that were acknowledged."""


async def play_on_during(address: str, disturb: Callable[[], Awaitable[None]]) -> list[Sequence[Event]]:
    """Play matches at an address while something is done to its servers; return the matches.

    People play people, and a bot. Checks that in every match everyone has seen every event once, that the plies of
    people are those that were acknowledged, and that the match has ended by its rules or by a player who resigned.
    """
    is_enough, connected = asyncio.Event(), asyncio.Barrier(3)
    async with asyncio.timeout(PATIENCE_S):
        playing = [
            asyncio.create_task(_play_matches(address, seats, connected, is_enough))
            for seats in ([ME, OPEN], [ME, bot(1)])
        ]
        try:
            await connected.wait()
            await disturb()
        finally:
            is_enough.set()
            matches = await asyncio.gather(*playing)
    return [match for each in matches for match in each]


async def _play_matches(
    address: str, seats: list[SeatPlan], connected: asyncio.Barrier, is_enough: asyncio.Event
) -> list[Sequence[Event]]:
    """Play one match after the other until it is enough."""
    matches: list[Sequence[Event]] = []
    async with connect(address) as ann, connect(address) as ben, connect(address) as spectator:
        await connected.wait()
        players = [ann, ben] if OPEN in seats else [ann]
        while not is_enough.is_set():
            match = (await ann.create(GAME, seats, clock=HOUR)).match
            if ben in players:
                await ben.join(match)
            seen = await asyncio.gather(
                *(_play(player, match, is_enough) for player in players), _watch(spectator, match)
            )
            matches.append(_checked(seen))
    return matches


def _checked(seen: Sequence[Seen]) -> Sequence[Event]:
    """Check what everyone at a match has seen, and return its events."""
    events = [each.event for each in seen[0].events]
    for each in seen:
        assert [event.seq for event in each.events] == list(range(1, len(events) + 1))
        assert [event.event for event in each.events] == events
    plies = {seq for seq, event in enumerate(events, 1) if isinstance(event, Moved) and not event.forced}
    acknowledged = frozenset[int]().union(*(each.acknowledged for each in seen))
    if len(seen) > 2:
        assert plies == acknowledged, "without a bot, every ply is a player's"
    assert acknowledged <= plies
    assert isinstance(events[-1], Ended)
    assert events[-1].reason in UNDISTURBED or events[-1].reason not in set(Termination)
    return events


async def _play(player: Connection, match: MatchId, is_enough: asyncio.Event) -> Seen:
    """Play a player's turns at random to the end of a match; resign when it is enough."""
    feed = player.watch(match)
    events, acknowledged, answered_seq = list[MatchEvent](), set[int](), 0
    async for update in feed.updates():
        if isinstance(update, MatchEvent):
            events.append(update)
        if feed.view.result is not None:
            break
        turn = feed.open_turn
        if turn is not None and turn.seq != answered_seq:
            answered_seq = turn.seq
            if is_enough.is_set():
                await player.resign(match, turn.seat)
            else:
                acknowledged.add((await turn.play(random.choice(turn.moves))).seq)
    return Seen(events, frozenset(acknowledged))


async def _watch(spectator: Connection, match: MatchId) -> Seen:
    return Seen([event async for event in spectator.watch(match)])
