"""Several nodes: which are alive, who owns what, and who notices when one dies, freezes or leaves."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import asyncpg
import pytest

from millrace.server.cluster import cluster_node
from millrace.server.cluster.bus_events import (
    NodeCutOff,
    NodeGone,
    NodeJoined,
    NodeLeaving,
    NodeReturned,
    NodeSilent,
    NodeWasAway,
)
from millrace.server.cluster.cluster_node import BEAT_SECONDS, GONE_SECONDS, ClusterNode
from millrace.server.runtime.cancellation import cancel_and_wait
from millrace.server.storage.errors import StorageError
from tests.proxies import FaultyProxy, Way
from tests.server.cluster.loopback import LoopbackBus, LoopbackNetwork
from tests.server.cluster.nodes_in_process import TestedNode, joined
from tests.waiting import until

pytestmark = pytest.mark.postgres

MATCHES = [f"match-{number}" for number in range(60)]


async def make_older(admin: asyncpg.Connection, node: TestedNode, seconds: float) -> int:
    """Make a node's last heartbeat older; return its previous time."""
    statement = "UPDATE nodes SET beat_ms = beat_ms - $2 WHERE id = $1 RETURNING beat_ms"
    beat_ms: int = await admin.fetchval(statement, node.id, int(seconds * 1000))
    return beat_ms


async def test_nodes_know_each_other_and_agree_on_owners(postgres_url: str) -> None:
    async with joined(postgres_url, 0, 5_000, 86_400) as nodes:
        assert all(node.membership.members == {each.id for each in nodes} for node in nodes)
        for match in MATCHES:
            assert sum(node.membership.owns(match) for node in nodes) == 1
            assert len({node.membership.owner_of(match) for node in nodes}) == 1


async def test_a_joining_node_is_announced(postgres_url: str) -> None:
    async with joined(postgres_url, 0) as (first,):
        second = TestedNode(postgres_url, 0)
        await second.membership.join()
        assert second.news() == [NodeJoined(first.id)]
        assert await first.beat() == [NodeJoined(second.id)]
        assert await first.beat() == []
        await second.store.close()


async def test_the_keys_of_a_dead_node_are_redistributed(postgres_url: str, admin: asyncpg.Connection) -> None:
    async with joined(postgres_url, 0, 0, 0) as (first, second, dead):
        await first.beat_steadily()
        await second.beat_steadily()
        beat_ms = await make_older(admin, dead, GONE_SECONDS)
        before = {match: first.membership.owner_of(match) for match in MATCHES}
        assert await first.beat() == await second.beat() == [NodeGone(dead.id, beat_ms)]
        assert first.membership.members == {first.id, second.id}
        for match in MATCHES:
            assert first.membership.owns(match) != second.membership.owns(match)
            assert before[match] in (dead.id, first.membership.owner_of(match))


async def test_a_suspended_node_owns_nothing_until_it_is_back(postgres_url: str) -> None:
    async with joined(postgres_url, 0, 0) as (node, other):
        (mine, *_) = (match for match in MATCHES if node.membership.owns(match))
        node.now_s += GONE_SECONDS
        assert not node.membership.owns(mine)
        assert await node.beat() == [NodeWasAway()]
        assert node.membership.owns(mine)
        assert await other.beat() == []


async def test_a_node_considered_gone_can_return(postgres_url: str, admin: asyncpg.Connection) -> None:
    async with joined(postgres_url, 0, 0) as (node, other):
        await node.beat_steadily()
        await make_older(admin, other, GONE_SECONDS)
        assert [type(event) for event in await node.beat()] == [NodeGone]
        assert await other.beat(GONE_SECONDS) == [NodeWasAway()]
        assert await node.beat() == [NodeJoined(other.id)]


async def test_a_pause_of_the_database_removes_no_node(postgres_url: str, admin: asyncpg.Connection) -> None:
    async with joined(postgres_url, 0, 0) as (node, other):
        await node.beat_steadily()
        await make_older(admin, other, GONE_SECONDS)
        assert await node.beat(GONE_SECONDS) == [NodeWasAway()], "all signs of life are old"
        assert await node.beat_steadily(GONE_SECONDS - BEAT_SECONDS) == []
        assert node.membership.members == {node.id, other.id}
        assert [type(event) for event in await node.beat()] == [NodeGone], "this one is still old"


async def test_a_node_that_leaves_is_replaced_at_once(postgres_url: str) -> None:
    async with joined(postgres_url, 0, 0, 0) as (node, told, untold):
        await node.membership.leave()
        assert not any(node.membership.owns(match) for match in MATCHES)
        assert node.news() == [NodeLeaving(node.id)]
        told.bus.deliver_from_elsewhere(NodeLeaving(node.id))
        event, _ = told.news()
        assert isinstance(event, NodeGone)
        assert event.node == node.id
        (found,) = await untold.beat()
        assert isinstance(found, NodeGone)
        assert found.node == node.id, "the database says so too"
        assert await told.beat() == []


