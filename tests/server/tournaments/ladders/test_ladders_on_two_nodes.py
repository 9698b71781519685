"""A ladder on two nodes: both decide, each result counts once, and another node counts what killed ones have missed."""

import asyncio

import pytest

from millrace.server.tournaments.ladders.ladder_runner import LadderRunner
from tests.server.in_process_server import Visitor
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register
from tests.server.tournaments.ladders.served_ladders import challenge, join, names_become, nothing, resign, view


async def begin(cluster: Cluster) -> tuple[Visitor, Visitor, Visitor]:
    """Return players on both nodes, in the order of their places."""
    players = (
        await register(cluster.first, "Annabel"),
        await register(cluster.second, "Benjamin"),
        await register(cluster.first, "Clothilde"),
    )
    await join(*players)
    return players


async def test_players_of_both_nodes_challenge_at_once_and_each_result_counts_once(cluster: Cluster) -> None:
    ann, ben, cem = await begin(cluster)
    matches = await asyncio.gather(challenge(ben, "Annabel"), challenge(cem, "Annabel"))
    await resign(ann, matches[1])
    for player in (ann, ben):
        await names_become(player, "Clothilde", "Annabel", "Benjamin")
    shown = await view(ben)
    assert [each["match"] for each in shown["yours"]] == [matches[0]]
    assert [change["kind"] for change in shown["changes"]] == ["won", "joined", "joined", "joined"]


async def test_another_node_counts_the_result_that_killed_ones_have_missed(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, _ = await begin(cluster)
    match = await challenge(ben, "Annabel")
    with monkeypatch.context() as patch:
        patch.setattr(LadderRunner, "_count", nothing)
        await resign(ann, match)
        for name in ("first", "second"):
            await cluster.stop(name)
    third = await cluster.start("third")
    await names_become(await third.visitor(ben.token), "Benjamin", "Annabel", "Clothilde")
