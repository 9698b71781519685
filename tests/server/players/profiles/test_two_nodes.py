"""Follows, blocks and profiles that change on another node."""

from millrace.protocol import Code
from tests.server.in_process_server import Frame, Visitor
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import follow, register_all


async def begin(cluster: Cluster) -> tuple[Visitor, Visitor]:
    """Return two players, each on one node."""
    (ann,), (ben,) = await register_all(cluster.first, "Annabel"), await register_all(cluster.second, "Benjamin")
    return ann, ben


async def followed_become(visitor: Visitor, *names: str) -> Frame:
    """Wait until a player follows exactly these players."""
    while True:
        frame = await visitor.hear_until("followed_players")
        if [status["player"]["name"] for status in frame["players"]] == list(names):
            return frame


async def test_a_follow_is_known_on_both_nodes(cluster: Cluster) -> None:
    ann, ben = await begin(cluster)
    elsewhere = await cluster.second.visitor(ann.token)
    await elsewhere.say("watch_players")
    await followed_become(elsewhere)
    await follow(ann, ben)
    await followed_become(elsewhere, "Benjamin")
    assert (await ben.ask("get_profile", name="Benjamin"))["followers"] == 1
    await follow(elsewhere, ben, on=False)
    await cluster.network.settle()
    assert (await ann.ask("get_profile", name="Benjamin"))["followers"] == 0


async def test_a_block_separates_players_on_both_nodes_and_ends_following(cluster: Cluster) -> None:
    ann, ben = await begin(cluster)
    await follow(ann, ben)
    await ann.say("watch_players")
    await followed_become(ann, "Benjamin")
    await cluster.network.settle()
    await ben.ask("block", player=ann.player["id"])
    await followed_become(ann)
    assert (await follow(ann, ben))["code"] == Code.NOT_FOR_YOU
    await ben.ask("unblock", player=ann.player["id"])
    await cluster.network.settle()
    assert (await follow(ann, ben))["type"] == "done"


async def test_a_follow_is_not_stored_against_a_block_unknown_to_this_node(cluster: Cluster) -> None:
    ann, ben = await begin(cluster)
    cluster.cut()
    await ben.ask("block", player=ann.player["id"])
    assert (await follow(ann, ben))["type"] == "refused"


async def test_country_and_visibility_are_shown_on_both_nodes(cluster: Cluster) -> None:
    ann, ben = await begin(cluster)
    await ann.ask("set_profile", bio="", country="FR")
    await ann.ask("set_online_visibility", online_visible=False)
    await cluster.network.settle()
    status = (await ben.ask("get_profile", name="Annabel"))["status"]
    assert (status["country"], status["online"]) == ("FR", False)


async def test_changes_made_while_the_bus_was_away_are_read_when_it_is_back(cluster: Cluster) -> None:
    ann, ben = await begin(cluster)
    await follow(ann, ben)
    await ann.say("watch_players")
    await followed_become(ann, "Benjamin")
    cluster.cut()
    await ben.ask("block", player=ann.player["id"])
    await ben.ask("set_profile", bio="", country="FR")
    cluster.restore()
    await followed_become(ann)
    while (await ann.ask("get_profile", name="Benjamin"))["status"].get("country") != "FR":
        pass
    assert (await ann.ask("get_profile", name="Benjamin"))["followers"] == 0
