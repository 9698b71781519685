"""Limits of several nodes: uses and holds on one count on all, a moment later."""

import pytest

from millrace.protocol.refusal import Refusal
from millrace.server.callers.caller import Caller
from millrace.server.callers.limit import Limit
from millrace.server.callers.limits import Limits
from millrace.server.callers.shared_use import BATCH_SECONDS
from millrace.server.cluster.bus_events import NodeGone
from millrace.server.cluster.shared_map import GATHER_SECONDS
from tests.server.callers.users import LimitsOnClock, user
from tests.server.cluster.loopback import LoopbackNetwork

CALLS = Limit(name="calls", counts="calls", refusal="At most {bound}.", window_ms=60_000, account=4, guest=2, address=5)
BOATS = Limit(name="boats", counts="boats", refusal="At most {bound}.", guest=2, address=3)
ANN, BEN, CEM = user("ann", registered=True), user("ben"), user("cem")


class Nodes:
    """Three nodes, and the network between them."""

    def __init__(self) -> None:
        self.network = LoopbackNetwork()
        self.buses = [self.network.connect() for _ in range(3)]
        self.limits = [LimitsOnClock().limits for _ in self.buses]
        for bus, limits in zip(self.buses, self.limits, strict=True):
            limits.require_known([CALLS, BOATS])
            limits.share(bus)

    async def settle(self) -> None:
        await self.network.settle(BATCH_SECONDS + 2 * GATHER_SECONDS)


def is_refused(limits: Limits, limit: Limit, caller: Caller) -> bool:
    try:
        limits.use(limit, caller) if limit.window_ms else limits.hold(limit, caller)
    except Refusal:
        return True
    return False


async def test_uses_on_every_node_are_counted_together() -> None:
    nodes = Nodes()
    one, two, three = nodes.limits
    one.use(CALLS, ANN, 2)
    two.use(CALLS, BEN)
    await nodes.settle()
    assert [limits.left(CALLS, ANN) for limits in nodes.limits] == [2, 2, 2]
    three.use(CALLS, ANN, 2)
    await nodes.settle()
    assert is_refused(one, CALLS, ANN), "the player's bound is reached"
    assert is_refused(two, CALLS, CEM), "that of the address is reached"
    assert not is_refused(two, CALLS, user("dora", "192.0.2.2"))


async def test_an_undone_use_is_undone_everywhere() -> None:
    nodes = Nodes()
    one, two, _ = nodes.limits
    one.use(CALLS, BEN, 2)
    await nodes.settle()
    assert is_refused(two, CALLS, BEN)
    one.put_back(CALLS, BEN, 2)
    await nodes.settle()
    assert not is_refused(two, CALLS, BEN)


async def test_an_address_without_a_player_is_counted_everywhere() -> None:
    nodes = Nodes()
    for limits in nodes.limits:
        assert limits.use_at(CALLS, "192.0.2.9", 2) == 0
    await nodes.settle()
    assert [limits.use_at(CALLS, "192.0.2.9") > 0 for limits in nodes.limits] == [True, True, True]


async def test_a_hold_counts_until_it_is_released_or_its_node_is_gone() -> None:
    nodes = Nodes()
    one, two, three = nodes.limits
    held = one.hold(BOATS, BEN)
    two.hold(BOATS, BEN)
    await nodes.settle()
    assert is_refused(three, BOATS, BEN)
    assert is_refused(one, BOATS, BEN)
    held.release()
    await nodes.settle()
    three.hold(BOATS, CEM)
    three.hold(BOATS, BEN)
    await nodes.settle()
    assert one.hold_at(BOATS, BEN.connection_info.address) is None, "the bound of the address is reached"
    for bus in (nodes.buses[0], nodes.buses[1]):
        bus.deliver(NodeGone(nodes.buses[2].node, 0))
    one.hold(BOATS, BEN)
    with pytest.raises(Refusal):
        one.hold(BOATS, BEN)
