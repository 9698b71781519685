"""A node with more connections than others sends some of them there, between two moves of their players."""

import asyncio
from itertools import islice

import pytest

from millrace.server.web import balancing
from tests.server.in_process_server import Served, Visitor
from tests.server.node_cluster import Cluster
from tests.serving import PATIENCE_S

VISITORS = 24


@pytest.fixture(autouse=True)
def quick_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps follow each other at once, and the smallest differences count."""
    monkeypatch.setattr(balancing, "STEP_SECONDS", 0.01)
    monkeypatch.setattr(balancing, "OLD_SECONDS", 0)
    monkeypatch.setattr(balancing, "FEW", 0)


async def follow(visitor: Visitor, other: Served) -> Visitor:
    """Wait until a visitor is sent to another node; return the visitor there."""
    await visitor.connection.wait_closed()
    assert visitor.connection.close_code == 1012
    return await other.visitor(visitor.token)


async def test_connections_spread_over_the_nodes_but_a_player_to_move_stays(cluster: Cluster) -> None:
    async with asyncio.timeout(PATIENCE_S):
        # She has connected first, and would be sent away first.
        ann = await cluster.first.visitor()
        match = (await ann.ask("create", id="create", game="morris", seats=[{"occupant": "me"}] * 2))["match"]
        others = [await cluster.first.visitor() for _ in range(VISITORS - 1)]
        following = [asyncio.create_task(follow(each, cluster.second)) for each in others]
        for arriving in islice(asyncio.as_completed(following), VISITORS // 2 - 2):
            await (await arriving).ping()
        assert (await ann.ask("play", match=match, seat=0, move="d6"))["type"] == "accepted"
        for task in following:
            task.cancel()
