"""Which node owns a new match."""

import asyncio
from functools import partial

from millrace.protocol import CommandId, IdentityId, MatchId, PairingRequest, Player
from millrace.server.journal.entries import Origin
from millrace.server.lobby.search_store import pairing_insertions
from tests.server.node_cluster import Cluster, Node
from tests.serving import PATIENCE_S

PLAYERS = tuple(Player(IdentityId(f"guest-{number}"), "Quiet Otter") for number in range(2))
MANY = 64
"""The chance that one node owns this many matches, drawn independently between two, is one in 10^19."""


async def pair(node: Node, number: int) -> str:
    """Have a node create a match of paired players."""
    asked = [Origin(player.id, CommandId(f"find-{number}")) for player in PLAYERS]
    new = node.started.application.rooms.new
    return await new.open_paired(PairingRequest("morris"), PLAYERS, partial(pairing_insertions, asked), None)


async def has_room(cluster: Cluster, node: Node, match: str) -> None:
    """Wait until a node has a room of a match."""
    async with asyncio.timeout(PATIENCE_S):
        while node.started.application.rooms.loaded.get(MatchId(match)) is None:
            await cluster.network.settle(0.01)


async def test_matches_that_one_node_pairs_are_owned_by_all_nodes_and_have_a_room_there(cluster: Cluster) -> None:
    first = next(iter(cluster.nodes.values()))
    matches = [await pair(first, number) for number in range(MANY)]
    assert {cluster.owner_of(match).bus.node for match in matches} == {"first", "second"}
    for match in matches:
        await has_room(cluster, cluster.owner_of(match), match)


async def test_a_match_that_a_player_creates_is_owned_by_the_players_node(cluster: Cluster) -> None:
    ann = await cluster.second.visitor()
    for number in range(8):
        seats = ({"occupant": "me"}, {"occupant": "me"})
        match = str((await ann.ask("create", id=f"c{number}", game="morris", seats=seats))["match"])
        assert cluster.owner_of(match).bus.node == "second"
