"""Spectators are served in slices: each gets every frame once and in order, while others come and go."""

import asyncio
from collections.abc import Sequence

from millrace.protocol import IdentityId
from millrace.protocol.frames import WireFrame, wire_frame
from millrace.server.rooms.sending import MAX_UPDATE_SECONDS, update_seconds
from millrace.server.rooms.spectator_sending import SLICE, Spectators


class Spectator:
    """A spectator that records the frames it gets."""

    def __init__(self, name: str = "eve") -> None:
        self.identity = IdentityId(name)
        self.received: list[WireFrame] = []

    def deliver(self, frames: Sequence[WireFrame]) -> None:
        self.received += frames

    deliver_now = deliver


FRAMES = [wire_frame(str(number).encode()) for number in range(10)]


def audience_of(spectators: Sequence[Spectator]) -> Spectators:
    audience = Spectators()
    for spectator in spectators:
        audience.add(spectator)
    return audience


async def turns_until_all_have(spectators: Sequence[Spectator], frames: Sequence[WireFrame]) -> int:
    """Return how many turns of the event loop it takes until all have exactly these frames."""
    turns = 0
    while any(spectator.received != list(frames) for spectator in spectators):
        await asyncio.sleep(0)
        turns += 1
    return turns


async def test_few_spectators_are_served_right_after_the_players() -> None:
    spectators = [Spectator() for _ in range(SLICE - 1)]
    audience_of(spectators).send(FRAMES[:2])
    await asyncio.sleep(0)
    assert not any(spectator.received for spectator in spectators)
    assert await turns_until_all_have(spectators, FRAMES[:2]) == 1


async def test_many_spectators_are_served_in_slices() -> None:
    spectators = [Spectator() for _ in range(5 * SLICE)]
    audience_of(spectators).send(FRAMES[:1])
    for turn in range(3):
        await asyncio.sleep(0)
        assert sum(bool(spectator.received) for spectator in spectators) == turn * SLICE
    assert await turns_until_all_have(spectators, FRAMES[:1]) == 3


async def test_frames_sent_during_a_round_reach_every_spectator_once_and_in_order() -> None:
    spectators = [Spectator() for _ in range(3 * SLICE)]
    audience = audience_of(spectators)
    for frame in FRAMES:
        audience.send([frame])
        await asyncio.sleep(0)
    await turns_until_all_have(spectators, FRAMES)


async def test_a_spectator_who_comes_during_a_round_gets_only_later_frames() -> None:
    spectators, late = [Spectator() for _ in range(3 * SLICE)], Spectator()
    audience = audience_of(spectators)
    audience.send(FRAMES[:1])
    audience.add(late)
    audience.send(FRAMES[1:2])
    await turns_until_all_have(spectators, FRAMES[:2])
    await turns_until_all_have([late], FRAMES[1:2])


async def test_a_spectator_who_goes_during_a_round_gets_nothing_more() -> None:
    spectators = [Spectator() for _ in range(3 * SLICE)]
    audience = audience_of(spectators)
    audience.send(FRAMES[:1])
    audience.remove(spectators[-1])
    await turns_until_all_have(spectators[:-1], FRAMES[:1])
    assert spectators[-1].received == []
    assert len(audience) == len(spectators) - 1


async def test_a_spectator_who_takes_a_seat_during_a_round_gets_all_earlier_frames() -> None:
    spectators, ann = [Spectator() for _ in range(3 * SLICE)], Spectator("ann")
    audience = audience_of([*spectators, ann])
    audience.send(FRAMES[:2])
    assert audience.take_out(ann.identity) == (ann,)
    assert ann.received == FRAMES[:2]
    await turns_until_all_have(spectators, FRAMES[:2])
    assert ann.received == FRAMES[:2]


def test_more_spectators_get_updates_more_rarely() -> None:
    intervals = [update_seconds(audience) for audience in (1, 50, 100, 500, 1_000, 100_000)]
    assert intervals == sorted(intervals)
    assert intervals[0] == intervals[1] < intervals[2]
    assert intervals[-1] == MAX_UPDATE_SECONDS
