"""The bus of several nodes on a working Redis server."""

import asyncio
import random
import re

import msgspec
import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from millrace.protocol import MatchId
from millrace.server.cluster import outgoing
from millrace.server.cluster.bus import Bus
from millrace.server.cluster.events import PlyMade
from millrace.server.cluster.redis_address import parse_address
from millrace.server.cluster.redis_bus import RedisBus
from millrace.server.runtime import metrics
from tests.server.cluster.redis_nodes import News, connected, running
from tests.server.metric_values import value_of
from tests.waiting import until

pytestmark = pytest.mark.redis


async def test_shared_events_reach_every_node_and_others_stay(redis_url: str) -> None:
    async with connected(redis_url, "first", "second", "third") as (first, second, third):
        plies, here = list[object](), list[object]()
        second.bus.subscribe(PlyMade, plies.append)
        first.bus.subscribe_here(News, here.append)
        first.bus.publish(PlyMade(MatchId("m")))
        first.bus.publish(News(1))
        second.bus.publish(News(2))

        await until(lambda: third.numbers in ([1, 2], [2, 1]))
        await until(lambda: (first.numbers, second.numbers) == ([2], [1]))
        assert (plies, here) == ([], [News(1)])


async def test_events_of_a_topic_arrive_once_it_is_followed(redis_url: str) -> None:
    async with connected(redis_url, "first", "second") as (first, second):
        for number in range(50):
            await second.bus.follow(f"match {number}")
            first.bus.publish(News(number, f"match {number}"))
        first.bus.publish(News(1000, "another match"))
        first.bus.publish(News(1001))

        await until(lambda: 1001 in second.numbers)
        assert second.numbers == [*range(50), 1001]


async def test_a_topic_is_followed_until_it_is_unfollowed_as_often(redis_url: str) -> None:
    async with connected(redis_url, "first", "second") as (first, second):
        await second.bus.follow("match")
        await second.bus.follow("match")
        second.bus.unfollow("match")
        first.bus.publish(News(1, "match"))
        await until(lambda: second.numbers == [1])
        second.bus.unfollow("match")
        await second.bus.follow("another")  # asked for after the other was given up
        first.bus.publish(News(2, "match"))
        first.bus.publish(News(3))

        await until(lambda: second.numbers == [1, 3])


async def test_a_node_follows_its_own_id(redis_url: str) -> None:
    async with connected(redis_url, "first", "second", "third") as (first, second, third):
        first.bus.publish(News(1, "second"))
        first.bus.publish(News(2))

        await until(lambda: second.numbers == [1, 2])
        await until(lambda: third.numbers == [2])


@pytest.mark.parametrize("seed", range(3))
async def test_following_and_unfollowing_in_any_order_end_in_the_latest_request(redis_url: str, seed: int) -> None:
    chance = random.Random(seed)
    topics = [f"match {number}" for number in range(5)]
    async with connected(redis_url, "first", "second") as (first, second):
        follows = dict.fromkeys(topics, 0)
        waiting = []
        for _ in range(200):
            topic = chance.choice(topics)
            if follows[topic] and chance.random() < 0.6:
                follows[topic] -= 1
                second.bus.unfollow(topic)
            else:
                follows[topic] += 1
                waiting.append(asyncio.create_task(second.bus.follow(topic)))
                await asyncio.sleep(0)
            if chance.random() < 0.1:
                await asyncio.sleep(0.001)
        await asyncio.gather(*waiting)
        await second.bus.follow("last")
        for number, topic in enumerate(topics):
            first.bus.publish(News(number, topic))
        first.bus.publish(News(99, "last"))

        await until(lambda: 99 in second.numbers)
        assert second.numbers == [*(number for number, topic in enumerate(topics) if follows[topic]), 99]


async def test_each_senders_events_arrive_in_order(redis_url: str) -> None:
    async with connected(redis_url, "first", "second", "third") as (first, second, third):
        await third.bus.follow("match")
        for number in range(1500):
            sender = first if number % 2 else second
            sender.bus.publish(News(number, "match" if number % 3 else ""))
            if number % 100 == 0:
                await asyncio.sleep(0)

        await until(lambda: len(third.numbers) == 1500)
        assert [number for number in third.numbers if number % 2] == list(range(1, 1500, 2))
        assert [number for number in third.numbers if not number % 2] == list(range(0, 1500, 2))


async def test_installations_with_other_prefixes_or_numbers_receive_nothing(redis_url: str) -> None:
    elsewhere = re.sub(r"/(\d+)\?", lambda number: f"/{(int(number[1]) + 1) % 16}?", redis_url)
    async with (
        connected(redis_url, "first", "second") as (first, second),
        connected(elsewhere, "other") as (other_number,),
        connected(f"{redis_url}x", "another") as (other_prefix,),
    ):
        other_number.bus.publish(News(1))
        other_prefix.bus.publish(News(2))
        first.bus.publish(News(3))

        await until(lambda: second.numbers == [3])
        assert (other_number.numbers, other_prefix.numbers) == ([], [])


