"""Notifications of players connected to other nodes than where things happen."""

from collections.abc import Mapping

from tests.server.in_process_server import Frame, Visitor
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register_all
from tests.server.web.two_players import challenge


async def begin(cluster: Cluster) -> tuple[Visitor, Visitor]:
    """Return two players, each on one node, who watch their inboxes."""
    (ann,), (ben,) = await register_all(cluster.first, "Annabel"), await register_all(cluster.second, "Benjamin")
    for visitor in (ann, ben):
        await visitor.say("watch_notifications")
        await visitor.hear_until("notifications")
    return ann, ben


async def notified(visitor: Visitor) -> Frame:
    notification: Frame = (await visitor.hear_until("notification_added"))["notification"]
    return notification


async def list_becomes(visitor: Visitor, kinds: Mapping[str, bool]) -> None:
    """Wait until the inbox holds exactly these kinds, each read or not."""
    while True:
        frame = await visitor.hear_until("notifications")
        if {each["kind"]: each["read"] for each in frame["notifications"]} == kinds:
            return


async def test_a_challenge_reaches_the_inbox_on_another_node_and_leaves_it_when_it_is_withdrawn(
    cluster: Cluster,
) -> None:
    ann, ben = await begin(cluster)
    match = await challenge(ann, ben)
    notification = await notified(ben)
    assert (notification["kind"], notification["match"]) == ("challenged", match)
    await ann.ask("abort", match=match, seat=0)
    await list_becomes(ben, {})
    assert [frame["type"] for frame in ben.read].count("notification_added") == 1


async def test_notifications_read_on_one_node_are_read_on_the_other(cluster: Cluster) -> None:
    ann, ben = await begin(cluster)
    elsewhere = await cluster.first.visitor(ben.token)
    await elsewhere.say("watch_notifications")
    await challenge(ann, ben)
    await notified(ben)
    await ben.ask("mark_notifications_read")
    await list_becomes(elsewhere, {"challenged": True})


async def test_notifications_missed_while_the_bus_was_away_are_in_the_inbox_afterwards(cluster: Cluster) -> None:
    ann, ben = await begin(cluster)
    cluster.cut()
    await challenge(ann, ben)
    await notified_here(ann, cluster)
    cluster.restore()
    await list_becomes(ben, {"challenged": False})


async def notified_here(by: Visitor, cluster: Cluster) -> None:
    """Wait until the first node has sent a notification that it stored after the earlier ones."""
    (other,) = await register_all(cluster.first, "Christopher")
    await other.say("watch_notifications")
    await challenge(by, other)
    await notified(other)


async def test_kinds_chosen_on_one_node_apply_on_the_other(cluster: Cluster) -> None:
    ann, ben = await begin(cluster)
    await ben.ask("set_notification_kinds", kinds=["report_upheld"])
    await cluster.network.settle()
    await challenge(ann, ben)
    await ben.ask("set_notification_kinds", kinds=["challenged"])
    await cluster.network.settle()
    match = await challenge(ann, ben)
    assert (await notified(ben))["match"] == match
    cluster.cut()
    await ben.ask("set_notification_kinds", kinds=[])
    cluster.restore()
    elsewhere = await cluster.first.visitor(ben.token)
    while (await elsewhere.ask("get_notification_kinds"))["kinds"]:
        pass
