"""Accounts of bots for the tests of bots."""

import itertools
from collections.abc import Awaitable, Callable

import pytest

from millrace.client import connect
from tests.serving import ServerProcess

PASSWORD = "correct horse battery"

_numbers = itertools.count(1)

MakeBot = Callable[[], Awaitable[tuple[str, str]]]


@pytest.fixture
def make_bot(server: ServerProcess) -> MakeBot:
    """Return a function that makes the account of a bot and returns its name and an API token."""

    async def make() -> tuple[str, str]:
        name = f"Cog-{next(_numbers)}x"
        async with connect(server.address) as owner:
            await owner.account.register(name, PASSWORD)
            await owner.account.become_bot()
            made = await owner.account.create_token("bot", ["read", "play", "challenge"])
        return name, made.token

    return make
