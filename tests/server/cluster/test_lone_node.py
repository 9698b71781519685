"""A server alone."""

from millrace.server.cluster.membership import LoneNode, Membership


async def test_a_lone_node_owns_everything_and_holds_every_lease() -> None:
    membership: Membership = LoneNode("a")
    await membership.join()
    assert membership.members == {"a"}
    assert membership.owner_of("match") == "a"
    assert membership.owns("match")
    fence = membership.lease("pairing").fence
    assert fence is not None
    assert fence.number == 0
    await membership.leave()
