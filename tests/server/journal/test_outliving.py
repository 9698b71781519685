"""Acknowledged events survive the death of the journal's process."""

import os
import random
import signal
import subprocess
import sys
from asyncio.subprocess import Process

import pytest

from millrace.protocol import MatchId
from millrace.server.app.stores import open_journal
from tests.processes import child
from tests.server.journal.entries import moves_of


@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.slow)])
async def test_every_acknowledged_event_outlives_a_kill(processes: None, url: str, kills: int) -> None:
    await (await open_journal(url)).close()
    command = [sys.executable, "-m", "tests.server.journal.appending", url]
    async with child(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for number in range(kills):
            acknowledged = await append_until_killed(process, f"run{number}", random.randint(1, 500))
            journal = await open_journal(url)
            for match, seq in acknowledged.items():
                recorded = await journal.load(match)
                assert len(recorded) >= seq
                assert moves_of(recorded) == [f"{n}" for n in range(2, len(recorded) + 1)]
            await journal.close()
        assert process.stdin is not None
        process.stdin.close()
        assert await process.wait() == 0


async def append_until_killed(process: Process, run: str, acknowledgements: int) -> dict[MatchId, int]:
    """Kill a child of `appending` after so many acknowledgements; return the last one of each match."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{run}\n".encode())
    child = int((await process.stdout.readline()).removeprefix(b"began "))
    last: dict[MatchId, int] = {}
    while (line := (await process.stdout.readline()).decode().strip()) != "ended":
        match, seq = line.split()
        last[MatchId(match)] = int(seq)
        acknowledgements -= 1
        if acknowledgements == 0:
            os.kill(child, signal.SIGKILL)
    return last
