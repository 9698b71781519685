"""A fixture that creates bot accounts."""

import pytest

from millrace.client import connect
from tests.bots.matches import MakeBot
from tests.client.connecting import PASSWORD, new_name
from tests.serving import ServerProcess


@pytest.fixture
def make_bot(server: ServerProcess) -> MakeBot:
    """Return a function that creates a bot account and returns its name and an API token."""

    async def make() -> tuple[str, str]:
        name = new_name()
        async with connect(server.address) as owner:
            await owner.account.register(name, PASSWORD)
            await owner.account.become_bot()
            made = await owner.account.create_token("bot", ["read", "play", "challenge"])
        return name, made.token

    return make
