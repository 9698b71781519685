"""The background process: one that dies is replaced."""

import asyncio
import os
import signal
from contextlib import suppress

import pytest

from millrace.server.bots import rest
from millrace.server.bots.background_process import BackgroundProcess


@pytest.mark.usefixtures("processes")
async def test_work_is_tried_again_if_the_process_has_died() -> None:
    background = BackgroundProcess()
    try:
        died = await background.run("192.0.2.1", os.getpid)
        os.kill(died, signal.SIGKILL)
        assert await background.run("192.0.2.1", os.getpid) != died
    finally:
        await background.close()


@pytest.mark.usefixtures("processes")
async def test_the_process_ends_while_there_is_no_work_and_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest, "IDLE_SECONDS", 0)
    background = BackgroundProcess()
    try:
        first = await background.run("192.0.2.1", os.getpid)
        with suppress(ProcessLookupError):
            while True:
                os.kill(first, 0)
                await asyncio.sleep(0.01)
        assert await background.run("192.0.2.1", os.getpid) != first
    finally:
        await background.close()