async def test_events_published_before_the_first_connection_are_sent_with_it(redis_url: str) -> None:
    async with connected(redis_url, "first") as (first,):
        second = RedisBus(parse_address(redis_url), "second")
        second.publish(News(1))
        task = asyncio.create_task(second.run())
        await until(lambda: first.numbers == [1])
        assert first.states == ["restored"]
        task.cancel()


async def test_queued_events_are_sent_before_the_bus_is_closed(redis_url: str) -> None:
    async with connected(redis_url, "first") as (first,):
        async with connected(redis_url, "second") as (second,):
            for number in range(1000):
                second.bus.publish(News(number))
            await second.bus.close()
        await until(lambda: first.numbers == list(range(1000)))


async def test_publishing_too_much_drops_events_and_informs_the_others(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "MAX_WAITING", 100)
    dropped = value_of(metrics.BUS_EVENTS_DROPPED)
    async with connected(redis_url, "first", "second") as (first, second):
        for number in range(150):
            first.bus.publish(News(number))

        await until(lambda: second.states == ["restored", "restored"])
        assert second.numbers == list(range(100))
        assert first.states == ["restored"]
        assert value_of(metrics.BUS_EVENTS_DROPPED) == dropped + 50


async def test_a_subscriber_that_fails_does_not_end_the_connection(redis_url: str) -> None:
    async with connected(redis_url, "first", "second") as (first, second):

        def fail(_: News) -> None:
            raise RuntimeError("a fault of a subscriber")

        second.bus.subscribe_elsewhere(News, fail)
        first.bus.publish(News(1))
        first.bus.publish(News(2))

        await until(lambda: second.numbers == [1, 2])
        assert second.states == ["restored"]


async def publish(redis_url: str, *payloads: object) -> None:
    """Publish to every node what a bus would not; bytes as they are, and anything else encoded."""
    address = parse_address(redis_url)
    async with Redis.from_url(address.url) as client:
        for each in payloads:
            payload = each if isinstance(each, bytes) else msgspec.msgpack.encode(each)
            await client.publish(f"{address.prefix}all", payload)


async def test_unreadable_messages_are_skipped(redis_url: str) -> None:
    async with connected(redis_url, "first", "second") as (first, second):
        await publish(redis_url, b"\xc1", b"no event", ["other", 1, "News", {"number": "one"}])
        first.bus.publish(News(1))

        await until(lambda: second.numbers == [1])
        assert second.states == ["restored"]


async def test_unknown_kinds_of_events_are_ignored_and_each_is_logged_once(
    redis_url: str,
) -> None:
    async with connected(redis_url, "first", "second") as (first, second):
        with capture_logs() as log:
            future, other = (["newer", 1, kind, {"number": 0}] for kind in ("FutureNews", "OtherNews"))
            await publish(redis_url, future, future, other)
            first.bus.publish(News(1))
            await until(lambda: second.numbers == [1])
            await until(lambda: len([line for line in log if "unknown kind" in line["event"]]) == 4)
        assert {(line["kind"], line["sender"], line["log_level"]) for line in log} == {
            ("FutureNews", "newer", "info"),
            ("OtherNews", "newer", "info"),
        }, "on either node, and nothing else"
        assert second.states == ["restored"]


async def test_late_messages_of_a_nodes_earlier_connection_are_ignored(redis_url: str) -> None:
    async with connected(redis_url, "second") as (second,):
        sent = ((3, 1), (2, 2), (3, 3), (4, 4), (3, 5))
        await publish(redis_url, *(["other", connection, "News", {"number": number}] for connection, number in sent))

        await until(lambda: 4 in second.numbers)
        assert second.numbers == [1, 3, 4]


async def test_the_bus_has_metrics(redis_url: str) -> None:
    sent, received = value_of(metrics.BUS_EVENTS_SENT), value_of(metrics.BUS_EVENTS_RECEIVED)
    async with connected(redis_url, "first", "second") as (first, second):
        assert value_of(metrics.BUS_CONNECTED) == 1
        for number in range(3):
            first.bus.publish(News(number))
        await first.bus.close()
        await until(lambda: second.numbers == [0, 1, 2])
    assert value_of(metrics.BUS_EVENTS_SENT) == sent + 3
    assert value_of(metrics.BUS_EVENTS_RECEIVED) == received + 3
    assert value_of(metrics.BUS_CONNECTED) == 0


async def test_closing_a_bus_before_it_connected_does_not_wait(redis_url: str) -> None:
    async with running(redis_url, "first") as (first,):
        first.bus.publish(News(1))
        await first.bus.close()


def test_it_is_a_bus(redis_url: str) -> None:
    bus: Bus = RedisBus(parse_address(redis_url))
    assert (len(bus.node), bus.is_alone, bus.is_connected) == (8, False, False)
