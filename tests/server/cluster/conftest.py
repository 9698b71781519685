"""Fixtures shared by tests of several nodes."""

from collections.abc import AsyncIterator

import asyncpg
import pytest


@pytest.fixture
async def admin(postgres_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to the nodes' database, to make their heartbeats older."""
    connection = await asyncpg.connect(postgres_url)
    yield connection
    await connection.close()
