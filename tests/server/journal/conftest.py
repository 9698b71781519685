"""What the tests of the journal share."""

from collections.abc import AsyncIterator

import pytest

from millrace.server.app.stores import open_journal
from millrace.server.journal.journal_store import Journal


@pytest.fixture
async def journal(url: str) -> AsyncIterator[Journal]:
    opened = await open_journal(url)
    yield opened
    await opened.close()
