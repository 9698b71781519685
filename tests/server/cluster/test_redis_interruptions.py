"""The bus of several nodes while Redis dies, freezes, restarts or refuses."""

import asyncio
import socket
import time
from pathlib import Path

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from millrace.server.cluster.bus_events import EventsDropped
from millrace.server.cluster.redis_address import parse_address
from millrace.server.runtime import metrics
from tests.proxies import FaultyProxy, Way
from tests.server.certificates import make_certificate
from tests.server.cluster.redis_nodes import News, connected, running
from tests.server.metric_values import value_of
from tests.server.redis_servers import RedisProcess
from tests.waiting import until

pytestmark = pytest.mark.redis


async def test_a_restart_is_reported_once_and_events_flow_again() -> None:
    with RedisProcess() as server:
        async with connected(server.url, "first", "second") as (first, second):
            await second.bus.follow("match")
            server.kill()
            await until(lambda: first.states == second.states == ["restored", "interrupted"])
            assert not first.bus.is_connected
            assert value_of(metrics.BUS_CONNECTED) == 0
            await second.bus.follow("another match")  # at once
            server.start()
            await until(lambda: first.states == second.states == ["restored", "interrupted", "restored"])
            first.bus.publish(News(1, "match"))
            first.bus.publish(News(2, "another match"))
            first.bus.publish(News(3))

            await until(lambda: second.numbers == [1, 2, 3])
            assert first.states == second.states == ["restored", "interrupted", "restored"]


async def test_a_frozen_redis_is_noticed_and_used_again() -> None:
    with RedisProcess() as server:
        async with connected(server.url, "first", "second") as (first, second):
            server.pause()
            first.bus.publish(News(1))
            await until(lambda: first.states == second.states == ["restored", "interrupted"])
            server.resume()
            await until(lambda: first.bus.is_connected and second.bus.is_connected)
            first.bus.publish(News(2))
            await until(lambda: 2 in second.numbers)
            assert second.numbers in ([2], [1, 2])
            assert first.states == ["restored", "interrupted", "restored"]
            # What was on its way when Redis froze counts as lost. Who connects first tells the other, or too early.
            assert second.states[:3] == ["restored", "interrupted", "restored"]
            assert "interrupted" not in second.states[3:]


async def test_publishing_while_redis_is_away_neither_waits_nor_fails() -> None:
    with RedisProcess() as server:
        async with connected(server.url, "first", "second") as (first, second):
            here = list[int]()
            first.bus.subscribe_here(News, lambda event: here.append(event.number))
            server.kill()
            await until(lambda: first.states[-1] == second.states[-1] == "interrupted")
            dropped = value_of(metrics.BUS_EVENTS_DROPPED)
            for number in range(20):
                first.bus.publish(News(number))
            assert here == list(range(20))
            assert value_of(metrics.BUS_EVENTS_DROPPED) == dropped + 20
            server.start()

            await until(lambda: first.bus.is_connected and second.bus.is_connected)
            first.bus.publish(News(20))
            await until(lambda: second.numbers == [20])


async def test_a_node_that_others_call_deaf_interrupts_the_bus_until_it_hears_again(redis_url: str) -> None:
    async with connected(redis_url, "first") as (first,):
        first.bus.note_deaf(frozenset({"second"}))
        assert (first.states, first.bus.is_connected, first.bus.is_deaf) == (["restored", "interrupted"], False, False)
        first.bus.note_deaf(frozenset({"second", "third"}))
        first.bus.note_deaf(frozenset({"third"}))
        assert first.states[2:] == ["interrupted", "restored", "interrupted"], "what the second one did may be missing"
        first.bus.note_deaf(frozenset())
        assert (first.states[5:], first.bus.is_connected) == (["restored"], True)


class LosesSubscriptions(FaultyProxy):
    """Loses requests to receive a channel."""

    def forward(self, content: bytes, target: socket.socket) -> None:
        if self.silent is None or b"SUBSCRIBE" not in content:
            target.sendall(content)


async def test_a_channel_that_redis_does_not_confirm_is_not_waited_for(redis_url: str) -> None:
    with LosesSubscriptions(redis_url) as proxy:
        async with connected(proxy.url, "first") as (first,):
            proxy.silent = Way.THERE
            following = asyncio.create_task(first.bus.follow("match"))
            await until(following.done)
            assert first.states == ["restored", "interrupted"]