async def test_nodes_gone_for_an_hour_are_forgotten(postgres_url: str, admin: asyncpg.Connection) -> None:
    async with joined(postgres_url, 0, 0) as (old, recent):
        await make_older(admin, old, 3_601)
        await make_older(admin, recent, 3_599)
        async with joined(postgres_url, 0) as (node,):
            rows = await admin.fetch("SELECT id FROM nodes")
            assert {row["id"] for row in rows} == {recent.id, node.id}
            assert node.membership.members == {node.id}


async def test_a_node_continues_when_the_database_answers_again(postgres_url: str) -> None:
    with FaultyProxy(postgres_url) as proxy:
        node = TestedNode(proxy.url, 0)
        await node.membership.join()
        proxy.break_off()
        with pytest.raises(StorageError):
            await node.membership.beat()
        proxy.is_broken.clear()
        assert await node.beat() == []
        await node.store.close()


async def test_a_silent_database_is_not_waited_for(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyProxy(postgres_url) as proxy:
        node = TestedNode(proxy.url, 0)
        await node.membership.join()
        monkeypatch.setattr("millrace.server.cluster.node_store.SILENT_SECONDS", 0.2)
        proxy.silent = Way.BOTH
        with pytest.raises(StorageError):
            await node.membership.beat()
        proxy.silent = None
        await node.store.close()


async def test_a_running_node_notices_another_come_and_leave(postgres_url: str) -> None:
    async with joined(postgres_url, 0) as (node,):
        came, went = asyncio.Event(), asyncio.Event()
        node.bus.subscribe(NodeJoined, lambda _: came.set())
        node.bus.subscribe(NodeGone, lambda _: went.set())
        running = asyncio.create_task(node.membership.run())
        async with asyncio.timeout(60):
            other = TestedNode(postgres_url, 0)
            await other.membership.join()
            await came.wait()
            await other.membership.leave()
            await went.wait()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence is noticed at once, and nodes are back soon."""
    for name, value in (
        ("TICK_SECONDS", 0.02),
        ("SILENT_TICKS", 30),
        ("LONELY_TICKS", 40),
        ("FRESH_TICKS", 1_000),
        ("GONE_SECONDS", 0.8),
    ):
        monkeypatch.setattr(cluster_node, name, value)


class RunningNode(TestedNode):
    """A node with a real clock, and what it said of its own connection to the database."""

    def __init__(self, url: str, bus: LoopbackBus) -> None:
        super().__init__(url, 0, bus=bus)
        self.bus: LoopbackBus = bus
        self.membership = ClusterNode(bus, self.store)
        self.states: list[type] = []
        for kind in (NodeCutOff, NodeReturned):
            bus.subscribe(kind, lambda event: self.states.append(type(event)))


@asynccontextmanager
async def running(network: LoopbackNetwork, *urls: str) -> AsyncIterator[list[RunningNode]]:
    """Give nodes that reach each other over a network and the database at their addresses."""
    nodes = [RunningNode(url, bus=network.connect()) for url in urls]
    for node in nodes:
        await node.membership.join()
    tasks = [asyncio.create_task(node.membership.run()) for node in nodes]
    await until(lambda: all(len(node.membership.members) == len(nodes) for node in nodes))
    yield nodes
    await cancel_and_wait(tasks)
    for node in nodes:
        await node.store.close()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("is_deaf", [False, True], ids=["told by others", "heard by nobody"])
async def test_a_node_that_the_database_does_not_answer_is_replaced_until_it_does(
    postgres_url: str, is_deaf: bool
) -> None:
    network = LoopbackNetwork()
    with FaultyProxy(postgres_url) as proxy:
        async with running(network, proxy.url, postgres_url) as (lost, other):
            if is_deaf:
                network.cut(lost.bus)
            proxy.silent = Way.BACK
            await until(lambda: lost.states == [NodeCutOff] and other.membership.members == {other.id})
            assert not any(lost.membership.owns(match) for match in MATCHES)
            assert all(other.membership.owns(match) for match in MATCHES)
            proxy.break_off()
            proxy.silent = None
            proxy.is_broken.clear()
            await until(lambda: lost.states == [NodeCutOff, NodeReturned] and lost.id in other.membership.members)
            await until(lambda: any(lost.membership.owns(match) for match in MATCHES))
            await until(lambda: other.bus.deaf == (frozenset({lost.id}) if is_deaf else frozenset()))


@pytest.mark.usefixtures("quick")
async def test_nobody_is_cut_off_from_a_database_that_answers_nobody(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_node, "FRESH_TICKS", 25)
    network = LoopbackNetwork()
    with FaultyProxy(postgres_url) as proxy:
        async with running(network, proxy.url, proxy.url) as nodes:
            asked = Counter[str]()
            for node in nodes:
                node.bus.subscribe_elsewhere(NodeSilent, lambda event: asked.update([event.node]))
            proxy.silent = Way.BOTH
            await until(lambda: len(asked) == len(nodes) and min(asked.values()) >= 5)
            assert [node.states for node in nodes] == [[], []]
            proxy.break_off()
