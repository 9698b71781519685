"""The background process: one that dies is replaced."""

import os
import signal

import pytest

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
