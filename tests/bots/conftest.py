"""A server for the tests of bots, and accounts of bots on it."""

import itertools
from collections.abc import Awaitable, Callable, Iterator

import pytest

from client import connect
from tests.serving import ServerProcess

PASSWORD = "correct horse battery"

_numbers = itertools.count(1)

MakeBot = Callable[[], Awaitable[tuple[str, str]]]


@pytest.fixture(scope="session")
def bot_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server on which as many accounts are made as the tests like."""
    arguments = ("--registrations", "1000", "--guest-joins", "100000", "--message-rate", "10000")
    with ServerProcess(tmp_path_factory.mktemp("bot_server"), *arguments) as process:
        process.wait_for_rules()
        yield process


@pytest.fixture
def make_bot(bot_server: ServerProcess) -> MakeBot:
    """Return a function that makes the account of a bot and returns its name and an API token."""

    async def make() -> tuple[str, str]:
        name = f"Cog-{next(_numbers)}x"
        async with connect(bot_server.address) as owner:
            await owner.account.register(name, PASSWORD)
            await owner.account.become_bot()
            made = await owner.account.create_token("bot", ["read", "play", "challenge"])
        return name, made.token

    return make
