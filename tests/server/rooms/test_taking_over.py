"""The matches that a node loads when another has stopped."""

import asyncio
from typing import Any

import pytest

from millrace.protocol import MatchId
from millrace.server.rooms import other_nodes
from tests.server.node_cluster import Cluster
from tests.serving import PATIENCE_S

SEATS = ({"occupant": "me"}, {"occupant": "me"})


async def test_a_match_that_cannot_be_loaded_holds_up_none_of_a_stopped_node(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other_nodes, "AT_ONCE", 2)
    ann = await cluster.first.visitor()
    for number in range(5):
        assert (await ann.ask("create", id=f"c{number}", game="morris", seats=SEATS))["type"] == "accepted"
    second = cluster.nodes["second"].started
    broken, *others = await second.stores.journal.unfinished()
    assert len(others) == 4
    load = second.stores.journal.load

    async def load_others(match: MatchId, since: int = 0) -> Any:
        return () if match == broken else await load(match, since)

    monkeypatch.setattr(second.stores.journal, "load", load_others)
    await cluster.stop("first")
    async with asyncio.timeout(PATIENCE_S):
        while any(second.application.rooms.loaded.get(match) is None for match in others):
            await cluster.network.settle(0.01)
    assert second.application.rooms.loaded.get(broken) is None
