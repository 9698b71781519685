"""Shared maps: all nodes see the entries of all others, despite network faults."""

import asyncio
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.server.cluster import map_events, shared_map
from millrace.server.cluster.bus import Bus, LocalBus
from millrace.server.cluster.bus_events import NodeGone, NodeJoined, NodeLeaving
from millrace.server.cluster.redis_address import parse_address
from millrace.server.cluster.redis_bus import RedisBus
from millrace.server.cluster.shared_map import SharedMap
from tests.server.cluster.loopback import LoopbackBus, LoopbackNetwork
from tests.server.redis_servers import RedisProcess
from tests.waiting import until

GATHER_SECONDS = 0.001
QUIET_SECONDS = 0.008
"""Longer than the maps gather their changes and than the network delays events."""


class Line(msgspec.Struct, frozen=True):
    """A value of the tests."""

    text: str


class NewerLine(msgspec.Struct, frozen=True):
    """The value of a newer release."""

    text: str
    colour: str


class StrictLine(Line, frozen=True, forbid_unknown_fields=True):
    """A value that is also a part of messages, in which unknown fields are refused."""


class Participant:
    """A node with a map, what it has put there, and what it was told of the others' entries."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.own: dict[str, Line] = {}
        self.mirror: dict[str, tuple[tuple[str, ...], Line | None]] = {}
        """What the map had at a key when `changed` was called with it last."""
        self.calls: list[str] = []
        self.map = SharedMap(bus, "lines", Line, self._changed)

    def put(self, key: str, text: str) -> None:
        self.own[key] = Line(text)
        self.map.put(key, Line(text))

    def remove(self, key: str) -> None:
        self.own.pop(key, None)
        self.map.remove(key)

    def _changed(self, key: str) -> None:
        self.calls.append(key)
        self.mirror[key] = (self.map.nodes_with(key), self.map.elsewhere(key))


def assert_agreement(participants: list[Participant]) -> None:
    """Check that each node sees exactly what the others have put, and was told of it."""
    for each in participants:
        others = [other for other in participants if other is not each]
        expected = {key for other in others for key in other.own}
        assert set(each.map.all_elsewhere()) == expected
        assert len(each.map.all_elsewhere()) == len(expected)
        for key in expected:
            assert set(each.map.nodes_with(key)) == {other.bus.node for other in others if key in other.own}
            assert each.map.elsewhere(key) == each.map.all_elsewhere()[key]
            oldest = next(other for other in others if other.bus.node == each.map.nodes_with(key)[0])
            assert each.map.elsewhere(key) == oldest.own[key]
        told = {key: seen for key, seen in each.mirror.items() if seen[0]}
        assert told == {key: (each.map.nodes_with(key), each.map.elsewhere(key)) for key in expected}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_map, "GATHER_SECONDS", GATHER_SECONDS)


@pytest.fixture
def network() -> LoopbackNetwork:
    return LoopbackNetwork()


async def test_other_nodes_see_a_nodes_changes(network: LoopbackNetwork) -> None:
    first, second, third = (Participant(network.connect(name)) for name in ("first", "second", "third"))
    first.put("a", "one")
    first.put("b", "two")
    second.put("b", "three")
    await network.settle(QUIET_SECONDS)
    assert_agreement([first, second, third])
    assert first.map.elsewhere("a") is None
    assert dict(second.map.all_elsewhere()) == {"a": Line("one"), "b": Line("two")}

    first.put("a", "four")
    first.remove("b")
    await network.settle(QUIET_SECONDS)
    assert_agreement([first, second, third])
    assert second.map.elsewhere("b") is None
    assert third.map.elsewhere("b") == Line("three")


async def test_changes_are_collected_and_equal_values_are_not_sent(network: LoopbackNetwork) -> None:
    first, second = Participant(network.connect()), Participant(network.connect())
    sent = list[map_events.EntriesChanged]()
    second.bus.subscribe(map_events.EntriesChanged, sent.append)
    for number in range(10):
        first.put("a", f"{number}")
        first.put(f"key {number}", "")
    await network.settle(QUIET_SECONDS)
    assert len(sent) == 1
    assert len(sent[0].put) == 11

    first.put("a", "9")
    first.remove("unknown")
    await network.settle(QUIET_SECONDS)
    assert len(sent) == 1


async def test_a_new_node_gets_the_existing_entries_and_many_in_parts(
    network: LoopbackNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_map, "MAX_ENTRIES", 7)
    first = Participant(network.connect())
    for number in range(40):
        first.put(f"{number}", "one")
    await network.settle(QUIET_SECONDS)
    second = Participant(network.connect())
    largest = 0

    def note(event: map_events.EntriesSent) -> None:
        nonlocal largest
        largest = max(largest, len(event.entries))

    second.bus.subscribe(map_events.EntriesSent, note)
    await network.settle(QUIET_SECONDS)
    assert_agreement([first, second])
    assert largest == 7
    for number in range(40):
        first.put(f"{number}", "two")
    await network.settle(QUIET_SECONDS)
    assert_agreement([first, second])


@pytest.mark.parametrize("is_clean", [True, False])
async def test_the_entries_of_a_node_vanish_with_it(network: LoopbackNetwork, is_clean: bool) -> None:
    first, second = Participant(network.connect("first")), Participant(network.connect("second"))
    first.put("a", "one")
    second.put("a", "two")
    await network.settle(QUIET_SECONDS)
    if is_clean:
        first.bus.publish(NodeLeaving("first"))
        first.put("b", "late")
    else:
        second.bus.publish(NodeGone("first", 0))
    await network.settle(QUIET_SECONDS)

    assert dict(second.map.all_elsewhere()) == {}
    assert second.calls == ["a", "a"]


async def test_late_messages_of_a_gone_node_are_ignored(network: LoopbackNetwork) -> None:
    first, second = Participant(network.connect("first")), Participant(network.connect("second"))
    first.put("a", "one")
    await asyncio.sleep(2 * GATHER_SECONDS)
    second.bus.publish(NodeGone("first", 0))
    await network.settle(QUIET_SECONDS)
    assert dict(second.map.all_elsewhere()) == {}


async def test_a_node_considered_gone_is_asked_when_it_is_back(network: LoopbackNetwork) -> None:
    first, second = Participant(network.connect("first")), Participant(network.connect("second"))
    first.put("a", "one")
    await network.settle(QUIET_SECONDS)
    second.bus.publish(NodeGone("first", 0))
    first.put("a", "two")
    await network.settle(QUIET_SECONDS)
    assert second.map.elsewhere("a") is None

    second.bus.publish(NodeJoined("first"))
    await network.settle(QUIET_SECONDS)
    assert_agreement([first, second])


async def test_after_the_bus_is_restored_only_missed_entries_are_sent(network: LoopbackNetwork) -> None:
    nodes = [Participant(network.connect()) for _ in range(3)]
    for each in nodes:
        each.put("a", each.bus.node)
    await network.settle(QUIET_SECONDS)
    answers = list[str]()
    for each in nodes:
        each.bus.subscribe_here(map_events.EntriesSent, lambda event: answers.append(event.node))

    network.heal()
    await network.settle(QUIET_SECONDS)
    assert answers == []

    network.cut(nodes[1].bus)  # type: ignore[arg-type]
    nodes[0].put("b", "missed by the second")
    await asyncio.sleep(3 * GATHER_SECONDS)
    network.restore(nodes[1].bus)  # type: ignore[arg-type]
    await network.settle(QUIET_SECONDS)
    assert answers == [nodes[0].bus.node]
    assert_agreement(nodes)


async def test_maps_with_different_names_are_separate(network: LoopbackNetwork) -> None:
    first, second = Participant(network.connect()), Participant(network.connect())
    other = SharedMap(first.bus, "searches", Line, lambda _: None)
    other.put("a", Line("one"))
    second.put("b", "two")
    await network.settle(QUIET_SECONDS)
    assert_agreement([first, second])
    assert dict(other.all_elsewhere()) == {}


async def test_a_value_of_an_unknown_version_is_ignored(network: LoopbackNetwork) -> None:
    first, second = Participant(network.connect()), Participant(network.connect())
    newer = SharedMap(network.connect("newer"), "lines", int, lambda _: None)
    newer.put("a", 7)
    first.put("b", "two")
    await network.settle(QUIET_SECONDS)
    assert set(second.map.all_elsewhere()) == {"b"}


async def test_a_value_with_a_field_added_by_a_newer_release_is_read(network: LoopbackNetwork) -> None:
    newer = SharedMap(network.connect("newer"), "lines", NewerLine, lambda _: None)
    older = SharedMap(network.connect("older"), "lines", StrictLine, lambda _: None)
    newer.put("a", NewerLine("one", "red"))
    await until(lambda: older.elsewhere("a") == StrictLine("one"))


async def test_a_lone_node_publishes_nothing() -> None:
    class Listened(LocalBus):
        def publish(self, event: object) -> None:
            raise AssertionError(event)

    alone = Participant(Listened())
    alone.put("a", "one")
    alone.remove("a")
    await asyncio.sleep(5 * GATHER_SECONDS)
    assert dict(alone.map.all_elsewhere()) == {}


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put", "remove", "cut", "restore", "crash", "join", "suspect", "wait", "lose"]),
        st.integers(0, 3),
        st.integers(0, 3),
    ),
    max_size=40,
)


@settings(max_examples=60)
@given(steps=STEPS, seed=st.integers(0, 1000))
def test_after_any_faults_all_nodes_agree(steps: list[tuple[str, int, int]], seed: int) -> None:
    asyncio.run(suffer(steps, seed))


async def suffer(steps: list[tuple[str, int, int]], seed: int) -> None:
    """Take steps, each with the numbers of a node and of a key; then let the network heal."""
    network = LoopbackNetwork(random.Random(seed), delay_seconds=0.003)
    nodes = [Participant(network.connect()) for _ in range(3)]
    for number, (step, index, key) in enumerate(steps):
        node = nodes[index % len(nodes)]
        match step:
            case "put":
                node.put(f"{key}", f"{number}")
            case "remove":
                node.remove(f"{key}")
            case "wait":
                await asyncio.sleep(0.002 * key)
            case "join" if len(nodes) < 4:
                nodes.append(Participant(network.connect()))
            case "crash" if len(nodes) > 1:
                crash(node, nodes, network)
            case "suspect":
                for other in nodes:
                    suspect(node, other)
            case _:
                disturb(step, node, network)
        await asyncio.sleep(0)
    network.heal()
    await network.settle(QUIET_SECONDS)
    assert_agreement(nodes)


def crash(node: Participant, nodes: list[Participant], network: LoopbackNetwork) -> None:
    """End a node, which the others notice while its last events are still on their way."""
    assert isinstance(node.bus, LoopbackBus)
    nodes.remove(node)
    network.disconnect(node.bus)
    for other in nodes:
        other.bus.publish(NodeGone(node.bus.node, 0))


def suspect(node: Participant, other: Participant) -> None:
    """Have a node think for a moment that another is gone."""
    if other is not node:
        other.bus.publish(NodeGone(node.bus.node, 0))
        other.bus.publish(NodeJoined(node.bus.node))


def disturb(step: str, node: Participant, network: LoopbackNetwork) -> None:
    """Cut a node off or connect it again, or let the network begin or cease to lose events."""
    assert isinstance(node.bus, LoopbackBus)
    if step == "cut" and node.bus.is_connected:
        network.cut(node.bus)
    elif step == "restore" and not node.bus.is_connected:
        network.restore(node.bus)
    elif step == "lose":
        network.loss = 0.4 - network.loss


@pytest.mark.redis
async def test_nodes_agree_over_redis_even_if_it_dies_or_freezes() -> None:
    with RedisProcess() as server:
        buses = [RedisBus(parse_address(server.url)) for _ in range(3)]
        nodes = [Participant(bus) for bus in buses]
        tasks = [asyncio.create_task(bus.run()) for bus in buses]
        faults = ((None, None), (server.kill, server.start), (server.pause, server.resume))
        for number, (break_off, go_on) in enumerate(faults):
            for each in nodes:
                each.put(f"own {each.bus.node}", f"{number}")
                each.put("common", f"{number}")
            if break_off is not None:
                break_off()
                await until(lambda: not any(bus.is_connected for bus in buses))
            for each in nodes:
                each.put("meanwhile", f"{number} {each.bus.node}")
                each.remove(f"own {each.bus.node}")
            if go_on is not None:
                go_on()
            await until(lambda: agrees(nodes))
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def agrees(nodes: list[Participant]) -> bool:
    try:
        assert_agreement(nodes)
    except AssertionError:
        return False
    return True
