"""The arenas of the calendar on servers, and reminders: each once, over restarts and on two nodes."""

from pathlib import Path

import pytest

from tests.server.in_process_server import Frame, Serve, SteppedClock, Visitor
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import register_all
from tests.server.tournaments.arenas import plan
from tests.server.tournaments.evenings import seen

MINUTE_MS = 60_000
CALENDAR = """
[[arena]]
key = "hourly"
name = "Hourly arena"
game = "morris"
clock = { initial_ms = 180_000 }
minutes = 45
at = [00:00:00, 06:00:00, 12:00:00, 18:00:00]
"""
OF_36_HOURS = 6


@pytest.fixture
def served_url(url: str) -> str:
    """Every kind of database."""
    return url


async def listed(player: Visitor) -> list[Frame]:
    await player.say("watch_tournaments")
    return list((await player.hear_until("tournaments"))["tournaments"])


async def filled(player: Visitor, count: int = OF_36_HOURS) -> list[Frame]:
    """Return the tournaments, once there are so many."""
    return await seen(lambda: listed(player), lambda found: len(found) >= count)


async def reminders(player: Visitor) -> list[Frame]:
    await player.say("watch_notifications")
    found = (await player.hear_until("notifications"))["notifications"]
    return [each for each in found if each["kind"] == "tournament_soon"]


async def test_the_calendar_fills_itself_once_over_restarts(serve: Serve, calendar: Path) -> None:
    clock = SteppedClock()
    guest = await (await serve(clock, calendar=calendar)).visitor()
    first = await filled(guest)
    assert {(each["by"], each["plan"]["name"], each["status"]) for each in first} == {
        ("Millrace", "Hourly arena", "planned")
    }
    clock.now_ms += 6 * 60 * MINUTE_MS
    guest = await (await serve(clock, calendar=calendar)).visitor()
    known = {each["tournament"] for each in first}
    second = await seen(
        lambda: listed(guest),
        lambda found: found[0]["tournament"] != first[0]["tournament"] and found[-1]["tournament"] not in known,
    )
    assert [each["tournament"] for each in second[:-1]] == [each["tournament"] for each in first[1:]]


async def test_an_arena_of_the_calendar_that_nobody_has_joined_is_closed_and_not_listed(
    serve: Serve, calendar: Path
) -> None:
    clock = SteppedClock()
    served = await serve(clock, calendar=calendar)
    (ann,) = await register_all(served, "Annabel")
    first, second, *_ = await filled(ann)
    assert (await ann.ask("join_tournament", tournament=second["tournament"]))["type"] == "done"

    clock.now_ms = first["plan"]["starts_at_ms"]
    await seen(lambda: listed(ann), lambda found: first["tournament"] not in {each["tournament"] for each in found})
    assert await reminders(ann) == []
    clock.now_ms = second["plan"]["starts_at_ms"]
    await seen(lambda: listed(ann), lambda found: found[0]["status"] == "running")
    clock.now_ms = second["ends_at_ms"]
    ended = await seen(lambda: listed(ann), lambda found: found[-1]["status"] == "over")
    guest = await (await serve(clock, calendar=calendar)).visitor()
    for found in (ended, await listed(guest)):
        assert [each["tournament"] for each in found if each["status"] == "over"] == [second["tournament"]]


async def test_two_nodes_fill_the_calendar_together(cluster: Cluster, calendar: Path) -> None:
    third = await cluster.start("third", calendar=calendar)
    fourth = await cluster.start("fourth", calendar=calendar)
    guests = [await node.visitor() for node in (third, fourth, cluster.first)]
    found = [await filled(guest) for guest in guests]
    assert found[0] == found[1] == found[2]
    assert len({each["plan"]["starts_at_ms"] for each in found[0]}) == len(found[0])


async def test_players_are_reminded_once_over_restarts_and_late_ones_not_at_all(serve: Serve) -> None:
    clock = SteppedClock()
    served = await serve(clock)
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    created = await ann.ask("create_tournament", plan=plan(clock.now_ms + 30 * MINUTE_MS))
    tournament = created["tournament"]
    await ann.ask("join_tournament", tournament=tournament)
    await ann.say("watch_notifications")
    clock.now_ms += 20 * MINUTE_MS
    notification = (await ann.hear_until("notification_added"))["notification"]
    assert (notification["kind"], notification["subject"]) == ("tournament_soon", tournament)
    assert (notification["game"], notification["explanation"]) == ("morris", "Evening arena")
    await ben.ask("join_tournament", tournament=tournament)
    assert (await ann.ask("mark_notifications_read"))["type"] == "done"

    served = await serve(clock)
    ann, ben = await served.visitor(ann.token), await served.visitor(ben.token)
    clock.now_ms += 5 * MINUTE_MS
    await ann.say("watch_notifications")
    clock.now_ms += 5 * MINUTE_MS
    await seen(lambda: listed(ann), lambda found: found[0]["status"] == "running")
    assert [frame["type"] for frame in ann.read].count("notification_added") == 0
    assert [each["read"] for each in await reminders(ann)] == [True]
    assert await reminders(ben) == []
