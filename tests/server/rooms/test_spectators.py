"""A crowd is told in slices, everybody everything once and in order, whoever comes and goes meanwhile."""

import asyncio
from collections.abc import Sequence

from millrace.server.protocol import IdentityId
from millrace.server.protocol.frames import WireFrame, wire_frame
from millrace.server.rooms.audience import MAX_UPDATE_SECONDS, update_seconds
from millrace.server.rooms.spectators import SLICE, Spectators


class Ear:
    """Somebody who notes what is told."""

    def __init__(self, name: str = "eve") -> None:
        self.identity = IdentityId(name)
        self.heard: list[WireFrame] = []

    def deliver(self, frames: Sequence[WireFrame]) -> None:
        self.heard += frames

    deliver_now = deliver


FRAMES = [wire_frame(str(number).encode()) for number in range(10)]


def crowd_of(ears: Sequence[Ear]) -> Spectators:
    crowd = Spectators()
    for ear in ears:
        crowd.add(ear)
    return crowd


async def turns_until_all_have(ears: Sequence[Ear], frames: Sequence[WireFrame]) -> int:
    """Let the event loop turn until all have heard just that, and return how often it has turned."""
    turns = 0
    while any(ear.heard != list(frames) for ear in ears):
        await asyncio.sleep(0)
        turns += 1
    return turns


async def test_a_small_crowd_is_told_as_soon_as_the_players_have_had_their_turn() -> None:
    ears = [Ear() for _ in range(SLICE - 1)]
    crowd_of(ears).send(FRAMES[:2])
    await asyncio.sleep(0)
    assert not any(ear.heard for ear in ears)
    assert await turns_until_all_have(ears, FRAMES[:2]) == 1


async def test_a_large_crowd_is_told_in_slices_between_which_others_have_their_turn() -> None:
    ears = [Ear() for _ in range(5 * SLICE)]
    crowd_of(ears).send(FRAMES[:1])
    for turn in range(3):
        await asyncio.sleep(0)
        assert sum(bool(ear.heard) for ear in ears) == turn * SLICE
    assert await turns_until_all_have(ears, FRAMES[:1]) == 3


async def test_what_is_told_while_slices_go_round_reaches_everybody_in_order_and_once() -> None:
    ears = [Ear() for _ in range(3 * SLICE)]
    crowd = crowd_of(ears)
    for frame in FRAMES:
        crowd.send([frame])
        await asyncio.sleep(0)
    await turns_until_all_have(ears, FRAMES)


async def test_who_comes_while_slices_go_round_is_told_only_what_follows() -> None:
    ears, late = [Ear() for _ in range(3 * SLICE)], Ear()
    crowd = crowd_of(ears)
    crowd.send(FRAMES[:1])
    crowd.add(late)
    crowd.send(FRAMES[1:2])
    await turns_until_all_have(ears, FRAMES[:2])
    await turns_until_all_have([late], FRAMES[1:2])


async def test_who_goes_while_slices_go_round_is_told_nothing_more() -> None:
    ears = [Ear() for _ in range(3 * SLICE)]
    crowd = crowd_of(ears)
    crowd.send(FRAMES[:1])
    crowd.remove(ears[-1])
    await turns_until_all_have(ears[:-1], FRAMES[:1])
    assert ears[-1].heard == []
    assert len(crowd) == len(ears) - 1


async def test_who_takes_a_seat_while_slices_go_round_has_all_that_was_told() -> None:
    ears, ann = [Ear() for _ in range(3 * SLICE)], Ear("ann")
    crowd = crowd_of([*ears, ann])
    crowd.send(FRAMES[:2])
    assert crowd.take_out(ann.identity) == (ann,)
    assert ann.heard == FRAMES[:2]
    await turns_until_all_have(ears, FRAMES[:2])
    assert ann.heard == FRAMES[:2]


def test_a_larger_crowd_is_told_its_number_more_seldom() -> None:
    intervals = [update_seconds(crowd) for crowd in (1, 50, 100, 500, 1_000, 100_000)]
    assert intervals == sorted(intervals)
    assert intervals[0] == intervals[1] < intervals[2]
    assert intervals[-1] == MAX_UPDATE_SECONDS