async def test_attempts_that_fail_one_after_another_are_one_interruption() -> None:
    attempts = 0

    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal attempts
        attempts += 1
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        async with running(f"redis://127.0.0.1:{port}", "first") as (first,):
            await until(lambda: attempts >= 4)
            assert first.states == ["interrupted"]


async def test_a_server_that_starts_without_redis_connects_later() -> None:
    with RedisProcess() as server:
        server.kill()
        async with running(server.url, "first") as (first,):
            await until(lambda: first.states == ["interrupted"])
            server.start()
            await until(lambda: first.states == ["interrupted", "restored"])


@pytest.mark.parametrize("kind", ["pubsub", "normal"])
async def test_connections_that_redis_closes_are_replaced(kind: str) -> None:
    with RedisProcess() as server:
        async with connected(server.url, "first", "second") as (first, second):
            await first.bus.follow("match")
            async with Redis.from_url(server.url) as client:
                await client.client_kill_filter(_type=kind, skipme=True)
            if kind == "pubsub":
                await until(lambda: first.states == second.states == ["restored", "interrupted", "restored"])
            for number in range(100):
                second.bus.publish(News(number, "match"))
                await asyncio.sleep(0.005)  # so that one or the other comes after the failure was noticed
                if number in first.numbers:
                    break
            second.bus.publish(News(100))
            await until(lambda: 100 in first.numbers)


async def test_a_waiting_follower_is_released_when_redis_is_lost() -> None:
    with RedisProcess() as server:
        async with connected(server.url, "first") as (first,):
            server.pause()
            following = asyncio.create_task(first.bus.follow("match"))
            await until(following.done)
            assert first.states == ["restored", "interrupted"]
            server.resume()


async def test_a_password_is_sent() -> None:
    with RedisProcess(password="open sesame") as server:
        async with connected(server.url.replace("//", "//:open%20sesame@"), "first", "second") as (first, second):
            first.bus.publish(News(1))
            await until(lambda: second.numbers == [1])


async def test_the_connection_may_be_encrypted(tmp_path: Path) -> None:
    with RedisProcess("secret", *make_certificate(tmp_path)) as server, capture_logs() as log:
        encrypted = server.url.replace("//", "//:secret@")
        async with connected(encrypted, "first", "second") as (first, second):
            await second.bus.follow("match")
            first.bus.publish(News(1, "match"))
            await until(lambda: second.numbers == [1])
            server.kill()
            server.start()
            await until(lambda: first.states == second.states == ["restored", "interrupted", "restored"])
            first.bus.publish(News(2, "match"))
            await until(lambda: second.numbers == [1, 2])
        async with running(encrypted.partition("?")[0], "third") as (third,):
            await until(lambda: third.states == ["interrupted"])
        assert "certificate" in log[-1]["error"]


async def test_a_suspended_node_does_not_consider_redis_gone() -> None:
    with RedisProcess() as server:
        async with connected(server.url, "first", "second") as (first, second):
            time.sleep(1.5)  # noqa: ASYNC251 - as a computation that blocks the event loop
            first.bus.publish(News(1))
            await until(lambda: second.numbers == [1])
            assert first.states == second.states == ["restored"]


async def test_the_reason_for_an_interruption_is_logged() -> None:
    with RedisProcess(password="secret") as server, capture_logs() as log:
        for url, problem in (
            (server.url.replace("//", "//:wrong@"), "it refuses the user or the password"),
            (server.url, "it refuses the user or the password"),
            ("redis://127.0.0.1:1", "it cannot be reached"),
        ):
            async with running(url, "first") as (first,):
                await until(lambda node=first: node.states == ["interrupted"])  # type: ignore[misc]
            assert log[-1]["event"] == "bus interrupted"
            assert log[-1]["error"].startswith(problem)
            assert log[-1]["address"] == parse_address(url).shown


async def test_drops_of_several_nodes_are_reported_together() -> None:
    with RedisProcess() as server:
        async with connected(server.url, "first", "second", "third") as (first, second, third):
            first.bus.publish(EventsDropped())
            second.bus.publish(EventsDropped())
            await until(lambda: third.states == ["restored", "restored"])
            first.bus.publish(News(1))
            await until(lambda: third.numbers == [1])
            assert third.states == ["restored", "restored"]
