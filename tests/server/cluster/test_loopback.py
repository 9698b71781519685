"""The network of buses for tests, and its promises to them."""

import random

import pytest

from millrace.protocol import IdentityId, MatchId
from millrace.server.cluster.bus import Bus
from millrace.server.cluster.bus_events import BusInterrupted, BusRestored
from millrace.server.cluster.events import BlocksChanged, PlyMade, SharedEvent
from tests.server.cluster.loopback import LoopbackNetwork


class TopicNews(SharedEvent, frozen=True):
    subject: str
    number: int

    @property
    def topic(self) -> str:
        return self.subject


def numbers_at(bus: Bus) -> list[int]:
    """Return a list that grows by the numbers of the news that arrive."""
    numbers: list[int] = []
    bus.subscribe(TopicNews, lambda event: numbers.append(event.number))
    return numbers


async def test_shared_events_reach_every_node_and_others_stay() -> None:
    network = LoopbackNetwork()
    buses = [network.connect() for _ in range(3)]
    seen = [list[object]() for _ in buses]
    here = [list[object]() for _ in buses]
    for bus, events, events_here in zip(buses, seen, here, strict=True):
        for kind in (BlocksChanged, PlyMade):
            bus.subscribe(kind, events.append)
            bus.subscribe_here(kind, events_here.append)
    blocks, ply = BlocksChanged(IdentityId("a"), IdentityId("b")), PlyMade(MatchId("m"))

    buses[1].publish(blocks)
    buses[1].publish(ply)
    await network.settle()

    assert seen == [[blocks], [blocks, ply], [blocks]]
    assert here == [[], [blocks, ply], []]


async def test_events_of_a_topic_reach_only_its_followers() -> None:
    network = LoopbackNetwork()
    sender, follower, other = (network.connect(node) for node in ("sender", "follower", "other"))
    followed, others = numbers_at(follower), numbers_at(other)

    await follower.follow("match")
    sender.publish(TopicNews("match", 1))
    sender.publish(TopicNews("other", 2))
    await network.settle()
    follower.unfollow("match")
    sender.publish(TopicNews("match", 3))
    await network.settle()

    assert (followed, others) == ([1], [2])


@pytest.mark.parametrize("seed", range(5))
async def test_each_senders_events_arrive_in_order_and_those_of_several_do_not(seed: int) -> None:
    network = LoopbackNetwork(random.Random(seed), delay_seconds=0.005)
    first, second, receiver = (network.connect() for _ in range(3))
    numbers = numbers_at(receiver)
    for number in range(50):
        (first if number % 2 else second).publish(TopicNews("", number))
    await network.settle()

    assert [number for number in numbers if number % 2] == list(range(1, 50, 2))
    assert [number for number in numbers if not number % 2] == list(range(0, 50, 2))
    assert numbers != sorted(numbers)


async def test_a_disconnected_node_learns_that_it_missed_events() -> None:
    network = LoopbackNetwork()
    sender, receiver = network.connect(), network.connect()
    numbers, told = numbers_at(receiver), list[object]()
    receiver.subscribe(BusInterrupted, told.append)
    receiver.subscribe(BusRestored, told.append)

    sender.publish(TopicNews("", 1))  # lost on its way
    network.cut(receiver)
    sender.publish(TopicNews("", 2))
    network.restore(receiver)
    sender.publish(TopicNews("", 3))
    await network.settle()

    assert (numbers, told) == ([3], [BusInterrupted(), BusRestored()])


async def test_the_others_learn_that_a_node_could_not_send() -> None:
    network = LoopbackNetwork()
    sender, receiver = network.connect(), network.connect()
    told = list[object]()
    receiver.subscribe(BusRestored, told.append)

    network.cut(sender)
    network.restore(sender)
    assert told == []
    network.cut(sender)
    sender.publish(TopicNews("", 1))
    network.restore(sender)

    assert told == [BusRestored()]


async def test_a_lossy_network_loses_some_events_until_it_is_healed() -> None:
    network = LoopbackNetwork(random.Random(1), loss=0.5)
    sender, receiver = network.connect(), network.connect()
    numbers = numbers_at(receiver)
    for number in range(40):
        sender.publish(TopicNews("", number))
    await network.settle()
    assert 0 < len(numbers) < 40

    network.heal()
    numbers.clear()
    for number in range(40):
        sender.publish(TopicNews("", number))
    await network.settle()
    assert numbers == list(range(40))
