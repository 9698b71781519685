"""Nodes on one Redis, for tests: their running buses, and the events that they receive."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from millrace.server.cluster.bus_events import BusInterrupted, BusRestored
from millrace.server.cluster.events import SharedEvent
from millrace.server.cluster.redis_address import parse_address
from millrace.server.cluster.redis_bus import RedisBus
from tests.waiting import until


class News(SharedEvent, frozen=True):
    """An event of the tests, of a topic or for everyone."""

    number: int
    about: str = ""

    @property
    def topic(self) -> str:
        return self.about


class Node:
    """A bus, and what has been heard at it."""

    def __init__(self, bus: RedisBus) -> None:
        self.bus = bus
        self.numbers: list[int] = []
        """The numbers of the news of other nodes."""
        self.states: list[str] = []
        """What the bus has told about itself."""
        bus.subscribe_elsewhere(News, lambda event: self.numbers.append(event.number))
        bus.subscribe(BusInterrupted, lambda _: self.states.append("interrupted"))
        bus.subscribe(BusRestored, lambda _: self.states.append("restored"))


@asynccontextmanager
async def running(address: str, *names: str) -> AsyncIterator[list[Node]]:
    """Give nodes that run, whether or not they can connect."""
    async with AsyncExitStack() as stack:
        nodes = [Node(RedisBus(parse_address(address), name)) for name in names]
        for node in nodes:
            task = asyncio.create_task(node.bus.run())
            stack.push_async_callback(_end, task)
        yield nodes


@asynccontextmanager
async def connected(address: str, *names: str) -> AsyncIterator[list[Node]]:
    """Give nodes that are connected."""
    async with running(address, *names) as nodes:
        await until(lambda: all(node.bus.is_connected for node in nodes))
        yield nodes


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled(), task.exception()
