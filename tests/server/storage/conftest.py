"""What the tests of the journal share."""

from collections.abc import AsyncIterator

import pytest

from millrace.server.journal.journal import Journal
from millrace.server.storage import open_journal


@pytest.fixture
async def journal(url: str) -> AsyncIterator[Journal]:
    opened = await open_journal(url)
    yield opened
    await opened.close()
