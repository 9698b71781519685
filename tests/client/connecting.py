"""Connecting to a fake server, and accounts on a real one, for tests."""

import asyncio
import itertools
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import repeat
from typing import NamedTuple, TypeVar

import pytest

from millrace.client import Connection, MatchFeed, MatchId, RefusedError, connect
from millrace.protocol import Code
from tests.client.fake_server import FakeServer
from tests.serving import PATIENCE_S, Site

PASSWORD = "correct horse battery"

_numbers = itertools.count(2)

T = TypeVar("T")


def new_name() -> str:
    """Return a unique name: all tests share one server."""
    return f"Pythia-{next(_numbers)}"


def new_accounts(server: Site) -> tuple[str, str]:
    """Return the tokens of two new accounts."""

    async def register() -> str:
        async with asyncio.timeout(PATIENCE_S), connect(server.address) as guest:
            return await guest.account.register(new_name(), PASSWORD)

    return asyncio.run(register()), asyncio.run(register())


async def first_where(source: AsyncIterable[T], holds: Callable[[T], object]) -> T:
    """Return the first of what arrives for which something holds."""
    async for each in source:
        if holds(each):
            return each
    raise AssertionError("nothing like that has arrived")


async def refusal_of(command: Awaitable[object]) -> Code:
    """Return the code with which a command is refused."""
    with pytest.raises(RefusedError) as refusal:
        await command
    return refusal.value.code


def at_once() -> Iterable[float]:
    """Return pauses of no length."""
    return repeat(0.0)


@asynccontextmanager
async def connected(server: FakeServer, reconnect: bool = True) -> AsyncIterator[Connection]:
    """Connect to a fake server, and reconnect without pauses."""
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address, reconnect=reconnect, delays_s=at_once) as connection,
    ):
        yield connection


class Watched(NamedTuple):
    """A match of a fake server, and its player's connection and feed."""

    server: FakeServer
    connection: Connection
    match: MatchId
    feed: MatchFeed


@asynccontextmanager
async def watched_match(**options: int) -> AsyncIterator[Watched]:
    """Start a match on a fake server and watch it."""
    async with FakeServer() as server, connected(server) as connection:
        match = await server.start_match()
        yield Watched(server, connection, match, connection.watch(match, **options))
