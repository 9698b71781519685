"""Accounts for tests of the client library."""

import asyncio

import pytest

from millrace.client import connect
from tests.client.connecting import PASSWORD, new_name
from tests.serving import PATIENCE_S, ServerProcess


@pytest.fixture(scope="session")
def tokens(server: ServerProcess) -> tuple[str, str]:
    """Two accounts for all tests that need some: a server lets nobody make many in an hour."""

    async def register() -> str:
        async with asyncio.timeout(PATIENCE_S), connect(server.address) as guest:
            return await guest.account.register(new_name(), PASSWORD)

    return asyncio.run(register()), asyncio.run(register())
