"""The bus of a server that runs alone."""

import asyncio

from millrace.protocol import MatchId
from millrace.server.cluster.bus import LocalBus
from millrace.server.cluster.events import MatchChanged, PlyMade, ReportsChanged


def test_an_event_reaches_the_subscribers_of_its_type_in_the_order_of_their_subscriptions() -> None:
    bus, calls = LocalBus(), list[tuple[str, str]]()
    bus.subscribe(PlyMade, lambda event: calls.append(("first", event.match)))
    bus.subscribe_here(PlyMade, lambda event: calls.append(("second", event.match)))
    bus.subscribe(MatchChanged, lambda event: calls.append(("other type", event.match)))
    bus.subscribe(PlyMade, lambda event: calls.append(("third", event.match)))

    bus.publish(PlyMade(MatchId("a")))

    assert calls == [("first", "a"), ("second", "a"), ("third", "a")]


def test_a_subscription_that_has_ended_is_not_called() -> None:
    bus, calls = LocalBus(), list[str]()
    end_all = bus.subscribe(ReportsChanged, lambda _: calls.append("all"))
    end_here = bus.subscribe_here(ReportsChanged, lambda _: calls.append("here"))

    bus.publish(ReportsChanged())
    end_all()
    bus.publish(ReportsChanged())
    end_here()
    bus.publish(ReportsChanged())

    assert calls == ["all", "here", "here"]


def test_a_subscriber_may_end_its_subscription_while_it_is_called() -> None:
    bus, calls = LocalBus(), list[str]()

    def once(_: ReportsChanged) -> None:
        calls.append("once")
        end()

    end = bus.subscribe(ReportsChanged, once)
    bus.subscribe(ReportsChanged, lambda _: calls.append("always"))

    bus.publish(ReportsChanged())
    bus.publish(ReportsChanged())

    assert calls == ["once", "always", "always"]


async def test_a_server_alone_is_connected_and_follows_every_topic() -> None:
    bus = LocalBus("0000000a")
    running = asyncio.create_task(bus.run())
    await bus.follow("a match")
    bus.unfollow("a match")

    assert (bus.node, bus.is_alone, bus.is_connected, running.done()) == ("0000000a", True, True, False)

    running.cancel()
    await bus.close()


def test_every_server_has_a_different_id() -> None:
    assert len({LocalBus().node for _ in range(100)}) == 100
