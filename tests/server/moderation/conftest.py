"""The command line beside the server of a test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.in_process_server import Served
from tests.server.moderation.console import Console, console_of


@pytest.fixture
async def console(served: Served, tmp_path: Path) -> AsyncIterator[Console]:
    async with console_of(tmp_path) as opened:
        yield opened
