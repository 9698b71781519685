"""Vacations on servers: the clock stands still for both, through restarts and on every node."""

import pytest

from tests.server.in_process_server import Frame, Serve, SteppedClock, Visitor
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register_all
from tests.server.web.two_players import DAYS, begin_unwatched

DAY_MS = 86_400_000


@pytest.fixture
def served_url(url: str) -> str:
    """Every kind of database."""
    return url


async def resumed(visitor: Visitor, match: str, **fields: object) -> Frame:
    """Return the event that stops a clock or starts it again, once it has these fields."""
    await visitor.say("watch", match=match)
    while True:
        event = dict((await visitor.hear_event("resumed"))["event"])
        if event.items() >= fields.items():
            return event


async def test_a_vacation_stops_the_clock_for_both_and_through_a_restart(serve: Serve) -> None:
    clock = SteppedClock()
    served = await serve(clock)
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    match = await begin_unwatched(ann, ben, clock=DAYS)
    assert await ann.ask("get_vacation") | {"id": ""} == {
        "type": "vacation",
        "id": "",
        "until_ms": None,
        "left_days": 30,
    }
    vacation = await ann.ask("set_vacation", days=10)
    assert (vacation["until_ms"], vacation["left_days"]) == (clock.now_ms + 10 * DAY_MS, 20)
    event = await resumed(ben, match, vacation=0)
    assert event["grace_ms"] == 10 * DAY_MS

    clock.now_ms += 8 * DAY_MS
    served = await serve(clock)
    ann, ben = await served.visitor(ann.token), await served.visitor(ben.token)
    event = await resumed(ben, match, grace_ms=2 * DAY_MS)
    assert event["vacation"] == 0
    back = await ann.ask("set_vacation", days=0)
    assert (back["until_ms"], back["left_days"]) == (None, 22)
    event = await resumed(ben, match, grace_ms=0)
    assert event["clocks_ms"] == [DAYS["initial_ms"]] * 2
    assert (await ann.ask("set_vacation", days=23))["code"] == "too_many"
    assert (await ann.ask("play", match=match, seat=0, move="d6"))["type"] == "accepted"


async def test_guests_have_no_vacation(serve: Serve) -> None:
    guest = await (await serve()).visitor()
    assert (await guest.ask("set_vacation", days=1))["code"] == "account_needed"


async def test_a_vacation_counts_in_matches_of_every_node(cluster: Cluster) -> None:
    first, second = await cluster.start("one"), await cluster.start("two")
    ann, ben = await register_all(first, "Annabel", "Benjamin")
    there = await second.visitor(ann.token)
    matches = [await begin_unwatched(visitor, ben, clock=DAYS) for visitor in (ann, there)]
    assert len({cluster.owner_of(match).served for match in matches}) == 2
    await ann.ask("set_vacation", days=3)
    reader = await second.visitor()
    for match in matches:
        assert (await resumed(reader, match, vacation=0))["grace_ms"] > 2 * DAY_MS
