"""What the tests of several nodes share."""

from collections.abc import AsyncIterator

import asyncpg
import pytest


@pytest.fixture
async def admin(postgres_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the database of the nodes, to make them old."""
    connection = await asyncpg.connect(postgres_url)
    yield connection
    await connection.close()
